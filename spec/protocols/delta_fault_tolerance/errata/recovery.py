"""Rules of recovery as printed, or without an addition of ours."""

from collections.abc import Iterable

from msgspec.structs import replace

from gomboc.spec.core.model import Outcome, Send
from gomboc.spec.protocols.delta_fault_tolerance import forwarding, multicast, recovery, sessions
from gomboc.spec.protocols.delta_fault_tolerance.broker import Broker, Printed, Replaced
from gomboc.spec.protocols.delta_fault_tolerance.forwarding import resend
from gomboc.spec.protocols.delta_fault_tolerance.links import connected, link, send
from gomboc.spec.protocols.delta_fault_tolerance.names import Names, distance
from gomboc.spec.protocols.delta_fault_tolerance.state import (
    Connect,
    Content,
    Crash,
    Entry,
    Forward,
    JoinRequest,
    Node,
    Operation,
    Recover,
    Rejoin,
    Restart,
    Row,
    StampsMessage,
    StatusMessage,
)


def answer_recovering(local: Node, broker: Broker, message: Recover | JoinRequest) -> Outcome:
    """The answer has the recorded status of the asking broker, not the answering broker's own.

    Source: Algorithm 7, line 18
    """
    outcome = recovery.answer(local, broker, message)
    return replace(outcome, sends=tuple(map(_recovering, outcome.sends)))


def _recovering(sent: Send) -> Send:
    message = sent.message
    return Send(sent.target, replace(message, status="recovering")) if isinstance(message, Connect) else sent


def issue_as_operational(local: Node, broker: Broker, content: Content) -> Outcome:
    """A recovering broker claims to be operational before REJOIN is confirmed.

    Source: Algorithm 5, lines 15 to 23
    """
    if not isinstance(content, Rejoin):
        return multicast.issue(local, broker, content)
    peers = connected(local)
    statuses = tuple(sent for peer in peers for sent in send(local, broker.me, peer, StatusMessage, "operational"))
    return Outcome(local, statuses).then(multicast.issue, broker, content)


def discard_unguided(local: Node, broker: Broker, message: Forward) -> Outcome:
    """A recovering broker discards copies without a guide.

    Source: Section 6.1
    """
    discarded = local.status == "recovering" and message.guide is None
    return Outcome(local) if discarded else multicast.take_copy(local, broker, message)


def answer_at_once(local: Node, broker: Broker, peer: str) -> Outcome:
    """A broker that is still asking answers a recovering peer from its incomplete table.

    Source: Section 6.2
    """
    return recovery.tell_table(local, broker, peer).then(recovery.tell_stamps, broker, peer)


def remember(local: Node, broker: Broker, peer: str) -> Outcome:
    """A broker that is still asking remembers a recovering peer. If it had asked it too, it asks those beyond it.

    Source: Section 6.2, read so that no broker sends a table that may be incomplete
    """
    kept = local if peer in local.asked else replace(local, asked=(*local.asked, peer))
    return recovery.go_past(kept, broker, peer)


def answer_when_done(local: Node, broker: Broker) -> Outcome:
    """A broker answers each peer that has asked when it is operational, unless the connection is closed by now.

    Source: Section 6.2, read so that no broker sends a table that may be incomplete
    """
    outcome = multicast.become_operational(replace(local, asked=()), broker)
    for peer in (name for name in local.asked if link(outcome.local, name) is not None):
        outcome = outcome.then(recovery.tell_table, broker, peer).then(recovery.tell_stamps, broker, peer)
    return outcome


def recipients_nearby(local: Node, broker: Broker, content: Content) -> Iterable[str]:
    """REJOIN goes to brokers within delta + 1 of its source only.

    Source: Section 6, REJOIN
    """
    if isinstance(content, Rejoin):
        return (name for name in local.known if distance(name, content.source) <= broker.reach)
    return forwarding.all_recipients(local, broker, content)


def stored_unless_rejoin(local: Node, broker: Broker, operation: Operation) -> Node:
    """REJOIN changes no table.

    Source: Section 6, REJOIN
    """
    return local if isinstance(operation, Rejoin) else multicast.stored(local, broker, operation)


def is_never_exact(row: Row) -> bool:
    """The answer has no rows of sources on the other side of the recovering broker.

    Source: Algorithm 7, line 14, "d(Z, N) < d(Z, R)"
    """
    del row
    return False


def hand_over_addressed(local: Node, broker: Broker, peer: str) -> Outcome:
    """A recovering broker is sent again only messages that wait for itself.

    Source: Algorithm 7, line 9
    """
    return resend(local, broker, peer)


def entrust_nothing(local: Node, broker: Broker, peer: str) -> Outcome:
    """Messages that wait for other brokers stay with these.

    Source: Algorithm 7, line 9
    """
    del broker, peer
    return Outcome(local)


def restart_from_zero(local: Node, broker: Broker, command: Restart) -> Outcome:
    """A broker that comes back counts from 0 again: the incarnation is lost too.

    Source: Section 4.1, "all the data internal to the node's process"
    """
    return recovery.restart(replace(local, incarnation=-1) if local.status == "failed" else local, broker, command)


