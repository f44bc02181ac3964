"""Recovery: what a broker that comes back asks for, and what it is answered."""

from collections.abc import Iterable, Iterator

from impl.delta_fault_tolerance import deliveries
from impl.delta_fault_tolerance.contents import Stamp, Subscription, Unsubscription, seen_from
from impl.delta_fault_tolerance.filters import Filter
from impl.delta_fault_tolerance.forwarding import repeat
from impl.delta_fault_tolerance.links import answer, ask
from impl.delta_fault_tolerance.messages import Recover, Stamps, Status, Table
from impl.delta_fault_tolerance.names import distance, path, towards
from impl.delta_fault_tolerance.rows import Row, order
from impl.delta_fault_tolerance.variables import Variables


def asked(at: Variables, told: Recover) -> None:
    """Take note of a broker that recovers; it has everything again that was on the way to it or past it.

    Source: Algorithm 7
    """
    peer, former, recovery = told.sender, at.links.get(told.sender), at.recovery
    theirs = None if former is None else former.theirs
    is_new = theirs is None or theirs[0] < told.stream[0]
    if is_new:
        for entry in at.entries.values():
            entry.senders.discard(peer)
    if peer not in recovery.asked:
        recovery.asked.append(peer)
    farther = {each for each in recovery.asking if each != peer and peer in path(at.me, each)}
    recovery.asking -= farther
    if farther:
        # Nobody beyond need ever hear the question: the one that is back is nearer to them, too.
        answer(at, peer, told.stream, "recovering")
        ask(at, peer)
    elif peer in recovery.asking and is_new and former is not None:
        # It was down when it was asked, or has lost the question since.
        former.theirs, former.status = told.stream, "recovering"
        ask(at, peer)
    else:
        answer(at, peer, told.stream, "recovering")
    ready = is_ready(at, peer)
    if ready:
        at.send(peer, Table(at.me, at.links[peer].mine, rows_for(at, peer)))
    repeat(at, peer)
    if ready:
        at.send(peer, Stamps(at.me, at.links[peer].mine, stamps_for(at, peer)))
        recovery.asked.remove(peer)


def is_ready(at: Variables, peer: str) -> bool:
    """Whether this broker knows all that it has to tell a recovering one: nobody away from there is still asked.

    Source: Section 6.2; two that wait for each other's whole answer would wait for ever
    """
    way = towards(at.me, peer)
    return all(towards(at.me, each) == way for each in at.recovery.asking)


def answer_those_who_wait(at: Variables) -> None:
    """Tell those who recover what this broker has learnt now; copies have been on their way since they asked."""
    for peer in list(at.recovery.asked):
        if is_ready(at, peer):
            mine = at.links[peer].mine
            at.send(peer, Table(at.me, mine, rows_for(at, peer)))
            at.send(peer, Stamps(at.me, mine, stamps_for(at, peer)))
            at.recovery.asked.remove(peer)


def rows_for(at: Variables, peer: str) -> tuple[Row, ...]:
    """The table as it is for a recovering broker: all that leads away from it, and what this broker knows exactly.

    Source: Algorithm 7, line 14; without the exact rows nobody would tell it of a source that is down
    """
    way, rows = towards(at.me, peer), list(_own(at))
    rows += (
        row
        for row in learnt(at).values()
        if row.source != peer and (row.via == row.source or towards(at.me, row.via) != way)
    )
    told = (Row(row.source, row.filter, seen_from(peer, row.via, at.delta)) for row in rows)
    return tuple(sorted(told, key=order))


def _own(at: Variables) -> Iterator[Row]:
    return (Row(at.me, each.filter, at.me) for each in at.own.values() if each.phase != "unsubscribing")


def learnt(at: Variables) -> dict[tuple[str, Filter], Row]:
    """The rows that a broker has, or would have if it were done with what it has been answered."""
    rows = {(row.source, row.filter): row for row in at.table.rows()}
    for peer, told in sorted(at.recovery.answers.items()):
        for row in told:
            if is_authority(at, peer, row.source):
                rows[row.source, row.filter] = row
    for content in at.recovery.later:
        match content:
            case Subscription(source, predicates, via):
                rows[source, predicates] = Row(source, predicates, via)
            case Unsubscription(source, predicates):
                rows.pop((source, predicates), None)
    return rows


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
        each: stamp
        for each, stamp in at.seen.items()
        if towards(at.me, each) != way and distance(peer, each) <= at.delta + 1
    }
    if at.count:
        near[at.me] = at.incarnation, at.count
    return tuple(sorted(near.items()))


def replace_asked(at: Variables, failed: str, beyond: Iterable[str]) -> None:
    """Ask those beyond a broker that has failed without answering."""
    if failed in at.recovery.asking:
        at.recovery.asking.remove(failed)
        at.recovery.answers.pop(failed, None)
        for each in beyond:
            ask(at, each)


def tell_status(at: Variables) -> None:
    """Tell the client, and all peers, how one is."""
    at.deliver(deliveries.Status(at.status))
    for peer in sorted(at.links):
        at.send(peer, Status(at.me, at.links[peer].mine, at.status))
