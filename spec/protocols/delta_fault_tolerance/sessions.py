"""Failures and connections: bypassing a failed broker, taking up a connection, and closing bypasses."""

from msgspec.structs import replace

from gomboc.spec.core.model import Outcome, Send
from gomboc.spec.protocols.delta_fault_tolerance.broker import Broker
from gomboc.spec.protocols.delta_fault_tolerance.commands import Unreachable
from gomboc.spec.protocols.delta_fault_tolerance.contents import Status, Visited
from gomboc.spec.protocols.delta_fault_tolerance.forwarding import beyond, copies, entrust, nearest, resend, wide
from gomboc.spec.protocols.delta_fault_tolerance.messages import Close, Connect, Forward, StatusMessage
from gomboc.spec.protocols.delta_fault_tolerance.multicast import settle, stays, take_copy
from gomboc.spec.protocols.delta_fault_tolerance.names import Names, distance, lies_on, path
from gomboc.spec.protocols.delta_fault_tolerance.recovery import (
    ask,
    asked_by,
    asked_instead,
    go_past,
    not_asked,
    try_to_finish,
)
from gomboc.spec.protocols.delta_fault_tolerance.state import Node, is_joining
from gomboc.spec.protocols.delta_fault_tolerance.variables import (
    anew,
    connect,
    connected,
    link,
    may_ask,
    send,
    with_entry,
    with_link,
    without_link,
)
from gomboc.spec.types.kinds import Suspect

# A copy arrives.


def forward(local: Node, broker: Broker, message: Forward) -> Outcome:
    """Take a copy of a multicast message. Its stamps may show that a peer has failed, and a last question with it.

    Such a failure comes first, as if the failure detector had told of it: what the copy says is later than the tables.

    Source: Algorithm 1, lines 1 to 18; Algorithm 5, lines 8 to 22
    """
    parted = part_from_outlived(local, broker, message.visited)
    return parted.then(broker.rule(try_to_finish), broker).then(broker.rule(take_copy), broker, message)


# A failure.


def lose(local: Node, broker: Broker, command: Suspect) -> Outcome:
    """Handle the failure of a peer; a recovering broker may have asked no other peer, and be done.

    Source: Algorithm 3
    """
    return part(local, broker, command.node).then(broker.rule(try_to_finish), broker)


def part(local: Node, broker: Broker, gone: str) -> Outcome:
    """Connect past a failed peer, and send the messages that it has not confirmed to the brokers beyond.

    A joining leaf asks its parent again, unless that has not answered at all: then its question stays open.

    Source: Algorithm 3; joining is decided here
    """
    connection, asked = link(local, gone), gone in local.asking
    if connection is None or (asked and is_joining(local) and connection.theirs is None):
        return Outcome(local)
    local = replace(
        without_link(local, gone),
        asked=tuple(name for name in local.asked if name != gone),
        asking=tuple(name for name in local.asking if name != gone),
        answers=tuple(answer for answer in local.answers if answer[0] != gone or not asked),
    )
    if asked:
        past = ask(local, broker, asked_instead(local, broker.me, gone))
    else:
        past = open_connections(local, broker, beyond(local, broker.me, gone))
    return past.then(bypass, broker, gone)


def part_from_outlived(local: Node, broker: Broker, visited: Visited) -> Outcome:
    """Part from peers that stamped a message in a later incarnation than their stream's: they have failed since.

    A broker that is back asks its neighbours only. It knows nothing of a connection past them, and the failure
    detector's notice may come too late for that connection.

    Source: decided here
    """
    outcome = Outcome(local)
    for peer, stamp in visited:
        connection = link(local, peer)
        if stamp and connection and connection.theirs and connection.theirs[0] < stamp[0]:
            outcome = outcome.then(part, broker, peer)
    return outcome


def open_connections(local: Node, broker: Broker, peers: Names) -> Outcome:
    """Open connections to peers, except where the peer or a broker before it is connected.

    Source: Algorithm 3, lines 7 to 12
    """
    linked = set(connected(local))
    fresh = tuple(peer for peer in peers if not linked & {*path(broker.me, peer)[1:]})
    for peer in fresh:
        local = anew(local, peer, None, None)
    return Outcome(local, tuple(sent for peer in fresh for sent in connect(local, broker.me, peer)))


def bypass(local: Node, broker: Broker, gone: str) -> Outcome:
    """Send the messages that wait for a failed broker to the nearest peers beyond, in the order of arrival.

    Source: Algorithm 3, lines 19 to 27
    """
    outcome = Outcome(local)
    for entry in local.entries:
        if gone in entry.waiting:
            outcome = outcome.then(reroute, broker, gone, entry.id)
    return outcome


