"""Legitimacy of a ring that publishes: the ring is right, and every member holds the same right publications.

The authority for publications is the first recorded member: all members hold its set if and only if no member lacks a
publication that another holds.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from gomboc.spec.core.model import Fault
from gomboc.spec.protocols.skip_ring import legitimacy
from gomboc.spec.protocols.skip_ring.labels import label_of
from gomboc.spec.protocols.skip_ring.legitimacy import Ring, ring_of
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, PublishNew, Subscriber
from gomboc.spec.protocols.skip_ring.supervisor import Database
from gomboc.spec.publishing.exchange import Publish
from gomboc.spec.publishing.publications import Parameters, Publication, is_valid, right_set, top, with_offered


class Anchor(msgspec.Struct, frozen=True):
    """The authority: the supervisor's database, as it stands, and the publications of the first member recorded."""

    database: Database
    publications: tuple[Publication, ...] = ()


def first_member(ring: Ring) -> str | None:
    """The node with the label l(0); None if no node is recorded."""
    return next((node for node, label in ring.labels.items() if label == label_of(0)), None)


def share(local: Any) -> Any:
    """The input of the authority: the supervisor's database, and the publications of the first recorded member."""
    return local.publications if isinstance(local, Subscriber) else legitimacy.share(local)


def anchor(shares: Mapping[str, Any]) -> Anchor:
    """The authority in a system that publishes."""
    database = legitimacy.anchor(shares)
    first = first_member(ring_of(database))
    return Anchor(database, () if first in (None, SUPERVISOR) else shares.get(first, ()))


def anchor_faults(anchor: Anchor) -> tuple[Fault, ...]:
    """Each way in which the database is corrupted. Source: Section 3.1 (i) to (iv)."""
    return legitimacy.anchor_faults(anchor.database)


def node_faults(anchor: Anchor, me: str, local: Any, parameters: Parameters) -> tuple[Fault, ...]:
    """Faults of the variables that differ from the state implied by the database, and of a member's trie.

    Source: Definition 2; Section 3.1; Section 3.3; Theorem 17
    """
    faults = legitimacy.node_faults(anchor.database, me, local)
    if not isinstance(local, Subscriber) or local.crashed or me not in ring_of(anchor.database).labels:
        return faults
    return faults + trie_faults(anchor, me, local, parameters)


def trie_faults(anchor: Anchor, me: str, u: Subscriber, parameters: Parameters) -> tuple[Fault, ...]:
    """Faults of a member's trie: a false hash, a wrong publication, or a difference from the first member's trie.

    Source: Section 4.2; Theorem 17
    """
    kept, held = right_set(u.publications, parameters), set(u.publications)
    differences = (
        ("hashes_are_right", (), u.hashes, "Section 4.2, t.hash"),
        ("publications_are_valid", kept, u.publications, "Section 4.2, t.label"),
        ("tries_are_equal", *_differences(anchor.publications, held), "Theorem 17"),
    )
    return tuple(
        Fault(rule, me, expected, actual, source)
        for rule, expected, actual, source in differences
        if expected != actual
    )


def _differences(expected: Iterable[Publication], held: set[Publication]) -> tuple[Any, Any]:
    """The publications that only the first member holds, and those that only the other member holds."""
    wanted = set(expected)
    return tuple(sorted(wanted - held)), tuple(sorted(held - wanted))


def message_faults(anchor: Anchor, target: str, message: Any, parameters: Parameters) -> tuple[Fault, ...]:
    """Faults of a message that could disturb a right ring, or bring a member a new publication.

    Source: Theorem 13; Theorem 23 (Deviation: messages in flight are part of legitimacy)
    """
    if offered := offered_by(message):
        return _news_faults(anchor, target, offered, parameters)
    return legitimacy.message_faults(anchor.database, target, message)


def _news_faults(
    anchor: Anchor, target: str, offered: tuple[Publication, ...], parameters: Parameters
) -> tuple[Fault, ...]:
    if first_member(ring_of(anchor.database)) is None:
        return ()
    news = _differences(with_offered(anchor.publications, offered, parameters), set(anchor.publications))[0]
    if not news:
        return ()
    expected = "publications that every member holds"
    return (Fault("nothing_new_in_flight", target, expected, news, "Theorem 23, with messages in flight"),)


def held(states: Mapping[str, Any], parameters: Parameters) -> frozenset[Publication]:
    """Every publication that some live subscriber holds, each under its right key.

    None is ever lost, except by a crash, a restart with empty variables, a leaver that forgets, or `keep`.

    Source: Theorem 17, proof
    """
    living = (u for u in states.values() if isinstance(u, Subscriber) and not u.crashed)
    return frozenset(publication for u in living for publication in right_set(u.publications, parameters))


def missing(states: Mapping[str, Any], in_flight: Iterable[tuple[str, Any]], parameters: Parameters) -> int:
    """The number of publications that members lack, in sum, of those that a node holds or that are in flight.

    It rises only by a publication or a join.

    Source: Section 5, the potential (Deviation: over the members, not over the edges of the ring)
    """
    travelling = [item for _, message in in_flight for item in offered_by(message) if is_valid(item, parameters)]
    there = set(top({*held(states, parameters), *travelling}, parameters.keep))
    members = [states[node] for node in ring_of(states[SUPERVISOR].database).labels]
    return sum(len(there - set(right_set(u.publications, parameters))) for u in members)


def offered_by(message: Any) -> tuple[Publication, ...]:
    """The publications that a message carries."""
    match message:
        case Publish(publications):
            return publications
        case PublishNew(_, publication):
            return (publication,)
    return ()
