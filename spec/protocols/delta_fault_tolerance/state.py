"""The variables, messages, commands and deliveries of a broker."""

import re
from operator import attrgetter, itemgetter
from sys import maxsize
from typing import Annotated, Any, Literal

import msgspec

from gomboc.spec.protocols.delta_fault_tolerance.filters import Attributes, Filter, ill_formed, ill_valued, text
from gomboc.spec.protocols.delta_fault_tolerance.names import lies_on, parent
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.types.derived import Derived
from gomboc.spec.types.fields import Ascending, AtMost, Distinct, Holds, NodeName, Within
from gomboc.spec.types.kinds import Crash, Kind, Restart, Suspect
from gomboc.spec.types.speakers import both, named_in, speakers


def _not_a_stamp(parameters: Any, stamp: tuple[int, int]) -> str | None:
    del parameters
    return "stamps and streams from incarnation 0 and count 1 on" if stamp[0] < 0 or stamp[1] < 1 else None


Status = Literal["operational", "recovering", "failed", "detached"]
"""Source: Figures 2 and 4."""

PeerStatus = Annotated[
    Status, Holds(lambda _, status: "no broker that says that it is outside" if status == "detached" else None)
]
"""The status that a broker says of itself: none says that it is outside."""

Phase = Literal["subscribing", "subscribed", "unsubscribing"]

Count = Annotated[int, Within(0)]

Brokers = Annotated[tuple[NodeName, ...], Ascending()]
"""The names of brokers, ascending."""

Stamp = Annotated[tuple[int, int], Holds(_not_a_stamp)]
"""The incarnation of a broker, and a count in it. Streams are numbered alike."""

Id = Annotated[tuple[NodeName, int, int], Holds(lambda parameters, id_: _not_a_stamp(parameters, id_[1:]))]
"""The source of a multicast message, and its stamp at the source. Source: Section 4.1, m_id."""

Stamps = Annotated[tuple[tuple[NodeName, Stamp], ...], Ascending(itemgetter(0))]
HexDigits = Annotated[
    str, Holds(lambda _, digest: None if re.fullmatch("[0-9a-f]{16}", digest) else "a digest of 16 hex digits")
]

Visited = Annotated[tuple[tuple[NodeName, Stamp | None], ...], AtMost(lambda parameters: parameters.delta + 1)]
"""The last delta + 1 brokers that a message has come through, or past. Source: Section 5, m.visited."""

WellFormed = Annotated[Filter, Holds(lambda _, wanted: ill_formed(wanted))]
WellValued = Annotated[Attributes, Holds(lambda _, attributes: ill_valued(attributes))]


