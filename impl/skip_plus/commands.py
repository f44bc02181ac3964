"""What an application may ask of a node, and what befalls a node from outside.

Source: slide 33, "Node join / departure"
"""

import msgspec
from msgspec import Struct

from gomboc.impl.errors import UsageError
from gomboc.impl.skip_plus.names import Name


class Command(Struct, frozen=True, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """What every command is."""


class Join(Command, frozen=True):
    """The node is live from now on, and knows this one, if there is one. Who has crashed comes back so, too."""

    contact: Name | None = None


class Leave(Command, frozen=True):
    """The node makes its neighbours known to each other, and is live no longer."""


class Crash(Command, frozen=True):
    """The node is live no longer, and says nothing."""


Any = Join | Leave | Crash

_decoder = msgspec.json.Decoder(Any)


def decode(written: bytes) -> Any:
    """The command that these bytes write; `UsageError` if they write none."""
    try:
        command: Any = _decoder.decode(written)
    except msgspec.DecodeError as error:
        raise UsageError(f"This is not a command of Skip+: {error}.") from error
    return command
