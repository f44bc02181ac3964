"""The messages of brokers."""

from collections.abc import Callable
from typing import Annotated, Literal, get_args
from typing import Any as AnyValue

from msgspec import Meta

from gomboc.impl.core import vocabulary
from gomboc.impl.core.authority import SENDER, Word, Words
from gomboc.impl.core.errors import PeerError
from gomboc.impl.protocols.delta_fault_tolerance import contents
from gomboc.impl.protocols.delta_fault_tolerance.contents import (
    Contents,
    Id,
    Joined,
    Row,
    Stamp,
    Stamped,
    Visited,
    order,
)
from gomboc.impl.protocols.delta_fault_tolerance.filters import Filter, text
from gomboc.impl.protocols.delta_fault_tolerance.names import Name, Names, parent, path
from gomboc.impl.protocols.delta_fault_tolerance.parameters import Parameters


def _surplus(rows: tuple[Row, ...], parameters: Parameters) -> vocabulary.Fault:
    return vocabulary.surplus("it has {} rows", len(rows), parameters.most_rows)


Portion = Annotated[contents.Rows, vocabulary.Rule(_surplus)]
"""Rows in order; a full message is continued by the next one of its kind."""

Told = Literal["operational", "recovering", "failed"]
"""The operational status of a broker."""


class Message(vocabulary.Message, frozen=True):
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

    names: Names


class Status(Message, frozen=True):
    """The sender's status has changed to this."""

    status: Told


class Table(Message, frozen=True):
    """Rows for a recovering broker, with `via` as seen from it."""

    rows: Portion


class Stamps(Message, frozen=True):
    """The last part of an answer to a recovering broker: the most recent stamps of brokers on this side of it."""

    stamps: Stamped


class Forward(Message, frozen=True):
    """A copy of a multicast message; `guide` lists the recipients if the receiver may not know them itself."""

    id: Id
    content: Contents
    visited: Visited
    guide: Names | None


class Confirm(Message, frozen=True):
    """All recipients behind the sender have this message."""

    id: Id


class Digest(Message, frozen=True):
    """The digest of the rows that the receiver should have for the sources on the sender's side.

    It also says that the sender is operational, since no other broker sends digests.
    """

    digest: Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]


class Doubt(Message, frozen=True):
    """The sender's rows for the receiver's side have another digest."""


class Rows(Message, frozen=True, omit_defaults=True):
    """The rows that replace the receiver's rows for the sender's side.

    With a bound, a full message is continued by the next one, which begins `after` the source and filter of its last
    row; each message replaces the rows between its ends, and there is no end behind the last one.
    """

    rows: Portion
    after: tuple[Name, Filter] | None = None

    def fault(self, parameters: Parameters | None) -> vocabulary.Fault:
        """The fault of the place where it begins."""
        if self.after is None or parameters is None:
            return None
        if parameters.most_rows is None:
            return "it continues other rows, and these are not divided here"
        if self.rows and not self.reaches(self.rows[0]):
            return "its rows do not come after the one where it begins"
        return None

    def reaches(self, row: Row) -> bool:
        """Whether it begins before a row."""
        return self.after is None or (self.after[0], text(self.after[1])) < order(row)

    def replaces(self, row: Row, most: int | None) -> bool:
        """Whether a row of this side is between its ends."""
        is_beyond = len(self.rows) == most and order(self.rows[-1]) < order(row)
        return self.reaches(row) and not is_beyond


class Pause(Message, frozen=True):
    """More is to come in this stream once the receiver asks for it."""


class Continue(Message, frozen=True):
    """The sender asks for what is to come in the receiver's stream."""


class Close(Message, frozen=True):
    """The sender has closed the connection."""


Any = (
    Connect
    | Recover
    | JoinRequest
    | Tree
    | Status
    | Table
    | Stamps
    | Forward
    | Confirm
    | Digest
    | Doubt
    | Rows
    | Pause
    | Continue
    | Close
)


def comes_from_its_source(me: str, message: Forward) -> bool:
    """Whether the sender of a copy, and all brokers that it has visited, are on the way from here to its source.

    Only the source itself changes its subscriptions; a leaf is announced by its parent.

    Source: Appendix A.2, proof of Lemma 2, "in a direction that is away from their source"
    """
    source, content = message.id[0], message.content
    way = path(me, source)[1:]
    if message.sender not in way or any(broker not in way for broker, _ in message.visited):
        return False
    return source == (parent(content.node) if isinstance(content, Joined) else getattr(content, "source", source))


WORDS: Words = {
    **dict.fromkeys(get_args(Any), SENDER),
    Forward: Word(SENDER.author, route=comes_from_its_source),
}
"""Whose word each message is: each names its sender, for everything that it says of brokers on its side."""


def decoder(parameters: Parameters) -> Callable[[bytes], AnyValue]:
    """A decoder of messages: `PeerError` for bytes that are none, and for more rows than are allowed."""
    return vocabulary.reader(Any, "This is not a message of delta-fault-tolerance", parameters, error=PeerError)
