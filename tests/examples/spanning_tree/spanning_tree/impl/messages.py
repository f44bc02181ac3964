"""Messages, and their reading from JSON."""

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from gomboc.impl import PeerError


class Write(Struct, frozen=True, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """The sender has written that distance."""

    sender: str
    distance: Annotated[int, Meta(ge=0)]


_MESSAGES = msgspec.json.Decoder(Write)


def decode(written: bytes) -> Struct:
    """A message. Raises PeerError if it is none."""
    try:
        return _MESSAGES.decode(written)
    except msgspec.DecodeError as error:
        raise PeerError(f"This is no message of spanning_tree: {error}.") from error
