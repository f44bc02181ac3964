"""The variables of a broker."""

from operator import attrgetter, itemgetter
from typing import Annotated, Literal

import msgspec

from gomboc.spec.protocols.delta_fault_tolerance.commands import Command
from gomboc.spec.protocols.delta_fault_tolerance.contents import (
    AsManyAsOneHas,
    Brokers,
    Content,
    Count,
    Id,
    Operation,
    PeerStatus,
    Positional,
    Rejoin,
    Rows,
    Stamp,
    Stamps,
    Status,
    Visited,
    WellFormed,
    WellValued,
    in_rejoin,
)
from gomboc.spec.protocols.delta_fault_tolerance.filters import text
from gomboc.spec.protocols.delta_fault_tolerance.messages import Message, RowsMessage, in_rows
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.types.derived import Derived
from gomboc.spec.types.fields import Ascending, Distinct, Holds, NodeName, OnlyWith

Phase = Literal["subscribing", "subscribed", "unsubscribing"]


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
    own: Annotated[tuple[Own, ...], Ascending(lambda own: text(own.filter)), AsManyAsOneHas] = ()
    rows: Rows = ()
    connections: Annotated[tuple[Connection, ...], Ascending(attrgetter("peer"))] = ()
    seen: Stamps = ()
    entries: tuple[Entry, ...] = ()
    asking: Brokers = ()
    asked: Annotated[tuple[NodeName, ...], Distinct()] = ()
    answers: Annotated[tuple[tuple[NodeName, Rows], ...], Ascending(itemgetter(0))] = ()
    later: tuple[Operation, ...] = ()
    queue: tuple[WellValued, ...] = ()
    held: Annotated[
        tuple[tuple[NodeName, tuple[Message, ...]], ...], Ascending(itemgetter(0)), OnlyWith("most_bytes")
    ] = ()


def asleep(local: Node) -> bool:
    """Whether a broker takes no part: it has failed, or is outside."""
    return local.status in ("failed", "detached")


def is_joining(local: Node) -> bool:
    """Whether a broker has not been told the tree yet, and waits for that. Source: Figure 4."""
    return local.status == "recovering" and not local.known


def _in_node(_parameters: Parameters, local: Node) -> str | None:
    kept = Node("failed", local.incarnation, local.known, own=local.own)
    if local.status == "failed" and local != kept:
        return "nothing but the incarnation, the tree and the own client's subscriptions in a failed broker"
    if local.status == "detached" and local != Node("detached"):
        return "no variables in a broker outside"
    return None


RELATIONS = {Node: Holds(_in_node), Rejoin: Holds(in_rejoin), RowsMessage: Holds(in_rows)}
"""Requirements on several fields of a value."""

FIELDS = Derived(Node, Message, Command, relations=RELATIONS)
"""The brokers that values name, their faults, and their renaming."""
