"""A crash and the recovery from it: the questions of the recovering broker, and the answers of its peers.

Source: Algorithms 5 to 7
"""

from collections.abc import Iterator

from msgspec.structs import replace

from gomboc.spec.core.model import Outcome
from gomboc.spec.protocols.delta_fault_tolerance.broker import Broker
from gomboc.spec.protocols.delta_fault_tolerance.commands import StatusTold
from gomboc.spec.protocols.delta_fault_tolerance.contents import Joined, Rejoin, Row, Rows, Stamp, Stamps, Status
from gomboc.spec.protocols.delta_fault_tolerance.filters import text
from gomboc.spec.protocols.delta_fault_tolerance.forwarding import (
    beyond,
    copy,
    entrust_one,
    leads_away,
    resend,
    seen_from,
    wide,
    with_stamps,
)
from gomboc.spec.protocols.delta_fault_tolerance.messages import (
    JoinRequest,
    Recover,
    StampsMessage,
    StatusMessage,
    Table,
    Tree,
)
from gomboc.spec.protocols.delta_fault_tolerance.multicast import rejoin
from gomboc.spec.protocols.delta_fault_tolerance.names import Names, distance, lies_on, parent, path, within
from gomboc.spec.protocols.delta_fault_tolerance.state import Entry, Node, Own, is_joining
from gomboc.spec.protocols.delta_fault_tolerance.variables import (
    anew,
    applied,
    connect,
    gone_on,
    in_order,
    in_parts,
    link,
    may_ask,
    recover,
    send,
    wanted_by,
    with_entry,
    with_link,
    within_bound,
    without_sender,
)
from gomboc.spec.types.kinds import Crash, Restart

# The broker that recovers.


def crash(local: Node, _broker: Broker, _command: Crash) -> Outcome:
    """Lose everything but the incarnation, the tree nearby, and the own client's subscriptions.

    Source: Section 4.1, "all the data internal to the node's process"
    """
    if local.status == "failed":
        return Outcome(local)
    own = tuple(Own(subscription.filter, subscription.phase, None) for subscription in local.own)
    failed = Node("failed", local.incarnation, local.known, own=own)
    return Outcome(failed, (), (StatusTold("failed"),))


def restart(local: Node, broker: Broker, _command: Restart) -> Outcome:
    """Begin to recover: ask the neighbours. Source: Algorithm 5, lines 1 to 7."""
    if local.status != "failed":
        return Outcome(local)
    local = replace(local, status="recovering", incarnation=local.incarnation + 1)
    asked = ask(local, broker, neighbours(local, broker.me))
    return replace(asked, delivered=(StatusTold("recovering"),)).then(broker.rule(try_to_finish), broker)


def neighbours(local: Node, me: str) -> Names:
    """The neighbours; for a broker that has not received the tree, its parent. Source: Section 4.4; Algorithm 2."""
    above = parent(me)
    return (above,) if above and not local.known else within(local.known, me, 1)


def ask(local: Node, broker: Broker, peers: Names) -> Outcome:
    """Ask peers for their tables, unless they have been asked; each connection begins anew, without an older answer.

    Source: Algorithm 6, lines 2 to 8
    """
    fresh = tuple(peer for peer in peers if peer not in local.asking)
    local = not_asked(local, {*fresh})
    for peer in fresh:
        local = anew(local, peer, None, None)
    local = replace(local, asking=tuple(sorted({*local.asking, *fresh})))
    outcome = Outcome(local, tuple(sent for peer in fresh for sent in recover(local, broker.me, peer)))
    for peer in fresh:
        outcome = outcome.then(resend, broker, peer)
    return outcome


def not_asked(local: Node, peers: set[str]) -> Node:
    """The state without the questions to these peers and without their answers."""
    asking = tuple(name for name in local.asking if name not in peers)
    answers = tuple(answer for answer in local.answers if answer[0] not in peers)
    return replace(local, asking=asking, answers=answers)


def go_past(local: Node, broker: Broker, peer: str) -> Outcome:
    """Ask the brokers beyond a peer that is still asking itself.

    Source: Section 6.2, "we must either arrive at an OPERATIONAL synchronization point"
    """
    if peer not in local.asking:
        return Outcome(local)
    local = not_asked(local, {peer})
    return ask(local, broker, asked_instead(local, broker.me, peer)).then(broker.rule(try_to_finish), broker)


