"""Changes of a broker's variables: connections and their streams, tables, subscriptions, entries."""

from collections.abc import Callable, Iterable
from itertools import groupby, islice
from operator import attrgetter
from typing import Any

from msgspec.structs import replace

from gomboc.spec.core.model import Send
from gomboc.spec.protocols.delta_fault_tolerance.contents import (
    Operation,
    Rejoin,
    Row,
    Rows,
    Stamp,
    Status,
    Subscription,
    Unsubscription,
    place,
)
from gomboc.spec.protocols.delta_fault_tolerance.filters import Filter, text
from gomboc.spec.protocols.delta_fault_tolerance.messages import Connect, JoinRequest, Recover
from gomboc.spec.protocols.delta_fault_tolerance.names import Names
from gomboc.spec.protocols.delta_fault_tolerance.state import Connection, Entry, Node, Own, is_joining


def link(local: Node, peer: str) -> Connection | None:
    """The connection to a peer; None if there is none."""
    return next((connection for connection in local.connections if connection.peer == peer), None)


def is_current(local: Node, sender: str, stream: Stamp) -> bool:
    """Whether a stream is the sender's current one; messages of other streams, of closed connections, are refused.

    Source: decided here
    """
    connection = link(local, sender)
    return connection is not None and connection.theirs == stream


def unanswered(local: Node) -> Names:
    """The peers that a joining broker has asked in a stream that is not answered."""
    asked = (link(local, peer) for peer in local.asking) if is_joining(local) else ()
    return tuple(connection.peer for connection in asked if connection is not None and connection.theirs is None)


def may_ask(local: Node, me: str, peer: str) -> bool:
    """Whether a broker may begin a stream: it is known here; a leaf without the tree may be known to any broker.

    Source: Section 4.4, Connections
    """
    return peer in local.known or (is_joining(local) and peer != me)


def is_outlived(local: Node, sender: str, stream: Stamp) -> bool:
    """Whether a stream is of an earlier incarnation of its sender than the latest one recorded of it.

    Source: decided here
    """
    return any(node == sender and stamp[0] > stream[0] for node, stamp in local.seen)


def connected(local: Node) -> Names:
    """The connected peers, ascending."""
    return tuple(connection.peer for connection in local.connections)


def with_link(local: Node, new: Connection) -> Node:
    """The state with this connection, which replaces any other to the same peer."""
    others = [connection for connection in local.connections if connection.peer != new.peer]
    return replace(local, connections=tuple(sorted((*others, new), key=lambda connection: connection.peer)))


def anew(local: Node, peer: str, status: Status | None, theirs: Stamp | None) -> Node:
    """The state after a new stream to a peer has begun, with this status and stream recorded of the peer."""
    local = replace(local, streams=local.streams + 1)
    return with_link(local, Connection(peer, status, (local.incarnation, local.streams), theirs))


def without_link(local: Node, peer: str) -> Node:
    """The state without the connection to a peer, which needs no confirmations any more.

    Source: Algorithm 3, line 4
    """
    kept = tuple(connection for connection in local.connections if connection.peer != peer)
    return without_sender(replace(local, connections=kept), peer)


def without_sender(local: Node, peer: str) -> Node:
    """The state in which no message is to be confirmed to a peer: it is gone, or has forgotten them."""
    if not any(peer in entry.senders for entry in local.entries):
        return local
    entries = (
        replace(pending, senders=tuple(name for name in pending.senders if name != peer))
        if peer in pending.senders
        else pending
        for pending in local.entries
    )
    return replace(local, entries=tuple(entries))


def send(local: Node, me: str, peer: str, make: Callable[..., Any], *fields: Any) -> tuple[Send, ...]:
    """A message in the stream to a peer; none if there is no connection.

    A corrupted state may name a peer that is not connected, and a step may end a connection before it answers there.

    Source: Section 4.1, Connections; that nothing is sent is decided here
    """
    connection = link(local, peer)
    return () if connection is None else (Send(peer, make(me, connection.mine, *fields)),)


def connect(local: Node, me: str, peer: str) -> tuple[Send, ...]:
    """The message of a broker that is not asking: it begins a stream, or answers a peer."""
    connection = link(local, peer)
    return () if connection is None else send(local, me, peer, Connect, connection.theirs, local.status)


def recover(local: Node, me: str, peer: str) -> tuple[Send, ...]:
    """The message of a recovering or joining broker: it begins a stream and asks."""
    return send(local, me, peer, JoinRequest if is_joining(local) else Recover)


def applied(rows: Rows, operation: Operation, most: int | None) -> Rows:
    """The table after a subscription, its end, or a REJOIN of at most so many filters."""
    others = (row for row in rows if row.source != operation.source or not is_about(operation, row.filter, most))
    match operation:
        case Subscription(source, wanted, via):
            return in_order((*others, Row(source, wanted, via)))
        case Unsubscription():
            return in_order(others)
        case Rejoin(source, filters, via):
            return in_order((*others, *(Row(source, wanted, via) for wanted in filters)))


def is_about(operation: Operation, wanted: Filter, most: int | None) -> bool:
    """Whether an operation says if its source wants a filter; REJOIN does of all, or of those of its part.

    A part goes from behind the last filter of the one before to its own last one, and the last part to the end.
    """
    if not isinstance(operation, Rejoin):
        return wanted == operation.filter
    last = None if ends(operation, most) else operation.filters[-1]
    return is_behind(operation.after, wanted) and not (last is not None and is_behind(last, wanted))


def ends(rejoin: Rejoin, most: int | None) -> bool:
    """Whether no further part of a REJOIN of at most so many filters follows. Source: decided here."""
    return len(rejoin.filters) != most


def is_behind(after: Filter | None, wanted: Filter) -> bool:
    """Whether a filter comes after another one in order, or after none."""
    return after is None or text(after) < text(wanted)


def in_order(rows: Iterable[Row]) -> Rows:
    """Rows in the order of a table: ascending by source and filter."""
    return tuple(sorted(rows, key=place))


def within_bound(rows: Rows, most: int | None) -> Rows:
    """The first rows of each source, at most so many. Source: decided here."""
    if most is None:
        return rows
    return tuple(row for _, of_one in groupby(rows, key=attrgetter("source")) for row in islice(of_one, most))


def in_parts(rows: Rows, most: int | None) -> tuple[Rows, ...]:
    """The rows of a table for messages of at most so many; only the last has fewer, or none.

    Source: decided here; Algorithm 7 has PAR_SUB as "a very large set", of one snapshot
    """
    return (rows,) if most is None else tuple(rows[first : first + most] for first in range(0, len(rows) + 1, most))


def gone_on(held: Rows, rows: Rows) -> Rows:
    """The rows that are held of a table, and those after them that have come. Source: decided here."""
    return (*held, *(row for row in rows if not held or place(row) > place(held[-1])))


def wanted_by(local: Node) -> tuple[Filter, ...]:
    """The own client's subscriptions, without those that it has begun to end."""
    return tuple(own.filter for own in local.own if own.phase != "unsubscribing")


def with_own(local: Node, wanted: Filter, own: Own | None) -> Node:
    """The state with this record of the own client's subscription to a filter; with None, without one."""
    others = [subscription for subscription in local.own if subscription.filter != wanted]
    now = others if own is None else [*others, own]
    return replace(local, own=tuple(sorted(now, key=lambda subscription: text(subscription.filter))))


def with_entry(local: Node, entry: Entry) -> Node:
    """The state in which this entry replaces that of the same id."""
    return replace(local, entries=tuple(entry if pending.id == entry.id else pending for pending in local.entries))
