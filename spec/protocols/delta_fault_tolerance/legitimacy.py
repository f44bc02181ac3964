"""Legitimate states: after the last failure, tables are those that the tree and the subscriptions imply.

Then nothing is pending, every broker is operational, and the connections are the links of the tree.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from gomboc.spec.core.model import Fault
from gomboc.spec.protocols.delta_fault_tolerance.auditing import digest, on_side
from gomboc.spec.protocols.delta_fault_tolerance.contents import Row, Rows, Stamp, Status
from gomboc.spec.protocols.delta_fault_tolerance.filters import Filter
from gomboc.spec.protocols.delta_fault_tolerance.messages import Digest
from gomboc.spec.protocols.delta_fault_tolerance.names import Names, path, within
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.state import Connection, Node, Own
from gomboc.spec.protocols.delta_fault_tolerance.variables import in_order, wanted_by

LEVEL_1 = "Section 4.3, delta-Level-1 consistency"
LEVEL_2 = "Section 4.3, delta-Level-2 consistency"
OPERATIONAL = "Figure 2"
NEIGHBOURS = "Section 4.4, each node N is connected to all its neighbors in the topology"
NOTHING_PENDING = "Section 4.4, ProcessingList"


class Share(msgspec.Struct, frozen=True):
    """The part of a broker that the anchor sees: its status, its client's subscriptions, and its streams, by peer."""

    status: Status
    wanted: tuple[Filter, ...]
    streams: tuple[tuple[str, Stamp], ...]


Anchor = tuple[tuple[str, Share], ...]
"""The share of each broker, ascending by name."""


def share(local: Node) -> Share:
    """The share of a broker. A subscription that is being ended does not count any more."""
    return Share(
        local.status, wanted_by(local), tuple((connection.peer, connection.mine) for connection in local.connections)
    )


def anchor(shares: Mapping[str, Any]) -> Anchor:
    """The authority: the brokers in the tree, with their clients' subscriptions."""
    return tuple(sorted(item for item in shares.items() if item[1].status != "detached"))


def right_rows(parameters: Parameters, brokers: Anchor, me: str) -> Rows:
    """The table that tree and subscriptions imply at a broker. Source: Section 4.3; Section 4.8, Table 1."""
    return _right_rows(parameters.delta, tuple((name, broker_share.wanted) for name, broker_share in brokers), me)


@lru_cache(maxsize=1 << 14)
def _right_rows(delta: int, wanted: tuple[tuple[str, tuple[Filter, ...]], ...], me: str) -> Rows:
    return in_order(
        Row(source, wanted_filter, path(me, source)[: delta + 2][-1])
        for source, filters in wanted
        for wanted_filter in filters
        if source != me
    )


def node_faults(parameters: Parameters, brokers: Anchor, me: str, local: Node) -> tuple[Fault, ...]:
    """The faults of a broker in a state that should be legitimate; none for a broker outside."""
    return () if local.status == "detached" else tuple(_faults(parameters, brokers, me, local))


def _faults(parameters: Parameters, brokers: Anchor, me: str, local: Node) -> Iterator[Fault]:
    names = tuple(name for name, _ in brokers)
    if local.status != "operational":
        yield Fault("all_brokers_operational", me, "operational", local.status, OPERATIONAL)
        return
    near = within(names, me, parameters.delta + 1)
    if local.known != near:
        yield Fault("tree_is_known", me, near, local.known, LEVEL_1)
    rows = right_rows(parameters, brokers, me)
    if local.rows != rows:
        yield Fault("tables_are_right", me, rows, local.rows, LEVEL_2)
    yield from _pending(me, local)
    yield from _unlinked(brokers, me, local.connections, within(names, me, 1))


def _pending(me: str, local: Node) -> Iterator[Fault]:
    """The faults of a broker with work that is not done."""
    changing = tuple(own for own in local.own if own.phase != "subscribed")
    if changing:
        yield Fault("subscriptions_are_confirmed", me, (), changing, NOTHING_PENDING)
    if local.entries:
        yield Fault("nothing_is_unconfirmed", me, (), local.entries, NOTHING_PENDING)
    waiting = (local.asking, local.asked, local.answers, local.later, local.queue, local.held)
    if any(waiting):
        yield Fault("no_broker_waits", me, ((),) * len(waiting), waiting, NOTHING_PENDING)


def _unlinked(brokers: Anchor, me: str, connections: tuple[Connection, ...], neighbours: Names) -> Iterator[Fault]:
    """The faults of a broker's connections."""
    peers = tuple(connection.peer for connection in connections)
    if peers != neighbours:
        yield Fault("connections_are_links", me, neighbours, peers, NEIGHBOURS)
    shares = dict(brokers)
    for connection in connections:
        theirs = dict(shares[connection.peer].streams).get(me) if connection.peer in shares else None
        if (connection.status, connection.theirs) != ("operational", theirs):
            yield Fault(
                "sessions_agree", me, ("operational", theirs), (connection.status, connection.theirs), "decided here"
            )


def message_faults(parameters: Parameters, brokers: Anchor, target: str, message: Any) -> tuple[Fault, ...]:
    """The faults of a message in a legitimate state: none may be in flight, except right digests of an audit.

    Source: Section 4.4; an audit is decided here
    """
    if isinstance(message, Digest) and message.digest == digest(
        on_side(right_rows(parameters, brokers, target), target, message.sender)
    ):
        return ()
    return (Fault("nothing_is_in_flight", target, None, message, NOTHING_PENDING),)


def right_state(parameters: Parameters, brokers: Anchor, me: str) -> Node:
    """The legitimate state of a broker that has never failed; streams are numbered in the order of its neighbours."""
    names = tuple(name for name, _ in brokers)
    neighbours = within(names, me, 1)
    wanted = dict(brokers)[me].wanted
    return Node(
        known=within(names, me, parameters.delta + 1),
        streams=len(neighbours),
        own=tuple(Own(wanted_filter, "subscribed", None) for wanted_filter in wanted),
        rows=right_rows(parameters, brokers, me),
        connections=tuple(_link(names, me, peer) for peer in neighbours),
    )


def _link(names: Names, me: str, peer: str) -> Connection:
    mine, theirs = within(names, me, 1).index(peer), within(names, peer, 1).index(me)
    return Connection(peer, "operational", (0, mine + 1), (0, theirs + 1))
