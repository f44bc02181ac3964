"""Multicast messages: arriving or setting out, storing or delivering, confirming, and the effects of confirmation."""

from msgspec.structs import replace

from gomboc.spec.core.model import Outcome
from gomboc.spec.protocols.delta_fault_tolerance.broker import Broker
from gomboc.spec.protocols.delta_fault_tolerance.commands import (
    Confirmed,
    Delivered,
    Publish,
    Published,
    StatusTold,
    Subscribe,
    Subscribed,
    Unreachable,
    Unsubscribe,
    Unsubscribed,
    Unsubscribing,
)
from gomboc.spec.protocols.delta_fault_tolerance.contents import (
    Content,
    Id,
    Joined,
    Operation,
    Publication,
    Rejoin,
    Subscription,
    Unsubscription,
    Visited,
)
from gomboc.spec.protocols.delta_fault_tolerance.filters import Attributes, Filter, matches
from gomboc.spec.protocols.delta_fault_tolerance.forwarding import (
    copies,
    is_duplicate,
    nearest,
    recipients_of,
    widened,
    with_stamps,
)
from gomboc.spec.protocols.delta_fault_tolerance.messages import Confirm, Forward, StatusMessage
from gomboc.spec.protocols.delta_fault_tolerance.names import Names, distance, parent, within
from gomboc.spec.protocols.delta_fault_tolerance.state import Entry, Node, Own
from gomboc.spec.protocols.delta_fault_tolerance.variables import (
    applied,
    connected,
    ends,
    is_behind,
    send,
    wanted_by,
    with_entry,
    with_own,
    within_bound,
)

# A message arrives, or sets out.


def take_copy(local: Node, broker: Broker, message: Forward) -> Outcome:
    """Handle a multicast message that has arrived; one of its own is none that the broker has not had.

    Source: Algorithm 1, lines 1 to 18
    """
    is_known = message.id[0] == broker.me or any(entry.id == message.id for entry in local.entries)
    if is_known or broker.rule(is_duplicate)(local, message.visited):
        return repeated(local, broker, message)
    local = with_stamps(local, message.visited)
    content, id_ = message.content, message.id
    recipients = recipients_of(local, broker, content, message.sender, message.guide)
    outdated = is_outdated(local, broker, message.sender, content)
    arrived = Outcome(local) if outdated else broker.rule(arrive)(local, broker, id_, content)
    return arrived.then(enter, broker, id_, content, message.visited, (message.sender,), recipients)


def is_outdated(local: Node, broker: Broker, sender: str, content: Content) -> bool:
    """Whether an operation is older than its sender's table: it contradicts it, and came before the stamps.

    A later operation that undid it may have come by another path already, and be a duplicate here.

    Source: decided here
    """
    rows = dict(local.answers).get(sender)
    if rows is None or sender not in local.asking or isinstance(content, Publication | Joined):
        return False
    return applied(rows, content, broker.parameters.most_rows) != rows


def repeated(local: Node, broker: Broker, message: Forward) -> Outcome:
    """Confirm a duplicate together with the first copy, or at once if that has been confirmed.

    Source: Algorithm 1, lines 2 to 8
    """
    pending = next((entry for entry in local.entries if entry.id == message.id), None)
    if pending is None:
        return Outcome(local, send(local, broker.me, message.sender, Confirm, message.id))
    senders = tuple(sorted({*pending.senders, message.sender}))
    return Outcome(with_entry(local, replace(pending, senders=senders)))


def arrive(local: Node, broker: Broker, id_: Id, content: Content) -> Outcome:
    """Deliver a publication, or apply an operation, in the order of arrival.

    Source: Algorithm 1, line 26, and Lemma 3
    """
    match content:
        case Publication(attributes):
            return Outcome(local, (), for_client(local, id_, attributes))
        case Subscription() | Unsubscription() | Rejoin():
            return Outcome(broker.rule(stored)(local, broker, content))
        case Joined(node):
            return Outcome(heard_of(local, broker, node))


def for_client(local: Node, id_: Id, attributes: Attributes) -> tuple[Delivered, ...]:
    """The delivery of a publication to the own client, with the matching filters; none if no filter matches.

    Source: Section 4.8, update_routing_information
    """
    wanted = tuple(own.filter for own in local.own if own.phase != "unsubscribing" and matches(attributes, own.filter))
    return (Delivered(id_, attributes, wanted),) if wanted else ()


def stored(local: Node, broker: Broker, operation: Operation) -> Node:
    """The table after a subscription, its end or a REJOIN; a broker that waits for tables applies it afterwards.

    Source: Section 4.7, update_routing_information, and Section 6.1
    """
    if operation.source == broker.me:
        return local
    if local.status == "recovering" and local.asking:
        return replace(local, later=(*local.later, operation))
    rows = applied(local.rows, operation, broker.parameters.most_rows)
    return replace(local, rows=within_bound(rows, broker.parameters.most_filters))