def forget_the_client(local: Node, broker: Broker, command: Crash) -> Outcome:
    """A broker that fails forgets its own client's subscriptions.

    Source: Section 4.1, "all the data internal to the node's process"
    """
    outcome = recovery.crash(local, broker, command)
    return replace(outcome, local=replace(outcome.local, own=())) if outcome.delivered else outcome


def tell_table_and_stamps(local: Node, broker: Broker, peer: str) -> Outcome:
    """Stamps are sent right after the table, before the messages on the way; the answer ends with them.

    Source: decided here
    """
    return recovery.tell_table(local, broker, peer).then(recovery.tell_stamps, broker, peer)


def tell_no_stamps(local: Node, broker: Broker, peer: str) -> Outcome:
    """Do nothing: the stamps have been sent.

    Source: decided here
    """
    del broker, peer
    return Outcome(local)


def take_no_stamps(local: Node, broker: Broker, message: StampsMessage) -> Outcome:
    """A recovering broker only takes note that the answer is complete.

    Source: Section 6, which hands over tables only
    """
    return recovery.take_stamps(local, broker, replace(message, stamps=()))


def close_nothing(local: Node, broker: Broker, peers: Names) -> Outcome:
    """Connections past a broker stay when it is back.

    Source: Section 6, which says nothing of closing them
    """
    del broker, peers
    return Outcome(local)


def issue_unconfirmed(local: Node, broker: Broker, content: Content) -> Outcome:
    """A broker with all tables is operational at once, without waiting for REJOIN.

    Source: Section 6, without REJOIN
    """
    outcome = multicast.issue(local, broker, content)
    return outcome.then(multicast.become_operational, broker) if isinstance(content, Rejoin) else outcome


def complete_unless_rejoin(local: Node, broker: Broker, entry: Entry) -> Outcome:
    """The confirmation of REJOIN has no effect.

    Source: Section 6, without REJOIN
    """
    return Outcome(local) if isinstance(entry.content, Rejoin) else multicast.completed(local, broker, entry)


SILENT: Replaced = {forwarding.all_recipients: recipients_nearby, multicast.stored: stored_unless_rejoin}
"""REJOIN goes to brokers nearby only, and has no effect on tables."""

RECOVERY: tuple[Printed, ...] = (
    Printed(
        "status_of_the_other",
        "Who is asked seems to recover itself, for ever.",
        "Algorithm 7, line 18",
        {recovery.answer: answer_recovering},
    ),
    Printed(
        "discarding",
        "What is sent without a guide before REJOIN is confirmed is discarded, and never confirmed.",
        "Algorithm 5, lines 15 to 23, and Section 6.1",
        {multicast.issue: issue_as_operational, multicast.take_copy: discard_unguided},
    ),
    Printed(
        "answers_at_once",
        "Who recovers takes over a table that is not complete, or waits for what was never sent.",
        "Section 6.2",
        {recovery.decline: answer_at_once},
    ),
    Printed(
        "answers_when_done",
        "Three brokers in a row that recover wait for each other for ever.",
        "Section 6.2",
        {recovery.decline: remember, multicast.become_operational: answer_when_done},
    ),
    Printed(
        "one_sided",
        "Nobody tells the row of a broker that is away as well.",
        "Algorithm 7, line 14",
        {**SILENT, recovery.is_exact: is_never_exact},
    ),
    Printed(
        "addressed_only",
        "What waits for brokers past one that recovers goes on waiting where the connection is closed.",
        "Algorithm 7, line 9",
        {recovery.hand_over: hand_over_addressed, forwarding.entrust: entrust_nothing},
    ),
    Printed(
        "counts_from_zero",
        "What a broker sends after it is back is taken for a duplicate.",
        "Section 4.1",
        {recovery.restart: restart_from_zero},
    ),
    Printed(
        "forgets_its_client",
        "The others go on sending to a client that has forgotten its subscription.",
        "Section 4.1",
        {recovery.crash: forget_the_client},
    ),
    Printed(
        "stamps_first",
        "What was on the way is taken for a duplicate of itself.",
        "decided here",
        {recovery.tell_table: tell_table_and_stamps, recovery.tell_stamps: tell_no_stamps},
    ),
    Printed("no_stamps", "", "Section 6", {recovery.take_stamps: take_no_stamps}),
    Printed("never_closed", "Connections past a broker stay for ever.", "Section 6", {sessions.close: close_nothing}),
    Printed(
        "no_rejoin",
        "What is published to a broker that is back, by who has not heard its REJOIN, is confirmed and lost.",
        "Section 6",
        {multicast.issue: issue_unconfirmed, multicast.completed: complete_unless_rejoin},
    ),
    Printed(
        "silent_rejoin",
        "What goes past a broker that is back is lost for it if its source fails before it hears of that.",
        "Section 6, REJOIN",
        SILENT,
    ),
)
