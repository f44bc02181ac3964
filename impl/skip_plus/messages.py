"""The messages of Skip+, and what is refused before a core sees it."""

import msgspec
from msgspec import Struct

from gomboc.impl.errors import PeerError
from gomboc.impl.skip_plus.names import Name, bits, disorder, inequality
from gomboc.impl.skip_plus.ranges import Ranges


class Message(Struct, frozen=True, gc=False, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """What every message is: `inserts` are the nodes that its receiver is to know, ascending."""


class Update(Message, frozen=True):
    """I am `sender` and have these ranges.

    Source: slide 20, "Send state updates to neighbors"; slide 19, insert(u, v)
    """

    sender: Name
    ranges: Ranges
    inserts: tuple[Name, ...]


class Gone(Message, frozen=True):
    """I am `node` and not live; you get back what you gave me.

    Source: slide 20, "Check liveness of neighbors and remove failed ones"
    """

    node: Name
    inserts: tuple[Name, ...]


Any = Update | Gone

_decoder = msgspec.json.Decoder(Any)


def decode(written: bytes) -> Any:
    """The message that these bytes write; `PeerError` if they write none."""
    try:
        message: Any = _decoder.decode(written)
    except msgspec.DecodeError as error:
        raise PeerError(f"This is not a message of Skip+: {error}.") from error
    wrong = _wrong(message)
    if wrong is not None:
        raise PeerError(f"This is not a message of Skip+: {wrong}.")
    return message


def _wrong(message: Any) -> str | None:
    """Why the names in a message do not fit together; None if they do."""
    match message:
        case Update(sender, ranges, inserts):
            levels = bits(sender)
            if len(ranges) != levels:
                return f"it has {len(ranges)} ranges, and {sender!r} has {levels} levels"
            ends = (end for each in ranges for end in each if end is not None)
            return disorder(inserts) or inequality(levels, (*ends, *inserts))
        case Gone(node, inserts):
            return disorder(inserts) or inequality(bits(node), inserts)


encode = msgspec.json.Encoder().encode
