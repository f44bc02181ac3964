"""Rules as printed, or without an addition of ours; `errata.py` says which rules of ours each replaces."""

from collections.abc import Iterable

from msgspec.structs import replace

from gomboc.spec.core.model import Outcome, Send
from gomboc.spec.protocols.delta_fault_tolerance import forwarding, joining, multicast, recovery
from gomboc.spec.protocols.delta_fault_tolerance.broker import Broker
from gomboc.spec.protocols.delta_fault_tolerance.contents import (
    Content,
    Id,
    Joined,
    Operation,
    Publication,
    Rejoin,
    Row,
    Visited,
)
from gomboc.spec.protocols.delta_fault_tolerance.forwarding import resend
from gomboc.spec.protocols.delta_fault_tolerance.messages import (
    Connect,
    Forward,
    JoinRequest,
    Recover,
    StampsMessage,
    StatusMessage,
    Tree,
)
from gomboc.spec.protocols.delta_fault_tolerance.multicast import issue, with_known
from gomboc.spec.protocols.delta_fault_tolerance.names import Names, distance, lies_on, parent, path, within
from gomboc.spec.protocols.delta_fault_tolerance.recovery import answer
from gomboc.spec.protocols.delta_fault_tolerance.state import Entry, Node
from gomboc.spec.protocols.delta_fault_tolerance.variables import connected, ends, link, send
from gomboc.spec.types.kinds import Crash, Restart


def leads_anywhere(_me: str, _name: str, _hop: str | None) -> bool:
    """Recipients are all brokers that match, also back where a message came from. Source: Section 4.8, RCPT^PUB."""
    return True


def take_copy_once(local: Node, broker: Broker, message: Forward) -> Outcome:
    """A message that comes back to a broker with its entry is a duplicate. Source: Section 4.8, RCPT^PUB."""
    if any(entry.id == message.id for entry in local.entries):
        return multicast.repeated(local, broker, message)
    return multicast.take_copy(local, broker, message)


def avoids_the_sender(me: str, name: str, hop: str | None) -> bool:
    """Recipients are all brokers but those behind the broker that has sent the message.

    Source: Section 4.1, "excluding the sender of m", which is said of traditional systems
    """
    return hop is None or not lies_on(hop, me, name)


def is_newer(local: Node, visited: Visited) -> bool:
    """A message is a duplicate if a stamp of it succeeds the recorded one. Source: Section 5, isDuplicate."""
    seen = dict(local.seen)
    return any(stamp is not None and node in seen and stamp > seen[node] for node, stamp in visited)


def is_nowhere_newer(local: Node, visited: Visited) -> bool:
    """A message is a duplicate if no stamp of it succeeds the recorded one.

    Source: Section 5, "is not a duplicate if and only if m.visited contains pairs that succeed"
    """
    seen = dict(local.seen)
    stamps = [(node, stamp) for node, stamp in visited if stamp is not None]
    return bool(stamps) and all(node in seen and stamp <= seen[node] for node, stamp in stamps)


def seen_from_the_sender(broker: Broker, other: str, via: str) -> str:
    """The index of the broker that a row names is below 0, read as the first broker: the sender of the row.

    Source: Section 4.7, make_copy_send^SUB
    """
    return via if len(path(other, via)) - 1 <= broker.reach else broker.me


def arrive_undelivered(local: Node, broker: Broker, id_: Id, content: Content) -> Outcome:
    """A publication is not delivered before the confirmations are in. Source: Algorithm 1, lines 25 and 26."""
    return Outcome(local) if isinstance(content, Publication) else multicast.arrive(local, broker, id_, content)


def settle_and_deliver(local: Node, broker: Broker, id_: Id) -> Outcome:
    """Deliver a publication for which no confirmation is awaited any more. Source: Algorithm 1, lines 25 and 26."""
    entry = next((pending for pending in local.entries if pending.id == id_), None)
    outcome = multicast.settle(local, broker, id_)
    if entry is None or entry.waiting or not isinstance(entry.content, Publication):
        return outcome
    deliveries = multicast.for_client(local, id_, entry.content.attributes)
    return replace(outcome, delivered=(*deliveries, *outcome.delivered))


def not_widened(_local: Node, _broker: Broker, recipients: Names) -> Names:
    """A broker that is no recipient by the guide never becomes one. Source: Section 6.1."""
    return recipients


def copy_without_guide(local: Node, broker: Broker, entry: Entry, peer: str) -> tuple[Send, ...]:
    """A recovering broker forwards by the part of its table that it has so far: no copy has a guide.

    Source: Algorithm 1
    """
    sent = forwarding.copy(local, broker, entry, peer)
    return tuple(Send(output.target, replace(output.message, guide=None)) for output in sent)


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
    """A recovering broker claims to be operational before REJOIN is confirmed. Source: Algorithm 5, lines 15 to 23."""
    if not isinstance(content, Rejoin):
        return multicast.issue(local, broker, content)
    peers = connected(local)
    statuses = tuple(sent for peer in peers for sent in send(local, broker.me, peer, StatusMessage, "operational"))
    return Outcome(local, statuses).then(multicast.issue, broker, content)


def discard_unguided(local: Node, broker: Broker, message: Forward) -> Outcome:
    """A recovering broker discards copies without a guide. Source: Section 6.1."""
    discarded = local.status == "recovering" and message.guide is None
    return Outcome(local) if discarded else multicast.take_copy(local, broker, message)


def answer_at_once(local: Node, broker: Broker, peer: str) -> Outcome:
    """A broker that is still asking answers a recovering peer from its incomplete table. Source: Section 6.2."""
    return recovery.tell_table(local, broker, peer).then(recovery.tell_stamps, broker, peer)


