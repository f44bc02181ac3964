"""When the directory is right: whoever is responsible for a topic has its least member for the contact, nobody else."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from gomboc.spec.model import Fault, InFlight, States
from gomboc.spec.neighbourhood import Moved, Stayed, list_faults
from gomboc.spec.topic_directory.rules import OURS, key_of, responsible
from gomboc.spec.topic_directory.state import Deny, Entry, Meet, Node, Say


class Anchor(msgspec.Struct, frozen=True):
    """The authority: who belongs to the directory, and who takes part in each topic, both ascending."""

    live: tuple[str, ...]
    members: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def contact(self, topic: str) -> str | None:
        """The least of those who take part in a topic."""
        return dict(self.members).get(topic, (None,))[0]


def share(local: Any) -> tuple[str, ...] | None:
    """What the anchor may see of a node: its topics, if it belongs to the directory."""
    return local.topics if local.live else None


def anchor(shares: Mapping[str, Any]) -> Anchor:
    """The authority of a system."""
    topics = {name: each for name, each in sorted(shares.items()) if each is not None}
    every = sorted({topic for each in topics.values() for topic in each})
    members = ((topic, tuple(name for name, each in topics.items() if topic in each)) for topic in every)
    return Anchor(tuple(topics), tuple(members))


def anchor_faults(anchor: Anchor) -> tuple[Fault, ...]:
    """Whoever takes part in whatever, nothing is wrong with that."""
    del anchor
    return ()


def node_faults(anchor: Anchor, me: str, local: Any, expires: int | None = None) -> tuple[Fault, ...]:
    """What is wrong with the entries of a node, and with the neighbours by which it finds its way.

    An entry beyond half of the age at which it expires is wrong: its contact says in each period that it takes part,
    and before it is heard the entry may be gone.
    """
    if not local.live:
        return ()
    right = tuple(
        Entry(topic, members[0]) for topic, members in anchor.members if responsible(anchor.live, key_of(topic)) == me
    )
    gone = tuple(name for name in local.neighbours if name not in anchor.live)
    held = tuple(Entry(each.topic, each.contact) for each in local.entries)
    old = () if expires is None else tuple(each for each in local.entries if 2 * each.age > expires)
    contacts = ("entries_are_right", right, held), ("contacts_are_heard", (), old)
    found = (*contacts, ("neighbours_are_live", (), gone))
    wrong = tuple(Fault(rule, me, expected, actual, OURS) for rule, expected, actual in found if expected != actual)
    return wrong + list_faults(anchor.live, ((me, local.neighbours),))


def message_faults(anchor: Anchor, target: str, message: Any) -> tuple[Fault, ...]:
    """Whether a message could put a right directory wrong, or anybody on a wrong way."""
    if target not in anchor.live:
        return ()
    match message:
        case Say(topic, contact) if contact not in dict(anchor.members).get(topic, ()):
            return (Fault("who_is_said_takes_part", target, dict(anchor.members).get(topic, ()), contact, OURS),)
        case Meet(topic, contact) if target in dict(anchor.members).get(topic, ()) and contact != anchor.contact(topic):
            return (Fault("contact_is_current", target, anchor.contact(topic), contact, OURS),)
        case Deny(topic, node) if node == anchor.contact(topic):
            return (Fault("contact_is_not_denied", target, None, message, OURS),)
    return ()


def premise(states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """What the layer below promises in the end: each knows those next to it, and nobody who is not there."""
    del in_flight
    live = {name: local.neighbours for name, local in sorted(states.items()) if local.live}
    gone = ((name, tuple(each for each in known if each not in live)) for name, known in live.items())
    wrong = tuple(
        Fault("neighbours_are_live", name, (), each, "the promise of the layer below") for name, each in gone if each
    )
    return list_faults(live, live.items()) + wrong


def malformed(value: Any) -> tuple[Fault, ...]:
    """What does not ascend in a state or command, and ages that are none."""
    return tuple(
        Fault("canonical", "", "ascending, each once", table, "state.py")
        for table in _tables(value)
        if table != sorted(set(table))
    ) + tuple(Fault("canonical", "", "an age of 0 or more", age, "state.py") for age in _ages(value) if age < 0)


def _ages(value: Any) -> tuple[int, ...]:
    return tuple(each.age for each in value.entries) if isinstance(value, Node) else ()


def _tables(value: Any) -> Iterator[list[str]]:
    match value:
        case Node():
            yield from (list(value.neighbours), list(value.topics), [each.topic for each in value.entries])
        case Moved(neighbours) | Stayed(neighbours):
            yield list(neighbours)
