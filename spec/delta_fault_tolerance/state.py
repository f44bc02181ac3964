"""The variables, messages, commands and deliveries of a broker."""

from typing import Literal

import msgspec

from gomboc.spec.delta_fault_tolerance.filters import Attributes, Filter
from gomboc.spec.delta_fault_tolerance.tree import Names

Status = Literal["operational", "recovering", "failed", "detached"]
"""Source: Figures 2 and 4."""

Phase = Literal["subscribing", "subscribed", "unsubscribing"]

Stamp = tuple[int, int]
"""The incarnation of a broker, and a count in it. Streams are numbered alike."""

Id = tuple[str, int, int]
"""The source of a multicast message, and its stamp at the source. Source: Section 4.1, m_id."""

Stamps = tuple[tuple[str, Stamp], ...]
Visited = tuple[tuple[str, Stamp | None], ...]
"""The last delta + 1 brokers that a message has come through, or past. Source: Section 5, m.visited."""


class Positional(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Base of values that are written as an array of their fields."""


class Row(Positional, frozen=True):
    """A subscription of a broker's client; `via` is the broker on the path to the source that stands for it here.

    Source: Section 4.7, SUBS_SET
    """

    source: str
    filter: Filter
    via: str


Rows = tuple[Row, ...]


class Own(Positional, frozen=True):
    """A subscription of the own client, and the message on its way that is to be confirmed for its phase, if any."""

    filter: Filter
    phase: Phase
    id: Id | None


class Connection(Positional, frozen=True):
    """A connection: the status that the peer has sent, and the stream of each side, as far as known here.

    Source: Section 4.1, Connections and alpha; the streams are decided here
    """

    peer: str
    status: Status | None
    mine: Stamp
    theirs: Stamp | None


class Kind(msgspec.Struct, frozen=True, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """Base of messages, contents, commands and deliveries; in a trace, `kind` is the name of the class."""


class Publication(Kind, frozen=True):
    """Source: Section 4.8, PUB."""

    attributes: Attributes


class Subscription(Kind, frozen=True):
    """`via` is `from` of the paper, as seen from the holder. Source: Section 4.7, SUB."""

    source: str
    filter: Filter
    via: str


class Unsubscription(Kind, frozen=True):
    """Source: decided here."""

    source: str
    filter: Filter


class Rejoin(Kind, frozen=True):
    """The source has recovered, and is about to be operational; `filters` are all subscriptions of its client.

    `via` is as in a subscription.

    Source: Section 6, REJOIN; that it says the subscriptions is decided here
    """

    source: str
    filters: tuple[Filter, ...]
    via: str


class Joined(Kind, frozen=True):
    """A leaf joins; its parent says so. Source: Section 4.6, J."""

    node: str


Content = Publication | Subscription | Unsubscription | Rejoin | Joined
Operation = Subscription | Unsubscription | Rejoin
"""Contents that change tables."""


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A multicast message that is not confirmed here.

    Source: Section 4.4, ProcessingList, MsgId, Sender, recipient set and Out
    """

    id: Id
    content: Content
    stamp: Stamp
    visited: Visited
    senders: Names
    recipients: Names
    waiting: Names


class Node(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A broker's variables; the page of the protocol's traces explains each.

    Source: Sections 4.1 to 6
    """

    status: Status = "operational"
    incarnation: int = 0
    known: Names = ()
    count: int = 0
    streams: int = 0
    own: tuple[Own, ...] = ()
    rows: Rows = ()
    connections: tuple[Connection, ...] = ()
    seen: Stamps = ()
    entries: tuple[Entry, ...] = ()
    asking: Names = ()
    asked: Names = ()
    answers: tuple[tuple[str, Rows], ...] = ()
    later: tuple[Operation, ...] = ()
    queue: tuple[Attributes, ...] = ()


class InStream(Kind, frozen=True):
    """Base of messages: each belongs to the sender's stream to the receiver.

    Source: Section 4.1, Connections; the streams are decided here
    """

    sender: str
    stream: Stamp


class Connect(InStream, frozen=True):
    """Begins a stream: a question or, if the receiver's stream is `heard`, an answer. Source: ConnectionRequest."""

    heard: Stamp | None
    status: Status


class Recover(InStream, frozen=True):
    """Begins a stream of a broker that recovers, and asks for tables. Source: Section 6, SynRequest."""


class JoinRequest(InStream, frozen=True):
    """Begins a stream of a leaf that joins, and asks its parent for the tree. Source: Algorithm 2, JoinRequest."""


class Tree(InStream, frozen=True):
    """The brokers near the receiver, which joins. Source: Algorithm 2, PAR_TOP."""

    names: Names


class StatusMessage(InStream, frozen=True, tag="Status"):
    """The sender's own status has changed. Source: Section 6, Status."""

    status: Status


class Table(InStream, frozen=True):
    """Rows, as they are for the receiver. Source: Algorithm 7, PAR_SUB."""

    rows: Rows


class StampsMessage(InStream, frozen=True, tag="Stamps"):
    """The last part of an answer. Source: decided here."""

    stamps: Stamps


class Forward(InStream, frozen=True):
    """A multicast message; with a guide, a Guided one. Source: Section 4.4, and Section 6, Guided."""

    id: Id
    content: Content
    visited: Visited
    guide: Names | None


class Confirm(InStream, frozen=True):
    """Source: Section 4.1, Conf."""

    id: Id


class Close(InStream, frozen=True):
    """The sender has closed the connection. Source: Section 4.1, CloseConnection."""


class Digest(InStream, frozen=True):
    """The digest that the receiver's rows for the sender's side of their link should have. Source: decided here."""

    digest: str


class Doubt(InStream, frozen=True):
    """The sender's rows for the receiver's side have another digest. Source: decided here."""


class RowsMessage(InStream, frozen=True, tag="Rows"):
    """The rows that the receiver should have for the sender's side of their link. Source: decided here."""

    rows: Rows


class Publish(Kind, frozen=True):
    """Source: Section 4.8."""

    attributes: Attributes


class Subscribe(Kind, frozen=True):
    """Source: Section 4.7."""

    filter: Filter


class Unsubscribe(Kind, frozen=True):
    """Source: Section 3.2."""

    filter: Filter


class Join(Kind, frozen=True):
    """Source: Section 4.6."""


class Crash(Kind, frozen=True):
    """Source: Section 4.1, FAILED."""


class Restart(Kind, frozen=True):
    """Source: Section 6, RECOVERING."""


class Down(Kind, frozen=True):
    """The failure detector's notice that a broker has failed. Source: Section 4.1, "Start failure detector"."""

    node: str


class StatusTold(Kind, frozen=True, tag="Status"):
    """Source: Figure 2."""

    status: Status


class Published(Kind, frozen=True):
    """A publication of the own client sets out. Source: Section 4.8."""

    id: Id
    attributes: Attributes


class Delivered(Kind, frozen=True, tag="Publication"):
    """A publication for the own client, and its subscriptions that match. Source: Section 4.8."""

    id: Id
    attributes: Attributes
    filters: tuple[Filter, ...]


class Confirmed(Kind, frozen=True):
    """A publication of the own client has been confirmed. Source: Section 1."""

    id: Id


class Subscribed(Kind, frozen=True):
    """Source: Section 4.2, VALID_SUBSCRIBED."""

    filter: Filter


class Unsubscribing(Kind, frozen=True):
    """Source: decided here."""

    filter: Filter


class Unsubscribed(Kind, frozen=True):
    """Source: decided here."""

    filter: Filter


class Unreachable(Kind, frozen=True):
    """More than delta failures on the way to a recipient of a message. Source: decided here."""

    id: Id
    node: str


Message = (
    Connect
    | Recover
    | StatusMessage
    | Table
    | StampsMessage
    | Forward
    | Confirm
    | Close
    | JoinRequest
    | Tree
    | Digest
    | Doubt
    | RowsMessage
)
Command = Publish | Subscribe | Unsubscribe | Crash | Restart | Down | Join

OF_FAILURES: tuple[type, ...] = (Connect, Recover, StatusMessage, Table, StampsMessage, Close, Crash, Restart, Down)
"""Messages and commands that occur only when a broker fails."""

OF_JOINING: tuple[type, ...] = (JoinRequest, Tree, Join)
"""Messages and commands that occur only when a broker joins."""

OF_AUDITS: tuple[type, ...] = (Digest, Doubt, RowsMessage)
"""Messages that occur only in an audit."""


def asleep(local: Node) -> bool:
    """Whether a broker takes no part: it has failed, or is outside."""
    return local.status in ("failed", "detached")


def is_joining(local: Node) -> bool:
    """Whether a broker has not been told the tree yet, and waits for that.

    Source: Figure 4
    """
    return local.status == "recovering" and not local.known
