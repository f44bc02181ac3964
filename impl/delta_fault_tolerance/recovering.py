"""Recovery: what a broker that comes back asks for, and what it is answered."""

from collections.abc import Iterable, Iterator

from gomboc.impl.delta_fault_tolerance import deliveries
from gomboc.impl.delta_fault_tolerance.client import wanted
from gomboc.impl.delta_fault_tolerance.contents import (
    Any,
    Joined,
    Rejoin,
    Stamp,
    Subscription,
    Unsubscription,
    seen_from,
)
from gomboc.impl.delta_fault_tolerance.filters import Filter
from gomboc.impl.delta_fault_tolerance.forwarding import beyond, send_back
from gomboc.impl.delta_fault_tolerance.links import ask, take_up
from gomboc.impl.delta_fault_tolerance.messages import JoinRequest, Recover, Stamps, Status, Table, Tree
from gomboc.impl.delta_fault_tolerance.names import distance, path, towards
from gomboc.impl.delta_fault_tolerance.rows import Row, order
from gomboc.impl.delta_fault_tolerance.variables import Variables


def answer(at: Variables, request: Recover | JoinRequest) -> None:
    """Answer a broker that recovers, or joins; it has everything again that was on the way to it or past it.

    Who is asking itself has no table yet. It says so, lest the other should wait, and does not wait for it either.

    Source: Algorithm 7
    """
    peer = request.sender
    for entry in at.entries.values():
        entry.senders.discard(peer)
    take_up(at, peer, request.stream, "recovering")
    if not at.recovery.asking:
        mine = at.links[peer].mine
        if isinstance(request, JoinRequest):
            at.send(peer, Tree(at.me, mine, tree_for(at, peer)))
        at.send(peer, Table(at.me, mine, rows_for(at, peer)))
        send_back(at, peer, before_stamps=True)
        at.send(peer, Stamps(at.me, mine, stamps_for(at, peer)))
    else:
        send_back(at, peer, before_stamps=False)
        at.send(peer, Status(at.me, at.links[peer].mine, at.told))
        ask_beyond(at, peer)


def ask_beyond(at: Variables, peer: str) -> None:
    """Ask those behind a peer that will not answer, since it has failed or is asking itself.

    Who joins knows nobody behind its parent, and asks it anew.

    Source: Algorithm 3, lines 13 to 17; that who recovers waits for who recovers, Section 6.2, may have no end
    """
    if peer not in at.recovery.asking:
        return
    if at.is_untold:
        ask(at, peer)
    else:
        at.recovery.asking.remove(peer)
        at.recovery.answers.pop(peer, None)
        for broker in beyond(at, peer):
            ask(at, broker)


def ask_nearer(at: Variables, peer: str) -> None:
    """Ask a peer that is operational, instead of those past it."""
    past = {broker for broker in at.recovery.asking if broker != peer and peer in path(at.me, broker)}
    if past:
        at.recovery.asking -= past
        for broker in past:
            at.recovery.answers.pop(broker, None)
        ask(at, peer)


def tree_for(at: Variables, leaf: str) -> tuple[str, ...]:
    """The brokers that one that joins is to know, those included that are being announced at the same time.

    Source: Algorithm 2, PAR_TOP
    """
    joining = (entry.content.node for entry in at.entries.values() if isinstance(entry.content, Joined))
    names = {*at.known, at.me, *joining} - {leaf}
    return tuple(sorted(name for name in names if distance(name, leaf) <= at.delta + 1))


def rows_for(at: Variables, peer: str) -> tuple[Row, ...]:
    """The table as it is for a recovering broker: all that leads away from it, and what this broker knows exactly.

    Source: Algorithm 7, line 14; without the exact rows nobody would tell it of a source that is down
    """
    way = towards(at.me, peer)
    rows = (
        row
        for row in at.table.rows()
        if row.source != peer and (row.via == row.source or towards(at.me, row.via) != way)
    )
    return tuple(sorted((*rows_of_own(at), *rows_seen_from(at, peer, rows)), key=order))


def rows_of_own(at: Variables) -> Iterator[Row]:
    """What the own client wants, as it is for a neighbour, or for who asks past some."""
    return (Row(at.me, wanted_filter, at.me) for wanted_filter in wanted(at))


def rows_seen_from(at: Variables, peer: str, rows: Iterable[Row]) -> Iterator[Row]:
    """Rows of this broker as they are for another one."""
    return (Row(row.source, row.filter, seen_from(peer, row.via, at.delta)) for row in rows)


def learnt(at: Variables) -> dict[tuple[str, Filter], Row]:
    """The rows that a recovering broker has been answered, of each source by whoever counts."""
    rows = {(row.source, row.filter): row for row in at.table.rows()}
    for peer, answered in sorted(at.recovery.answers.items()):
        for row in answered:
            if is_authority(at, peer, row.source):
                rows[row.source, row.filter] = row
    return rows


def is_outdated(at: Variables, sender: str, content: Any) -> bool:
    """Whether a change comes after a table of its sender that says otherwise, and before its stamps.

    Then it is older than the table, and what has changed it again may have come another way.
    """
    rows = at.recovery.answers.get(sender)
    if rows is None or sender not in at.recovery.asking:
        return False
    match content:
        case Subscription(source, predicates, via):
            return Row(source, predicates, via) not in rows
        case Unsubscription(source, predicates):
            return any((row.source, row.filter) == (source, predicates) for row in rows)
        case Rejoin(source, filters, via):
            return {row for row in rows if row.source == source} != {
                Row(source, one_filter, via) for one_filter in filters
            }
    return False


def is_authority(at: Variables, peer: str, source: str) -> bool:
    """Whether this peer's word counts for the subscriptions of a source: it is on the way there, or nobody is.

    What somebody on the other side knows of them may be older, and already taken back.
    """
    way = path(at.me, source)
    return peer in way or at.recovery.answers.keys().isdisjoint(way)


def stamps_for(at: Variables, peer: str) -> tuple[tuple[str, Stamp], ...]:
    """What a recovering broker has to know of brokers on this side, once it has been sent what is on the way.

    Of those on its own side it knows nothing yet: what they send it again would be taken for duplicates.
    """
    way = towards(at.me, peer)
    near = {
        broker: stamp
        for broker, stamp in at.seen.items()
        if towards(at.me, broker) != way and distance(peer, broker) <= at.delta + 1
    }
    if at.count:
        near[at.me] = at.incarnation, at.count
    return tuple(sorted(near.items()))


def tell_status(at: Variables) -> None:
    """Tell the client, and all peers, how one is."""
    at.deliver(deliveries.Status(at.told))
    for peer in sorted(at.links):
        at.send(peer, Status(at.me, at.links[peer].mine, at.told))
