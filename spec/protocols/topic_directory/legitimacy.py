"""Legitimacy of the directory: the node responsible for a topic, and no other, has its least member as the contact."""

from collections.abc import Mapping
from typing import Any

import msgspec

from gomboc.spec.core.model import Fault, InFlight, States
from gomboc.spec.layers.neighbourhood import list_faults
from gomboc.spec.protocols.topic_directory.rules import OURS, key_of, responsible
from gomboc.spec.protocols.topic_directory.state import Affirm, Deny, Entry, Meet


class Anchor(msgspec.Struct, frozen=True):
    """The authority: the nodes of the directory, and the members of each topic, both ascending."""

    live: tuple[str, ...]
    members: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def contact(self, topic: str) -> str | None:
        """The least member of a topic."""
        return dict(self.members).get(topic, (None,))[0]


def share(local: Any) -> tuple[str, ...] | None:
    """The part of a node that the anchor may read: its topics, if it belongs to the directory."""
    return local.topics if local.live else None


def anchor(shares: Mapping[str, Any]) -> Anchor:
    """The authority of a system."""
    topics = {name: topics_of_one for name, topics_of_one in sorted(shares.items()) if topics_of_one is not None}
    every = sorted({topic for topics_of_one in topics.values() for topic in topics_of_one})
    members = (
        (topic, tuple(name for name, topics_of_one in topics.items() if topic in topics_of_one)) for topic in every
    )
    return Anchor(tuple(topics), tuple(members))


def node_faults(anchor: Anchor, me: str, local: Any, expires: int | None = None) -> tuple[Fault, ...]:
    """The faults of the entries of a node, and of the neighbours that it uses for routes.

    An entry beyond half of the age at which it expires is wrong: its contact announces itself in each period, and the
    entry may be gone before the announcement arrives.
    """
    if not local.live:
        return ()
    right = tuple(
        Entry(topic, members[0]) for topic, members in anchor.members if responsible(anchor.live, key_of(topic)) == me
    )
    gone = tuple(name for name in local.neighbours if name not in anchor.live)
    held = tuple(Entry(entry.topic, entry.contact) for entry in local.entries)
    old = () if expires is None else tuple(entry for entry in local.entries if 2 * entry.age > expires)
    contacts = ("entries_are_right", right, held), ("contacts_are_heard", (), old)
    conjuncts = (*contacts, ("neighbours_are_live", (), gone))
    wrong = tuple(Fault(rule, me, expected, actual, OURS) for rule, expected, actual in conjuncts if expected != actual)
    return wrong + list_faults(anchor.live, ((me, local.neighbours),))


def message_faults(anchor: Anchor, target: str, message: Any) -> tuple[Fault, ...]:
    """The faults of a message that could make a right directory wrong, or give a member a wrong contact."""
    if target not in anchor.live:
        return ()
    match message:
        case Affirm(topic, node) if node not in dict(anchor.members).get(topic, ()):
            return (Fault("tracked_nodes_take_part", target, dict(anchor.members).get(topic, ()), node, OURS),)
        case Meet(topic, contact) if target in dict(anchor.members).get(topic, ()) and contact != anchor.contact(topic):
            return (Fault("contact_is_current", target, anchor.contact(topic), contact, OURS),)
        case Deny(topic, node) if node == anchor.contact(topic):
            return (Fault("contact_is_not_denied", target, None, message, OURS),)
    return ()


def premise(states: States, _in_flight: InFlight, most: int | None = None) -> tuple[Fault, ...]:
    """The premise, which the layer below guarantees in the end: each node knows those next to it, and no absent one.

    Applications see to the rest of it: no node takes part in more than `most` topics.
    """
    live = {name: local.neighbours for name, local in sorted(states.items()) if local.live}
    gone = ((name, tuple(node for node in known if node not in live)) for name, known in live.items())
    wrong = tuple(
        Fault("neighbours_are_live", name, (), node, "the promise of the layer below") for name, node in gone if node
    )
    many = tuple(
        Fault("topics_are_few", name, most, len(states[name].topics), OURS)
        for name in live
        if most is not None and len(states[name].topics) > most
    )
    return list_faults(live, live.items()) + wrong + many