def asked_instead(local: Node, me: str, peer: str) -> Names:
    """The brokers to ask in place of a peer: those beyond it; for a joining broker, its parent again.

    Source: Algorithm 6; joining is decided here
    """
    return (peer,) if is_joining(local) else beyond(local, me, peer)


# Taking answers.


def take_table(local: Node, broker: Broker, message: Table) -> Outcome:
    """Store the rows of a peer that was asked, or a further part of them. Source: Algorithm 6, lines 11 to 14."""
    if message.sender not in local.asking:
        return Outcome(local)
    held = () if broker.parameters.most_rows is None else dict(local.answers).get(message.sender, ())
    rows = within_bound(gone_on(held, message.rows), broker.parameters.most_filters)
    return Outcome(with_answer(local, message.sender, rows))


def with_answer(local: Node, peer: str, rows: Rows) -> Node:
    """The state with these rows as the answer of a peer."""
    others = [answer for answer in local.answers if answer[0] != peer]
    return replace(local, answers=tuple(sorted([*others, (peer, rows)])))


def take_stamps(local: Node, broker: Broker, message: StampsMessage) -> Outcome:
    """Take the stamps of a peer that was asked: the last part of its answer. Source: Algorithm 6, line 15."""
    if message.sender not in local.asking:
        return Outcome(local)
    asking = tuple(name for name in local.asking if name != message.sender)
    local = with_stamps(replace(local, asking=asking), message.stamps)
    return broker.rule(try_to_finish)(local, broker)


def try_to_finish(local: Node, broker: Broker) -> Outcome:
    """Once no question is open, put the table together and send REJOIN. Source: Algorithm 5, lines 8 to 22."""
    rejoining = any(_is_rejoining(broker.me, entry) for entry in local.entries)
    if local.status != "recovering" or local.asking or rejoining:
        return Outcome(local)
    most, most_rows = broker.parameters.most_filters, broker.parameters.most_rows
    rows = within_bound(united(local, broker.me), most)
    for operation in local.later:
        rows = within_bound(applied(rows, operation, most_rows), most)
    local = replace(local, rows=rows, answers=(), later=())
    return rejoin(local, broker, None)


def united(local: Node, me: str) -> Rows:
    """The rows of all answers: for each source, those of peers on the path to it, if any such peer answered.

    Source: Algorithm 6, line 14; the choice among answers is decided here
    """
    answers = dict(local.answers)
    merged: dict[tuple[str, bytes], Row] = {}
    for peer, rows in answers.items():
        for row in rows:
            way = {*path(me, row.source)} & {*answers}
            if peer in way or not way:
                merged[row.source, text(row.filter)] = row
    return in_order(merged.values())


def _is_rejoining(me: str, entry: Entry) -> bool:
    """Whether an entry is the broker's own REJOIN."""
    return isinstance(entry.content, Rejoin) and entry.id[0] == me


# The brokers that it asks.


def answer(local: Node, broker: Broker, message: Recover | JoinRequest) -> Outcome:
    """Answer a recovering peer with the own status, the table, messages on the way to it or past it, and stamps.

    A broker that is still asking has no table to send. A joining leaf gets the tree first. A broker that is not near
    is not answered.

    Source: Algorithm 7; the test for having a table is decided here
    """
    peer = message.sender
    if isinstance(message, Recover) and not may_ask(local, broker.me, peer):
        return Outcome(local)
    local = asked_by(without_sender(local, peer), peer, "recovering", message.stream)
    outcome = Outcome(local, connect(local, broker.me, peer))
    if local.asking:
        return outcome.then(broker.rule(hand_over), broker, peer).then(broker.rule(decline), broker, peer)
    if isinstance(message, JoinRequest):
        outcome = outcome.then(broker.rule(tell_tree), broker, peer)
    answered = outcome.then(broker.rule(tell_table), broker, peer).then(broker.rule(hand_over), broker, peer)
    return answered.then(broker.rule(tell_stamps), broker, peer)


def tell_tree(local: Node, broker: Broker, peer: str) -> Outcome:
    """Send a leaf the brokers within delta + 1 of it, with the leaves that are joining here: nodes, not links.

    The message J of another joining leaf may be on its way already, and pass this one.

    Source: Algorithm 2, PAR_TOP; Lemma 6
    """
    marked = (entry.content.node for entry in local.entries if isinstance(entry.content, Joined))
    near = within(frozenset((broker.me, *local.known, *marked)), peer, broker.reach)
    return Outcome(local, send(local, broker.me, peer, Tree, near))


