"""The rules of a node of the directory: route announcements, store entries for its keys, and doubt them."""

from hashlib import sha256
from typing import Any

from msgspec.structs import replace

from gomboc.spec.core.model import Choice, Commanded, Input, Outcome, Received, Send, Timeout
from gomboc.spec.core.protocol import Cited
from gomboc.spec.layers.neighbourhood import Moved, Stayed
from gomboc.spec.protocols.topic_directory.state import (
    BLANK,
    USUAL,
    Affirm,
    Announce,
    Ask,
    Deny,
    Enter,
    Entry,
    Meet,
    Met,
    Node,
    Parameters,
    Retract,
    Say,
)
from gomboc.spec.types.kinds import Crash

OURS = "ours: the contact of a topic is what responsible(hash(topic)) has stored"
LAYERING = "ours: what the layer below tells"


def key_of(topic: str) -> str:
    """The key of a topic: 16 hexadecimal digits, which are ordered among the names as a text."""
    return sha256(topic.encode()).hexdigest()[:16]


def responsible(names: tuple[str, ...], key: str) -> str | None:
    """The node responsible for a key: the greatest name up to it, or the least of all."""
    return max((name for name in names if name <= key), default=min(names, default=None))


def next_hop(me: str, neighbours: tuple[str, ...], key: str) -> str | None:
    """The next node on the route to a key; None if this node is responsible, as far as it can see.

    From below, the greatest neighbour that is not above the key. From above, the least one that is not below it; if
    there is none, the next smaller one, which is responsible.
    """
    if me <= key:
        return max((node for node in neighbours if me < node <= key), default=None)
    above = [node for node in neighbours if key <= node < me]
    return min(above) if above else max((node for node in neighbours if node < me), default=None)


def react(me: str, local: Node, taken: Input, _choice: Choice, parameters: Parameters = USUAL) -> Outcome:
    """The outcome of one step of node `me`. Raises ValueError for an input that has no rule."""
    match taken:
        case Timeout():
            return end_period(local, me, parameters) if local.live else Outcome(local)
        case Received(message):
            return receive(local, me, message, parameters.topics_of_contact)
        case Commanded(command):
            return obey(local, me, command)


def receive(local: Node, me: str, message: Any, most: int | None) -> Outcome:
    """Take a message. A node outside the directory takes part in no topic, and answers so."""
    match message:
        case Say(topic, contact):
            return say(local, me, topic, contact) if local.live else Outcome(local)
        case Meet(topic, contact):
            met = takes_part(local, topic) and contact != me
            return Outcome(local, (), (Met(topic, contact),) if met else ())
        case Ask(topic, asker):
            word = Affirm if takes_part(local, topic) else Deny
            return Outcome(local, (Send(asker, word(topic, me)),))
        case Deny(topic, node):
            return Outcome(without(local, Entry(topic, node)))
        case Affirm(topic, node):
            return affirm(local, me, topic, node, most)
    raise ValueError(f"node {me!r} has no rule for {message!r}")


def takes_part(local: Node, topic: str) -> bool:
    """Whether a node belongs to the directory, and its application takes part in the topic."""
    return local.live and topic in local.topics


def obey(local: Node, me: str, command: Any) -> Outcome:
    """Take a command of the application, or new neighbours from the layer below."""
    match command:
        case Moved(neighbours) | Stayed(neighbours) if me not in neighbours:
            return Outcome(replace(local, neighbours=neighbours))
        case Enter():
            return Outcome(replace(local, live=True))
        case Announce(topic):
            return Outcome(replace(local, topics=tuple(sorted({*local.topics, topic}))))
        case Retract(topic):
            return Outcome(replace(local, topics=tuple(announced for announced in local.topics if announced != topic)))
        case Crash():
            return Outcome(BLANK)
    raise ValueError(f"node {me!r} has no rule for {command!r}")


def end_period(local: Node, me: str, parameters: Parameters) -> Outcome:
    """Announce the node's own topics anew; hand over, or doubt, each entry that was there before.

    If there are more topics than it looks after in a period, these are the next ones, in order.
    """
    due, after = turn(local, parameters.topics_in_period)
    outcome = Outcome(replace(local, after=after))
    for entry in local.entries:
        if entry.topic in due:
            outcome = outcome.then(look_after, me, entry, parameters.expires)
    for topic in local.topics:
        if topic in due:
            outcome = outcome.then(say, me, topic, me)
    return outcome


