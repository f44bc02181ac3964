"""The messages of brokers, and the validation before a core sees them."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from gomboc.impl.core.errors import PeerError
from gomboc.impl.protocols.delta_fault_tolerance.contents import Any as Content
from gomboc.impl.protocols.delta_fault_tolerance.contents import Id, Stamp, Visited, wrong_content
from gomboc.impl.protocols.delta_fault_tolerance.names import Name, are_in_order
from gomboc.impl.protocols.delta_fault_tolerance.rows import Row, wrong_rows

Told = Literal["operational", "recovering", "failed"]
"""The operational status of a broker."""


class Message(Struct, frozen=True, gc=False, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """Base of all messages, with the sender and its stream."""

    sender: Name
    stream: Stamp


class Connect(Message, frozen=True):
    """A stream begins. `heard` is the receiver's stream if this is an answer; None if this asks for one."""

    heard: Stamp | None
    status: Told


class Recover(Message, frozen=True):
    """A stream begins, and its sender recovers: it asks for the receiver's table."""


class JoinRequest(Message, frozen=True):
    """A stream begins, or goes on unanswered, and its sender wants to become a leaf of the receiver."""


class Tree(Message, frozen=True):
    """The brokers within delta + 1 links of the receiver, which joins."""

    names: tuple[Name, ...]


class Status(Message, frozen=True):
    """The sender's status has changed to this."""

    status: Told


class Table(Message, frozen=True):
    """Rows for a recovering broker, with `via` as seen from it."""

    rows: tuple[Row, ...]


class Stamps(Message, frozen=True):
    """The last part of an answer to a recovering broker: the most recent stamps of brokers on this side of it."""

    stamps: tuple[tuple[Name, Stamp], ...]


class Forward(Message, frozen=True):
    """A copy of a multicast message; `guide` lists the recipients if the receiver may not know them itself."""

    id: Id
    content: Content
    visited: Visited
    guide: tuple[Name, ...] | None


class Confirm(Message, frozen=True):
    """All recipients behind the sender have this message."""

    id: Id


class Digest(Message, frozen=True):
    """The digest of the rows that the receiver should have for the sources on the sender's side."""

    digest: Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]


class Doubt(Message, frozen=True):
    """The sender's rows for the receiver's side have another digest."""


class Rows(Message, frozen=True):
    """The rows that replace the receiver's rows for the sender's side."""

    rows: tuple[Row, ...]


class Close(Message, frozen=True):
    """The sender has closed the connection."""


Any = (
    Connect | Recover | JoinRequest | Tree | Status | Table | Stamps | Forward | Confirm | Digest | Doubt | Rows | Close
)

_decoder = msgspec.json.Decoder(Any)
encode = msgspec.json.Encoder().encode


def decode(written: bytes) -> Any:
    """The message written in these bytes. Raises `PeerError` if there is none."""
    try:
        message: Any = _decoder.decode(written)
    except msgspec.DecodeError as error:
        raise PeerError(f"This is not a message of delta-fault-tolerance: {error}.") from error
    wrong = _wrong(message)
    if wrong is not None:
        raise PeerError(f"This is not a message of delta-fault-tolerance: {wrong}.")
    return message


def _wrong(message: Any) -> str | None:
    match message:
        case Table(rows=rows) | Rows(rows=rows):
            return wrong_rows(rows)
        case Tree(names=names) if not are_in_order(names):
            return "its names are not in order"
        case Stamps(stamps=stamps) if not are_in_order(name for name, _ in stamps):
            return "its stamps are not in order"
        case Forward(content=content, guide=guide):
            if guide is not None and not are_in_order(guide):
                return "its guide is not in order"
            return wrong_content(content)
        case _:
            return None