def heard_of(local: Node, broker: Broker, node: str) -> Node:
    """The state of a broker that hears of a joining leaf; the leaf's parent waits for all brokers nearby.

    Source: Section 4.6, update_routing_information
    """
    if parent(node) == broker.me:
        return local
    return with_known(local, broker, (*local.known, node))


def with_known(local: Node, broker: Broker, names: Names) -> Node:
    """The state in which `known` is the part of these names within delta + 1 links. Source: Section 4.6, Equation 1."""
    return replace(local, known=within(frozenset(names), broker.me, broker.reach))


def enter(
    local: Node, broker: Broker, id_: Id, content: Content, visited: Visited, senders: Names, recipients: Names
) -> Outcome:
    """Record a message as an entry, forward it, and confirm it if no confirmation is awaited.

    Source: Algorithm 1, lines 10 to 18
    """
    local = replace(local, count=local.count + 1)
    stamp = local.incarnation, local.count
    recipients = broker.rule(widened)(local, broker, recipients)
    peers, lost = awaited(local, broker, content, recipients)
    entry = Entry(id_, content, stamp, visited, senders, recipients, tuple(sorted({*peers, *lost})))
    local = replace(local, entries=(*local.entries, entry))
    unreachable = tuple(Unreachable(id_, name) for name in lost if distance(broker.me, name) == broker.reach)
    return Outcome(local, copies(local, broker, entry, peers), unreachable).then(broker.rule(settle), broker, id_)


def awaited(local: Node, broker: Broker, content: Content, recipients: Names) -> tuple[Names, Names]:
    """The peers that have to confirm a message, and the recipients without a peer for which it waits."""
    peers, nobody = nearest(local, broker.me, recipients)
    return peers, tuple(name for name in nobody if broker.rule(stays)(local, broker, content, name))


def stays(local: Node, broker: Broker, content: Content, gone: str) -> bool:
    """Whether a message waits for a recipient that is away: it is at the edge of `known`, or must hear of a leaf.

    A recipient that is not known here is joining itself, and will learn of the leaf with the tree.

    Source: decided here
    """
    return (isinstance(content, Joined) and gone in local.known) or distance(broker.me, gone) == broker.reach


def issue(local: Node, broker: Broker, content: Content) -> Outcome:
    """Send a message of the broker's own. Source: Section 4.1, m_id."""
    id_ = broker.me, local.incarnation, local.count + 1
    recipients = recipients_of(local, broker, content, None, None)
    return broker.rule(arrive)(local, broker, id_, content).then(enter, broker, id_, content, (), (), recipients)


# Confirmations.


def confirm(local: Node, broker: Broker, message: Confirm) -> Outcome:
    """Take a confirmation: a peer, and all recipients behind it, have the message.

    Source: Algorithm 1, lines 19 to 24
    """
    entry = next((pending for pending in local.entries if pending.id == message.id), None)
    if entry is None or message.sender not in entry.waiting:
        return Outcome(local)
    waiting = tuple(name for name in entry.waiting if name != message.sender)
    return broker.rule(settle)(with_entry(local, replace(entry, waiting=waiting)), broker, entry.id)


def settle(local: Node, broker: Broker, id_: Id) -> Outcome:
    """Confirm a message to its senders, or to the own client, once no confirmation is awaited.

    Source: Algorithm 1, lines 27 to 31
    """
    entry = next((pending for pending in local.entries if pending.id == id_), None)
    if entry is None or entry.waiting:
        return Outcome(local)
    local = replace(local, entries=tuple(pending for pending in local.entries if pending.id != id_))
    confirmations = tuple(sent for peer in entry.senders for sent in send(local, broker.me, peer, Confirm, id_))
    outcome = Outcome(local, confirmations)
    return outcome.then(broker.rule(completed), broker, entry) if id_[0] == broker.me else outcome


def completed(local: Node, broker: Broker, entry: Entry) -> Outcome:
    """Act on the confirmation of a message of the broker's own.

    Source: Section 1, "an explicit confirmation mechanism"
    """
    match entry.content:
        case Publication():
            return Outcome(local, (), (Confirmed(entry.id),))
        case Rejoin(_, filters) as part if not ends(part, broker.parameters.most_rows):
            return rejoin(local, broker, filters[-1])
        case Rejoin():
            return broker.rule(become_operational)(local, broker)
        case Joined(node):
            return Outcome(with_known(local, broker, (*local.known, node)))
    return client_is_confirmed(local, entry.id)