def reroute(local: Node, broker: Broker, gone: str, id_: tuple[str, int, int]) -> Outcome:
    """Send one message past a failed broker. If no broker beyond is in reach, it waits, and the client is told.

    Source: Algorithm 3, lines 20 to 25; Decided here: that it waits
    """
    pending = next((candidate for candidate in local.entries if candidate.id == id_), None)
    if pending is None:
        return Outcome(local)
    entry = wide(local, broker, pending)
    behind = tuple(name for name in entry.recipients if lies_on(gone, broker.me, name))
    peers, _ = nearest(local, broker.me, behind)
    lost = gone in behind and broker.rule(stays)(local, broker, entry.content, gone)
    waiting = {*entry.waiting, *peers} - (set() if lost else {gone})
    fresh = tuple(peer for peer in peers if peer not in entry.waiting)
    now = replace(entry, waiting=tuple(sorted(waiting)))
    local = with_entry(local, now)
    unreachable = (Unreachable(id_, gone),) if lost and distance(broker.me, gone) == broker.reach else ()
    return Outcome(local, copies(local, broker, now, fresh), unreachable).then(broker.rule(settle), broker, id_)


# A peer answers.


def take_up(local: Node, broker: Broker, message: Connect) -> Outcome:
    """Take a question for a connection, or the answer to one. A peer that asks is answered, and sent all again.

    An answer to a connection that is over is refused, and `Close` goes back to the peer. A broker that is not near
    cannot connect.

    Source: Algorithm 4; the answer is decided here
    """
    peer, connection = message.sender, link(local, message.sender)
    if not may_ask(local, broker.me, peer):
        return Outcome(local)
    if message.heard is None:
        local = asked_by(local, peer, message.status, message.stream)
        outcome = Outcome(local, connect(local, broker.me, peer)).then(resend, broker, peer)
    elif connection is None:
        return Outcome(local, (Send(peer, Close(broker.me, message.heard)),))
    elif connection.mine != message.heard:
        return Outcome(local)
    else:
        outcome = Outcome(with_link(local, replace(connection, status=message.status, theirs=message.stream)))
    return outcome.then(record_status, broker, peer, message.status)


def hear_status(local: Node, broker: Broker, message: StatusMessage) -> Outcome:
    """Take a peer's status. If it recovers, it has no table to send, and the brokers beyond it are asked.

    Source: Algorithm 7, line 25; Section 6.2
    """
    recorded = record_status(local, broker, message.sender, message.status)
    return recorded.then(go_past, broker, message.sender) if message.status == "recovering" else recorded


def record_status(local: Node, broker: Broker, peer: str, status: Status) -> Outcome:
    """Record a peer's status. If it is operational, close connections past it.

    Source: Algorithm 7, line 25; closing is decided here
    """
    connection = link(local, peer)
    if connection is None:
        return Outcome(local)
    local = with_link(local, replace(connection, status=status))
    if status != "operational":
        return Outcome(local)
    past = tuple(name for name in connected(local) if name != peer and lies_on(peer, broker.me, name))
    return (
        broker.rule(entrust)(local, broker, peer).then(ask_nearer, broker, peer).then(broker.rule(close), broker, past)
    )


def ask_nearer(local: Node, broker: Broker, peer: str) -> Outcome:
    """While recovering, ask a peer that has become operational instead of the brokers past it.

    Source: Algorithm 6; that the nearer one is asked is decided here
    """
    past = {name for name in local.asking if name != peer and lies_on(peer, broker.me, name)}
    if not past:
        return Outcome(local)
    return ask(not_asked(local, past), broker, (peer,))


def close(local: Node, broker: Broker, peers: Names) -> Outcome:
    """Close connections, and tell the peers. Source: Section 4.1, CloseConnection; when is decided here."""
    closings = tuple(sent for peer in peers for sent in send(local, broker.me, peer, Close))
    for peer in peers:
        local = without_link(local, peer)
    return Outcome(local, closings)


def be_closed(local: Node, broker: Broker, message: Close) -> Outcome:
    """Handle a closed connection: a nearer peer gets the messages; if there is none, open the connection again.

    A recovering broker that has asked the peer asks it again. Otherwise it answers with `Close`: the peer may have
    closed an older connection, and still take up this broker's later question.

    Source: Section 4.1, CloseConnection; the rest is decided here
    """
    peer = message.sender
    if peer in local.asking:
        return ask(not_asked(without_link(local, peer), {peer}), broker, (peer,))
    if {*connected(local)} & {*path(broker.me, peer)[:-1]}:
        return broker.rule(close)(local, broker, (peer,)).then(bypass, broker, peer)
    return open_connections(without_link(local, peer), broker, (peer,)).then(resend, broker, peer)