def remember(local: Node, broker: Broker, peer: str) -> Outcome:
    """A broker that is still asking remembers a recovering peer. If it had asked it too, it asks those beyond it.

    Source: Section 6.2, read so that no broker sends a table that may be incomplete
    """
    kept = local if peer in local.asked else replace(local, asked=(*local.asked, peer))
    return recovery.go_past(kept, broker, peer)


def answer_when_done(local: Node, broker: Broker) -> Outcome:
    """A broker answers each peer that has asked when it is operational; over a closed connection nothing is sent.

    Source: Section 6.2, read so that no broker sends a table that may be incomplete
    """
    outcome = multicast.become_operational(replace(local, asked=()), broker)
    for peer in local.asked:
        outcome = outcome.then(recovery.tell_table, broker, peer).then(recovery.tell_stamps, broker, peer)
    return outcome


def recipients_nearby(local: Node, broker: Broker, content: Content) -> Iterable[str]:
    """REJOIN goes to brokers within delta + 1 of its source only. Source: Section 6, REJOIN."""
    if isinstance(content, Rejoin):
        return (name for name in local.known if distance(name, content.source) <= broker.reach)
    return forwarding.all_recipients(local, broker, content)


def stored_unless_rejoin(local: Node, broker: Broker, operation: Operation) -> Node:
    """REJOIN changes no table. Source: Section 6, REJOIN."""
    return local if isinstance(operation, Rejoin) else multicast.stored(local, broker, operation)


def is_never_exact(_row: Row) -> bool:
    """The answer has no rows of sources on the other side of the recovering broker.

    Source: Algorithm 7, line 14, "d(Z, N) < d(Z, R)"
    """
    return False


def hand_over_addressed(local: Node, broker: Broker, peer: str) -> Outcome:
    """A recovering broker is sent again only messages that wait for itself. Source: Algorithm 7, line 9."""
    return resend(local, broker, peer)


def entrust_nothing(local: Node, _broker: Broker, _peer: str) -> Outcome:
    """Messages that wait for other brokers stay with these. Source: Algorithm 7, line 9."""
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


def tell_no_stamps(local: Node, _broker: Broker, _peer: str) -> Outcome:
    """Do nothing: the stamps have been sent. Source: decided here."""
    return Outcome(local)


def take_no_stamps(local: Node, broker: Broker, message: StampsMessage) -> Outcome:
    """A recovering broker only takes note that the answer is complete.

    Source: Section 6, which hands over tables only
    """
    return recovery.take_stamps(local, broker, replace(message, stamps=()))


def close_nothing(local: Node, _broker: Broker, _peers: Names) -> Outcome:
    """Connections past a broker stay when it is back. Source: Section 6, which says nothing of closing them."""
    return Outcome(local)


def issue_unconfirmed(local: Node, broker: Broker, content: Content) -> Outcome:
    """A broker with all tables is operational at once, without waiting for REJOIN.

    Source: Section 6, without REJOIN
    """
    outcome = multicast.issue(local, broker, content)
    rejoins = isinstance(content, Rejoin) and local.status == "recovering"
    return outcome.then(multicast.become_operational, broker) if rejoins else outcome


def complete_unless_rejoin(local: Node, broker: Broker, entry: Entry) -> Outcome:
    """The confirmation of REJOIN has no effect. Source: Section 6, without REJOIN."""
    is_end = isinstance(entry.content, Rejoin) and ends(entry.content, broker.parameters.most_rows)
    return Outcome(local) if is_end else multicast.completed(local, broker, entry)


def know_alone(local: Node, broker: Broker, leaf: str) -> Outcome:
    """J is of the leaf, and has no recipients as printed: a leaf is on no path to its join point but its own.

    Source: Section 4.6, RCPT^J
    """
    return Outcome(with_known(local, broker, (*local.known, leaf)))


def tell_links(local: Node, broker: Broker, peer: str) -> Outcome:
    """A joining leaf receives the links with both ends within delta of the join point, and knows these ends.

    These are none if delta = 0. Its own link it knows in any case: the recipients of its J are computed with it.

    Source: Algorithm 2, PAR_TOP; Section 4.6, RCPT^J
    """
    me = broker.me
    near = {name for name in (me, *local.known) if distance(name, me) < broker.reach}
    ends = {end for name in near if (above := parent(name)) in near and above for end in (name, above)}
    return Outcome(local, send(local, me, peer, Tree, within(frozenset((me, *ends)), peer, broker.reach)))


def tell_unmarked(local: Node, broker: Broker, peer: str) -> Outcome:
    """A joining leaf is not told of leaves that are still joining.

    Source: Algorithm 7, line 13, read as for Algorithm 2: "unmarked topology links"
    """
    near = within(frozenset((broker.me, *local.known)), peer, broker.reach)
    return Outcome(local, send(local, broker.me, peer, Tree, near))


def stays_at_the_edge(_local: Node, broker: Broker, _content: Content, gone: str) -> bool:
    """J goes past brokers that are away. Source: Algorithm 3, for J as for any message."""
    return distance(broker.me, gone) == broker.reach


def answer_first(local: Node, broker: Broker, message: JoinRequest) -> Outcome:
    """A leaf receives the tree and the table at once, and J is sent after that. Source: Section 4.6, the two phases."""
    peer, connection = message.sender, link(local, message.sender)
    answered = connection is not None and connection.theirs == message.stream
    if local.asking or answered:
        return joining.admit(local, broker, message)
    outcome = answer(with_known(local, broker, (*local.known, peer)), broker, message)
    return outcome if peer in local.known else outcome.then(issue, broker, Joined(peer))