def client_is_confirmed(local: Node, id_: Id) -> Outcome:
    """Tell the client that the subscription, or its end, in this message is known everywhere."""
    own = next((subscription for subscription in local.own if subscription.id == id_), None)
    if own is None:
        return Outcome(local)
    if own.phase == "unsubscribing":
        return Outcome(with_own(local, own.filter, None), (), (Unsubscribed(own.filter),))
    now = Own(own.filter, "subscribed", None)
    return Outcome(with_own(local, own.filter, now), (), (Subscribed(own.filter),))


def rejoin(local: Node, broker: Broker, after: Filter | None) -> Outcome:
    """Send REJOIN, or its next part, after that filter; if no broker has to confirm it, no broker needs the rest.

    Source: Algorithm 5, lines 19 to 22; parts are decided here
    """
    filters = tuple(wanted for wanted in wanted_by(local) if is_behind(after, wanted))[: broker.parameters.most_rows]
    part = Rejoin(broker.me, filters, broker.me, after)
    recipients = broker.rule(widened)(local, broker, recipients_of(local, broker, part, None, None))
    is_heard = any(awaited(local, broker, part, recipients))
    return broker.rule(issue)(local, broker, part if is_heard else replace(part, filters=()))


def become_operational(local: Node, broker: Broker) -> Outcome:
    """Become operational once REJOIN is confirmed: tell all peers, and serve the client.

    Source: Algorithm 5, lines 15 to 23
    """
    local = replace(local, status="operational")
    statuses = tuple(
        sent for peer in connected(local) for sent in send(local, broker.me, peer, StatusMessage, "operational")
    )
    outcome = Outcome(local, statuses, (StatusTold("operational"),))
    return outcome.then(say_again, broker)


# Requests of the own client.


def publish(local: Node, broker: Broker, command: Publish) -> Outcome:
    """Send a publication, or queue it until the broker is operational. Source: Section 4.8."""
    if local.status != "operational":
        return Outcome(replace(local, queue=(*local.queue, command.attributes)))
    published = Published((broker.me, local.incarnation, local.count + 1), command.attributes)
    return Outcome(local, (), (published,)).then(broker.rule(issue), broker, Publication(command.attributes))


def subscribe(local: Node, broker: Broker, command: Subscribe) -> Outcome:
    """Tell all brokers of a subscription, unless that has been done, or the client has as many as it may have.

    One that is being ended counts until that is confirmed: until then other brokers may have it in their tables.

    Source: Section 4.7; the bound is decided here
    """
    wanted = command.filter
    own = next((subscription for subscription in local.own if subscription.filter == wanted), None)
    most = broker.parameters.most_filters
    is_full = own is None and most is not None and len(local.own) >= most
    if is_full or (own is not None and own.phase != "unsubscribing"):
        return Outcome(local)
    return say(with_own(local, wanted, Own(wanted, "subscribing", None)), broker, wanted)


def unsubscribe(local: Node, broker: Broker, command: Unsubscribe) -> Outcome:
    """Tell all brokers of the end of a subscription; nothing is delivered for it from now on.

    Source: Section 3.2, "an unsubscription message"; the rest is decided here
    """
    wanted = command.filter
    own = next((subscription for subscription in local.own if subscription.filter == wanted), None)
    if own is None or own.phase == "unsubscribing":
        return Outcome(local)
    ending = Outcome(with_own(local, wanted, Own(wanted, "unsubscribing", None)), (), (Unsubscribing(wanted),))
    return ending.then(say, broker, wanted)


def say(local: Node, broker: Broker, wanted: Filter) -> Outcome:
    """Tell all brokers of the own client's new subscription, or its end, if the broker is operational.

    Source: Section 4.7
    """
    own = next((subscription for subscription in local.own if subscription.filter == wanted), None)
    if own is None or own.phase == "subscribed" or local.status != "operational":
        return Outcome(local)
    id_ = broker.me, local.incarnation, local.count + 1
    local = with_own(local, wanted, Own(wanted, own.phase, id_))
    is_new = own.phase == "subscribing"
    message = Subscription(broker.me, wanted, broker.me) if is_new else Unsubscription(broker.me, wanted)
    return broker.rule(issue)(local, broker, message)


def say_again(local: Node, broker: Broker) -> Outcome:
    """Send the own client's requests that wait or, from before a crash, are not confirmed. Source: decided here."""
    outcome, queue = Outcome(replace(local, queue=())), local.queue
    for own in local.own:
        outcome = outcome.then(say, broker, own.filter)
    for attributes in queue:
        outcome = outcome.then(publish, broker, Publish(attributes))
    return outcome
