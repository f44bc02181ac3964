"""Rules of forwarding as printed, or without an addition of ours."""

from msgspec.structs import replace

from gomboc.spec.core.model import Outcome, Send
from gomboc.spec.protocols.delta_fault_tolerance import forwarding, multicast
from gomboc.spec.protocols.delta_fault_tolerance.broker import Broker, Printed
from gomboc.spec.protocols.delta_fault_tolerance.names import Names, lies_on, path
from gomboc.spec.protocols.delta_fault_tolerance.state import Content, Entry, Forward, Id, Node, Publication, Visited


def leads_anywhere(me: str, name: str, hop: str | None) -> bool:
    """Recipients are all brokers that match, also back where a message came from.

    Source: Section 4.8, RCPT^PUB
    """
    del me, name, hop
    return True


def take_copy_once(local: Node, broker: Broker, message: Forward) -> Outcome:
    """A message that comes back to a broker with its entry is a duplicate.

    Source: Section 4.8, RCPT^PUB
    """
    if any(entry.id == message.id for entry in local.entries):
        return multicast.repeated(local, broker, message)
    return multicast.take_copy(local, broker, message)


def avoids_the_sender(me: str, name: str, hop: str | None) -> bool:
    """Recipients are all brokers but those behind the broker that has sent the message.

    Source: Section 4.1, "excluding the sender of m", which is said of traditional systems
    """
    return hop is None or not lies_on(hop, me, name)


def is_newer(local: Node, visited: Visited) -> bool:
    """A message is a duplicate if a stamp of it succeeds the recorded one.

    Source: Section 5, isDuplicate
    """
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
    """A publication is not delivered before the confirmations are in.

    Source: Algorithm 1, lines 25 and 26
    """
    return Outcome(local) if isinstance(content, Publication) else multicast.arrive(local, broker, id_, content)


def settle_and_deliver(local: Node, broker: Broker, id_: Id) -> Outcome:
    """Deliver a publication for which no confirmation is awaited any more.

    Source: Algorithm 1, lines 25 and 26
    """
    entry = next((pending for pending in local.entries if pending.id == id_), None)
    outcome = multicast.settle(local, broker, id_)
    if entry is None or entry.waiting or not isinstance(entry.content, Publication):
        return outcome
    deliveries = multicast.for_client(local, id_, entry.content.attributes)
    return replace(outcome, delivered=(*deliveries, *outcome.delivered))


def not_widened(local: Node, broker: Broker, recipients: Names) -> Names:
    """A broker that is no recipient by the guide never becomes one.

    Source: Section 6.1
    """
    del local, broker
    return recipients


def copy_without_guide(local: Node, broker: Broker, entry: Entry, peer: str) -> tuple[Send, ...]:
    """A recovering broker forwards by the part of its table that it has so far: no copy has a guide.

    Source: Algorithm 1
    """
    sent = forwarding.copy(local, broker, entry, peer)
    return tuple(Send(output.target, replace(output.message, guide=None)) for output in sent)


FORWARDING: tuple[Printed, ...] = (
    Printed(
        "any_direction",
        "Two brokers that both have subscribers wait for each other's confirmation for ever, without any failure.",
        "Section 4.8, RCPT^PUB",
        {forwarding.leads_away: leads_anywhere, multicast.take_copy: take_copy_once},
    ),
    Printed(
        "not_the_sender",
        "What comes past a failed broker goes to that broker's other neighbours, and comes back.",
        "Section 4.1",
        {forwarding.leads_away: avoids_the_sender},
    ),
    Printed(
        "inverted_duplicates",
        "The second message over a link is taken for a duplicate, confirmed and discarded.",
        "Section 5, isDuplicate",
        {forwarding.is_duplicate: is_newer},
    ),
    Printed(
        "all_stamps",
        "A copy that has come through a broker that is back has a new stamp, and is delivered again.",
        "Section 5",
        {forwarding.is_duplicate: is_nowhere_newer},
    ),
    Printed(
        "printed_index",
        "The index is below 0: rows name a broker that is too near, and not the one delta + 1 away.",
        "Section 4.7, make_copy_send",
        {forwarding.seen_from: seen_from_the_sender},
    ),
    Printed(
        "on_confirmation",
        "A publication whose confirmation is late is delivered after the next one.",
        "Algorithm 1, lines 25 and 26",
        {multicast.arrive: arrive_undelivered, multicast.settle: settle_and_deliver},
    ),
    Printed(
        "not_widened",
        "A message ends where a guide ends, and is confirmed.",
        "Section 6.1",
        {forwarding.widened: not_widened},
    ),
    Printed(
        "not_guided",
        "Who recovers forwards to nobody, and confirms.",
        "Algorithm 1",
        {forwarding.copy: copy_without_guide},
    ),
)
