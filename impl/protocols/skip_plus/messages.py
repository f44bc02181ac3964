"""The messages of Skip+; invalid ones are refused before a core sees them."""

import msgspec
from msgspec import Struct

from gomboc.impl.core.errors import PeerError
from gomboc.impl.protocols.skip_plus.names import Name, bits, disorder, inequality
from gomboc.impl.protocols.skip_plus.ranges import Ranges


class Message(Struct, frozen=True, gc=False, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """Base of the messages: `inserts` are the nodes that the receiver is to know, ascending."""


class Update(Message, frozen=True):
    """The ranges of `sender`.

    Source: slide 20, "Send state updates to neighbors"; slide 19, insert(u, v)
    """

    sender: Name
    ranges: Ranges
    inserts: tuple[Name, ...]


class Gone(Message, frozen=True):
    """`node` is not live; it returns the inserts that it was sent.

    Source: slide 20, "Check liveness of neighbors and remove failed ones"
    """

    node: Name
    inserts: tuple[Name, ...]


Any = Update | Gone

_decoder = msgspec.json.Decoder(Any)


def decode(written: bytes) -> Any:
    """Decode a message; `PeerError` if the bytes are none."""
    try:
        message: Any = _decoder.decode(written)
    except msgspec.DecodeError as error:
        raise PeerError(f"This is not a message of Skip+: {error}.") from error
    wrong = _wrong(message)
    if wrong is not None:
        raise PeerError(f"This is not a message of Skip+: {wrong}.")
    return message


def _wrong(message: Any) -> str | None:
    """The reason why the names in a message do not fit together; None if they do."""
    match message:
        case Update(sender, ranges, inserts):
            levels = bits(sender)
            if len(ranges) != levels:
                return f"it has {len(ranges)} ranges, and {sender!r} has {levels} levels"
            ends = (end for span in ranges for end in span if end is not None)
            return disorder(inserts) or inequality(levels, (*ends, *inserts))
        case Gone(node, inserts):
            return disorder(inserts) or inequality(bits(node), inserts)


encode = msgspec.json.Encoder().encode