def asked_by(local: Node, peer: str, status: Status, stream: Stamp) -> Node:
    """The state after a peer's question is heard: in a new stream, unless the broker's own question is not answered.

    Two questions that cross are answered in the stream of the other one: both peers would refuse new streams.

    Source: decided here
    """
    connection = link(local, peer)
    if connection is None or connection.theirs is not None:
        return anew(local, peer, status, stream)
    return with_link(local, replace(connection, status=status, theirs=stream))


def decline(local: Node, broker: Broker, peer: str) -> Outcome:
    """While still asking, tell the peer that this broker recovers, so that neither waits for the other.

    Source: decided here
    """
    return Outcome(local, send(local, broker.me, peer, StatusMessage, local.status)).then(go_past, broker, peer)


def hand_over(local: Node, broker: Broker, peer: str) -> Outcome:
    """Send a recovering peer every message that waits for it, or for brokers past it, and wait for it instead.

    Before stamps are sent, it also gets messages that wait for a broker between: later they would be duplicates.

    Source: Algorithm 7, lines 8 to 11 and 21 to 23
    """
    outcome = Outcome(local)
    for entry in local.entries:
        past = {name for name in entry.waiting if lies_on(peer, broker.me, name)}
        before = {name for name in entry.waiting if name != peer and lies_on(name, broker.me, peer)}
        if past:
            outcome = outcome.then(entrust_one, broker, entry, peer, past)
        elif before and not local.asking and any(lies_on(peer, broker.me, name) for name in entry.recipients):
            outcome = outcome.then(copy_one, broker, entry, peer)
    return outcome


def copy_one(local: Node, broker: Broker, entry: Entry, peer: str) -> Outcome:
    """Send a further copy of a message, without waiting for its confirmation."""
    now = wide(local, broker, entry)
    return Outcome(with_entry(local, now), broker.rule(copy)(local, broker, now, peer))


def tell_table(local: Node, broker: Broker, peer: str) -> Outcome:
    """Send a recovering broker the rows of sources on this side of it, and those exactly known here.

    Source: Algorithm 7, line 14
    """
    parts = in_parts(in_order(rows_for(local, broker, peer)), broker.parameters.most_rows)
    return Outcome(local, tuple(sent for rows in parts for sent in send(local, broker.me, peer, Table, rows)))


def rows_for(local: Node, broker: Broker, peer: str) -> Iterator[Row]:
    """The rows for a recovering peer, with `via` as seen from it."""
    yield from side_for(local, broker, peer)
    for row in local.rows:
        behind = row.source not in (broker.me, peer) and not broker.rule(leads_away)(broker.me, row.source, peer)
        if behind and broker.rule(is_exact)(row):
            yield Row(row.source, row.filter, broker.rule(seen_from)(broker, peer, row.via))


def side_for(local: Node, broker: Broker, peer: str) -> Iterator[Row]:
    """The rows that a peer should have of the sources on this side of it. Source: Algorithm 7, line 14."""
    yield from (Row(broker.me, wanted, broker.me) for wanted in wanted_by(local))
    for row in local.rows:
        if row.source != broker.me and broker.rule(leads_away)(broker.me, row.source, peer):
            yield Row(row.source, row.filter, broker.rule(seen_from)(broker, peer, row.via))


def is_exact(row: Row) -> bool:
    """Whether a row names its source itself as `via`, so that the source's position is known. Source: decided here."""
    return row.via == row.source


def tell_stamps(local: Node, broker: Broker, peer: str) -> Outcome:
    """Send the recorded stamps of brokers on this side, last on the link: earlier messages are no duplicates then.

    Source: decided here
    """
    recorded = [pair for pair in local.seen if broker.rule(leads_away)(broker.me, pair[0], peer)]
    mine = [(broker.me, (local.incarnation, local.count))] if local.count else []
    near: Stamps = tuple(sorted(pair for pair in (*recorded, *mine) if distance(pair[0], peer) <= broker.reach))
    return Outcome(local, send(local, broker.me, peer, StampsMessage, near))
