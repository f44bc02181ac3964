"""What an application may ask of a subscriber."""

import msgspec
from msgspec import Struct

from impl.errors import UsageError


class Join(Struct, frozen=True, tag_field="kind", tag="subscribe", forbid_unknown_fields=True):
    """From now on the application wants the node in the ring."""


class Leave(Struct, frozen=True, tag_field="kind", tag="unsubscribe", forbid_unknown_fields=True):
    """From now on the application does not want the node in the ring."""


_decoder = msgspec.json.Decoder(Join | Leave)


def decode(written: bytes) -> Join | Leave:
    """The command that these bytes write; `UsageError` if they write none."""
    try:
        command: Join | Leave = _decoder.decode(written)
    except msgspec.DecodeError as error:
        raise UsageError(f"This is not a command of the skip ring: {error}.") from error
    return command
