"""Recovery: the questions of a broker that comes back, and the answers to them."""

from collections.abc import Iterable, Iterator

from gomboc.impl.core.reasons import Reason
from gomboc.impl.protocols.delta_fault_tolerance import deliveries
from gomboc.impl.protocols.delta_fault_tolerance.client import wanted
from gomboc.impl.protocols.delta_fault_tolerance.contents import (
    Contents,
    Joined,
    Rejoin,
    Row,
    Stamp,
    Subscription,
    Unsubscription,
    admitted,
    extended,
    order,
    portions,
    seen_from,
)
from gomboc.impl.protocols.delta_fault_tolerance.filters import Filter
from gomboc.impl.protocols.delta_fault_tolerance.forwarding import beyond, past, send_back
from gomboc.impl.protocols.delta_fault_tolerance.links import ask, take_up
from gomboc.impl.protocols.delta_fault_tolerance.messages import JoinRequest, Recover, Stamps, Status, Table, Tree
from gomboc.impl.protocols.delta_fault_tolerance.names import distance, path, towards
from gomboc.impl.protocols.delta_fault_tolerance.variables import Variables


def answer(at: Variables, request: Recover | JoinRequest) -> None:
    """Answer a recovering or joining broker; all messages on the way to it or past it are sent again.

    A broker that is asking itself has no table yet. It tells the peer so, and neither waits for the other.

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
        for rows in portions(rows_for(at, peer), at.most_rows):
            at.send(peer, Table(at.me, mine, rows))
        send_back(at, peer, before_stamps=True)
        at.send(peer, Stamps(at.me, mine, stamps_for(at, peer)))
    else:
        send_back(at, peer, before_stamps=False)
        at.send(peer, Status(at.me, at.links[peer].mine, at.told))
        ask_beyond(at, peer)


def ask_beyond(at: Variables, peer: str) -> None:
    """Ask the brokers behind a peer that will not answer, since it has failed or is asking itself.

    A joining leaf knows no broker behind its parent, and asks the parent anew.

    Source: Algorithm 3, lines 13 to 17; recovering brokers that wait for each other, Section 6.2, may wait for ever
    """
    if peer not in at.recovery.asking:
        return
    if at.is_unannounced:
        ask(at, peer)
    else:
        at.recovery.asking.remove(peer)
        at.recovery.answers.pop(peer, None)
        for broker in beyond(at, peer):
            ask(at, broker)


def ask_nearer(at: Variables, peer: str) -> None:
    """Ask a peer that is operational, instead of the brokers past it."""
    if farther := past(at, peer, at.recovery.asking):
        at.recovery.asking -= farther
        for broker in farther:
            at.recovery.answers.pop(broker, None)
        ask(at, peer)


def take_in(at: Variables, peer: str, rows: tuple[Row, ...]) -> None:
    """Keep a table, or a further portion of one; the links keep the order, and the stamps come after the last."""
    answers = at.recovery.answers
    whole = rows if at.most_rows is None else extended(answers.get(peer, ()), rows)
    answers[peer] = admitted(whole, at.parameters.most_filters)
    if len(answers[peer]) < len(whole):
        at.refuse(Reason.TOO_MANY_FILTERS)


def tree_for(at: Variables, leaf: str) -> tuple[str, ...]:
    """The brokers that a joining leaf is to know, including leaves that are being announced at the same time.

    Source: Algorithm 2, PAR_TOP
    """
    joining = (entry.content.node for entry in at.entries.values() if isinstance(entry.content, Joined))
    names = {*at.known, at.me, *joining} - {leaf}
    return tuple(sorted(name for name in names if distance(name, leaf) <= at.delta + 1))


def rows_for(at: Variables, peer: str) -> tuple[Row, ...]:
    """The table for a recovering broker: all rows that lead away from it, and exact rows of this broker.

    Source: Algorithm 7, line 14; without the exact rows no broker would tell it of a source that is down
    """
    way = towards(at.me, peer)
    rows = (
        row
        for row in at.table.rows()
        if row.source not in (at.me, peer) and (row.via == row.source or towards(at.me, row.source) != way)
    )
    return tuple(sorted((*rows_of_own(at), *rows_seen_from(at, peer, rows)), key=order))


def rows_of_own(at: Variables) -> Iterator[Row]:
    """The own client's filters as rows, for a neighbour or a broker farther away."""
    return (Row(at.me, wanted_filter, at.me) for wanted_filter in wanted(at))


def rows_seen_from(at: Variables, peer: str, rows: Iterable[Row]) -> Iterator[Row]:
    """Rows of this broker with `via` as seen from another one."""
    return (Row(row.source, row.filter, seen_from(peer, row.via, at.delta)) for row in rows)


def learnt(at: Variables) -> dict[tuple[str, Filter], Row]:
    """The rows in the answers to a recovering broker, for each source from the peers with authority on it."""
    rows = {(row.source, row.filter): row for row in at.table.rows()}
    for peer, answered in sorted(at.recovery.answers.items()):
        for row in answered:
            if is_authority(at, peer, row.source):
                rows[row.source, row.filter] = row
    return rows


def is_outdated(at: Variables, sender: str, content: Contents) -> bool:
    """Whether a change contradicts the table of its sender, and has come after that and before the stamps.

    Then it is older than the table; a later change that undid it may have come by another path.
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
            return {row for row in rows if content.replaces(row, at.most_rows)} != {
                Row(source, one_filter, via) for one_filter in filters
            }
    return False


def is_authority(at: Variables, peer: str, source: str) -> bool:
    """Whether a peer's rows of a source count: it is on the path to the source, or no answering peer is.

    Rows from a peer on another side may be older, and already revoked.
    """
    way = path(at.me, source)
    return peer in way or at.recovery.answers.keys().isdisjoint(way)


def stamps_for(at: Variables, peer: str) -> tuple[tuple[str, Stamp], ...]:
    """The recorded stamps of brokers on this side, for a recovering broker; sent after the messages on the way.

    Stamps of brokers on its own side are left out: messages that those send again would be taken for duplicates.
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
    """Tell the client and all peers the status of this broker."""
    at.deliver(deliveries.Status(at.told))
    for peer in sorted(at.links):
        at.send(peer, Status(at.me, at.links[peer].mine, at.told))
