"""Commands of an application to a node, and crashes.

Source: slide 33, "Node join / departure"
"""

import msgspec
from msgspec import Struct

from gomboc.impl.core.errors import UsageError
from gomboc.impl.protocols.skip_plus.names import Name


class Command(Struct, frozen=True, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """Base of the commands."""


class Join(Command, frozen=True):
    """The node is live from now on, and knows the contact, if there is one.

    A crashed node restarts in this way, too.
    """

    contact: Name | None = None


class Leave(Command, frozen=True):
    """The node introduces its neighbours to each other, and is live no longer."""


class Crash(Command, frozen=True):
    """The node is live no longer, and sends nothing."""


Any = Join | Leave | Crash

_decoder = msgspec.json.Decoder(Any)


def decode(written: bytes) -> Any:
    """Decode a command; `UsageError` if the bytes are none."""
    try:
        command: Any = _decoder.decode(written)
    except msgspec.DecodeError as error:
        raise UsageError(f"This is not a command of Skip+: {error}.") from error
    return command