def turn(local: Node, most: int | None) -> tuple[frozenset[str], str | None]:
    """The topics that a node looks after in this period, at most so many, and where it stops; None at the end."""
    every = sorted({*local.topics, *(entry.topic for entry in local.entries)})
    if most is None:
        return frozenset(every), None
    left = [topic for topic in every if local.after is None or topic > local.after]
    due = left[:most]
    return frozenset(due), due[-1] if len(left) > most else None


def look_after(local: Node, me: str, entry: Entry, expires: int | None) -> Outcome:
    """Route an entry to the responsible node; or ask its contact, in case it takes part no more.

    An entry with a contact that was silent for too long is dropped: there may be no node that could deny it.
    """
    topic, contact = entry.topic, entry.contact
    if next_hop(me, local.neighbours, key_of(topic)) is not None:
        return say(without(local, entry), me, topic, contact)
    if contact != me:
        if expires is not None and entry.age + 1 >= expires:
            return Outcome(without(local, entry))
        local = local if expires is None else with_entry(local, Entry(topic, contact, entry.age + 1))
        return Outcome(local, (Send(contact, Ask(topic, me)),))
    return Outcome(local if topic in local.topics else without(local, entry))


def say(local: Node, me: str, topic: str, contact: str) -> Outcome:
    """Route an announcement; the responsible node asks a contact that is less than its own, and tells others of that.

    What other nodes pass on is hearsay: nothing is stored before the contact has affirmed it.
    """
    following = next_hop(me, local.neighbours, key_of(topic))
    if following is not None:
        return Outcome(local, (Send(following, Say(topic, contact)),))
    known = contact_of(local, topic)
    if contact == me:
        return say_here(local, me, topic, known) if topic in local.topics else Outcome(local)
    if known is None or contact < known:
        question = Ask(topic, me)
        return Outcome(local, (Send(contact, question),))
    return Outcome(local, (Send(contact, Meet(topic, known)),) if known < contact else ())


def say_here(local: Node, me: str, topic: str, known: str | None) -> Outcome:
    """Take in the announcement of the responsible node itself, which need not be asked."""
    if known is None or me <= known:
        return Outcome(with_entry(local, Entry(topic, me)))
    return Outcome(local, (), (Met(topic, known),))


def affirm(local: Node, me: str, topic: str, node: str, most: int | None) -> Outcome:
    """Store a node that says itself that it takes part, if this one is responsible and knows no lesser contact.

    Not if it is the contact of `most` topics already: each costs a question in every period.
    """
    known = contact_of(local, topic)
    is_responsible = local.live and next_hop(me, local.neighbours, key_of(topic)) is None
    others = sum(entry.contact == node for entry in local.entries if entry.topic != topic)
    is_full = most is not None and known != node and others >= most
    if not is_responsible or is_full or (known is not None and known < node):
        return Outcome(local)
    return Outcome(with_entry(local, Entry(topic, node)))


def contact_of(local: Node, topic: str) -> str | None:
    """The contact of a topic in the entries of a node."""
    return next((entry.contact for entry in local.entries if entry.topic == topic), None)


def with_entry(local: Node, entry: Entry) -> Node:
    """The node with that entry for its topic."""
    others = (other for other in local.entries if other.topic != entry.topic)
    return replace(local, entries=tuple(sorted((*others, entry))))


def without(local: Node, entry: Entry) -> Node:
    """The node without that entry, at any age."""
    forgotten = entry.topic, entry.contact
    return replace(local, entries=tuple(other for other in local.entries if (other.topic, other.contact) != forgotten))


BY_TYPE: dict[type, Cited] = {
    Say: Cited("say", OURS),
    Meet: Cited("meet", OURS),
    Ask: Cited("ask", OURS),
    Deny: Cited("deny", OURS),
    Affirm: Cited("affirm", OURS),
    Moved: Cited("moved", LAYERING),
    Stayed: Cited("stayed", LAYERING),
    Enter: Cited("enter", OURS),
    Announce: Cited("announce", OURS),
    Retract: Cited("retract", OURS),
    Crash: Cited("crash", OURS),
}


def rule(local: Any, taken: Input) -> Cited:
    """The rule for an input. Raises KeyError if there is none."""
    match taken:
        case Timeout():
            live = isinstance(local, Node) and local.live
            return Cited("end_period", OURS) if live else Cited("absent_timeout", LAYERING)
        case Received(message):
            return BY_TYPE[type(message)]
        case Commanded(command):
            return BY_TYPE[type(command)]
    raise KeyError(f"there is no rule for {taken!r}")