class Positional(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Base of values that are written as an array of their fields."""


class Row(Positional, frozen=True):
    """A subscription of a broker's client; `via` is the broker on the path to the source that stands for it here.

    Source: Section 4.7, SUBS_SET
    """

    source: NodeName
    filter: WellFormed
    via: NodeName


Rows = Annotated[tuple[Row, ...], Ascending(lambda row: (row.source, text(row.filter)))]


AsManyAsFit = AtMost(lambda parameters: parameters.most_rows or maxsize, source="decided here: bounded messages")
"""Of the rows or filters in one message: with as many as fit the next message goes on, one with fewer is the last."""

Part = Annotated[Rows, AsManyAsFit]
"""Rows in one message."""


class Own(Positional, frozen=True):
    """A subscription of the own client, and the message on its way that is to be confirmed for its phase, if any."""

    filter: WellFormed
    phase: Phase
    id: Id | None


class Connection(Positional, frozen=True):
    """A connection: the status that the peer has sent, and the stream of each side, as far as known here.

    Source: Section 4.1, Connections and alpha; the streams are decided here
    """

    peer: NodeName
    status: PeerStatus | None
    mine: Stamp
    theirs: Stamp | None


class Publication(Kind, frozen=True):
    """Source: Section 4.8, PUB."""

    attributes: WellValued


class Subscription(Kind, frozen=True):
    """`via` is `from` of the paper, as seen from the holder. Source: Section 4.7, SUB."""

    source: NodeName
    filter: WellFormed
    via: NodeName


class Unsubscription(Kind, frozen=True):
    """Source: decided here."""

    source: NodeName
    filter: WellFormed


class Rejoin(Kind, frozen=True, omit_defaults=True):
    """The source has recovered, and is about to be operational; `filters` are all subscriptions of its client.

    Or they are those after the last one of the part before, as many as fit. `via` is as in a subscription.

    Source: Section 6, REJOIN; that it says the subscriptions, and its parts, are decided here
    """

    source: NodeName
    filters: Annotated[tuple[WellFormed, ...], Ascending(text), AsManyAsFit]
    via: NodeName
    after: WellFormed | None = None


class Joined(Kind, frozen=True):
    """A leaf joins; its parent says so. Source: Section 4.6, J."""

    node: NodeName


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
    senders: Brokers
    recipients: Brokers
    waiting: Brokers


class Node(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A broker's variables; the page of the protocol's traces explains each. Source: Sections 4.1 to 6."""

    status: Status = "operational"
    incarnation: Count = 0
    known: Brokers = ()
    count: Count = 0
    streams: Count = 0
    own: Annotated[tuple[Own, ...], Ascending(lambda own: text(own.filter))] = ()
    rows: Rows = ()
    connections: Annotated[tuple[Connection, ...], Ascending(attrgetter("peer"))] = ()
    seen: Stamps = ()
    entries: tuple[Entry, ...] = ()
    asking: Brokers = ()
    asked: Annotated[tuple[NodeName, ...], Distinct()] = ()
    answers: Annotated[tuple[tuple[NodeName, Rows], ...], Ascending(itemgetter(0))] = ()
    later: tuple[Operation, ...] = ()
    queue: tuple[WellValued, ...] = ()


class InStream(Kind, frozen=True):
    """Base of messages: each belongs to the sender's stream to the receiver.

    Source: Section 4.1, Connections; the streams are decided here
    """

    sender: NodeName
    stream: Stamp


class Connect(InStream, frozen=True):
    """Begins a stream: a question or, if the receiver's stream is `heard`, an answer. Source: ConnectionRequest."""

    heard: Stamp | None
    status: PeerStatus


class Recover(InStream, frozen=True):
    """Begins a stream of a broker that recovers, and asks for tables. Source: Section 6, SynRequest."""


class JoinRequest(InStream, frozen=True):
    """Begins a stream of a leaf that joins, and asks its parent for the tree. Source: Algorithm 2, JoinRequest."""


class Tree(InStream, frozen=True):
    """The brokers near the receiver, which joins. Source: Algorithm 2, PAR_TOP."""

    names: Brokers


class StatusMessage(InStream, frozen=True, tag="Status"):
    """The sender's own status has changed. Source: Section 6, Status."""

    status: PeerStatus


class Table(InStream, frozen=True):
    """Rows, as they are for the receiver. Source: Algorithm 7, PAR_SUB."""

    rows: Part


class StampsMessage(InStream, frozen=True, tag="Stamps"):
    """The last part of an answer. Source: decided here."""

    stamps: Stamps


class Forward(InStream, frozen=True):
    """A multicast message; with a guide, a Guided one. Source: Section 4.4, and Section 6, Guided."""

    id: Id
    content: Content
    visited: Visited
    guide: Brokers | None


class Confirm(InStream, frozen=True):
    """Source: Section 4.1, Conf."""

    id: Id


class Close(InStream, frozen=True):
    """The sender has closed the connection. Source: Section 4.1, CloseConnection."""


class Digest(InStream, frozen=True):
    """The digest that the receiver's rows for the sender's side should have; the sender is operational.

    Source: decided here
    """

    digest: HexDigits


class Doubt(InStream, frozen=True):
    """The sender's rows for the receiver's side have another digest. Source: decided here."""


class RowsMessage(InStream, frozen=True, tag="Rows"):
    """The rows that the receiver should have for the sender's side of their link. Source: decided here."""

    rows: Part


class Publish(Kind, frozen=True):
    """Source: Section 4.8."""

    attributes: WellValued


class Subscribe(Kind, frozen=True):
    """Source: Section 4.7."""

    filter: WellFormed


class Unsubscribe(Kind, frozen=True):
    """Source: Section 3.2."""

    filter: WellFormed


class Join(Kind, frozen=True):
    """Source: Section 4.6."""


class StatusTold(Kind, frozen=True, tag="Status"):
    """Source: Figure 2."""

    status: Status


class Published(Kind, frozen=True):
    """A publication of the own client sets out. Source: Section 4.8."""

    id: Id
    attributes: WellValued


class Delivered(Kind, frozen=True, tag="Publication"):
    """A publication for the own client, and its subscriptions that match. Source: Section 4.8."""

    id: Id
    attributes: WellValued
    filters: tuple[Filter, ...]


class Confirmed(Kind, frozen=True):
    """A publication of the own client has been confirmed. Source: Section 1."""

    id: Id


class Subscribed(Kind, frozen=True):
    """Source: Section 4.2, VALID_SUBSCRIBED."""

    filter: WellFormed


class Unsubscribing(Kind, frozen=True):
    """Source: decided here."""

    filter: WellFormed


class Unsubscribed(Kind, frozen=True):
    """Source: decided here."""

    filter: WellFormed


class Unreachable(Kind, frozen=True):
    """More than delta failures on the way to a recipient of a message. Source: decided here."""

    id: Id
    node: NodeName


OfFailures = Connect | Recover | StatusMessage | Table | StampsMessage
OfJoining = JoinRequest | Tree
OfAudits = Digest | Doubt | RowsMessage
Message = OfFailures | Forward | Confirm | Close | OfJoining | OfAudits
Command = Publish | Subscribe | Unsubscribe | Crash | Restart | Suspect | Join
"""`Crash`: Section 4.1, FAILED; `Restart`: Section 6, RECOVERING; `Suspect`: Section 4.1, "Start failure detector"."""


def on_its_way(sender: str, role: str, receiver: str, copy: Forward) -> bool:
    """Whether a copy comes by brokers on the path from its source, and says what its source may say.

    A source subscribes and unsubscribes for its own client, and a leaf is announced by its parent.

    Source: Section 4.4; Section 5, m.visited; Section 4.6, J
    """
    del role
    source, content = copy.id[0], copy.content
    passed = {sender, *(broker for broker, _ in copy.visited)}
    if receiver in passed or not all(lies_on(broker, source, receiver) for broker in passed):
        return False
    if isinstance(content, Joined):
        return parent(content.node) == source
    return isinstance(content, Publication) or content.source == source


SPEAKERS = speakers(Message, {Forward: both(named_in("sender"), on_its_way)})
"""Who sends each message. Source: Section 4.1, Connections: links are between brokers that know each other."""


def asleep(local: Node) -> bool:
    """Whether a broker takes no part: it has failed, or is outside."""
    return local.status in ("failed", "detached")


def is_joining(local: Node) -> bool:
    """Whether a broker has not been told the tree yet, and waits for that. Source: Figure 4."""
    return local.status == "recovering" and not local.known


def _in_node(parameters: Parameters, local: Node) -> str | None:
    del parameters
    kept = Node("failed", local.incarnation, local.known, own=local.own)
    if local.status == "failed" and local != kept:
        return "nothing but the incarnation, the tree and the own client's subscriptions in a failed broker"
    if local.status == "detached" and local != Node("detached"):
        return "no variables in a broker outside"
    return None


def _in_rejoin(parameters: Parameters, content: Rejoin) -> str | None:
    if content.after is not None and parameters.most_rows is None:
        return "no part of REJOIN without most_rows"
    ascending = content.after is None or not content.filters or text(content.after) < text(content.filters[0])
    return None if ascending else "filters after those of the part before"


FIELDS = Derived(Node, Message, Command, relations={Node: Holds(_in_node), Rejoin: Holds(_in_rejoin)})
"""The brokers that values name, their faults, and their renaming."""
