"""Legitimacy of publications: all live nodes hold the same ones, and nothing new is in flight."""

from collections.abc import Mapping
from typing import Any

from gomboc.spec.core.model import Fault, InFlight, States
from gomboc.spec.layers.neighbourhood import list_faults
from gomboc.spec.protocols.dissemination.state import Broadcast
from gomboc.spec.publishing.exchange import Publish
from gomboc.spec.publishing.publications import Parameters, Publication, right_set, with_offered

THEOREM = "Feldmann et al., Theorem 17"

Anchor = tuple[Publication, ...]
"""The authority: the publications of the first live node.

All hold the same as that node if and only if no live node lacks a publication that another one holds.
"""


def asleep(local: Any) -> bool:
    """Whether a node is absent: rounds wait neither for it nor for messages to it."""
    return not local.live


def share(local: Any) -> tuple[Publication, ...] | None:
    """The part of a node that the anchor may read: its publications, if it takes part."""
    return local.publications if local.live else None


def anchor(shares: Mapping[str, Any]) -> Anchor:
    """The authority of a system."""
    held = (shares[name] for name in sorted(shares))
    return next((publications for publications in held if publications is not None), ())


def node_faults(anchor: Anchor, me: str, local: Any, parameters: Parameters) -> tuple[Fault, ...]:
    """The faults of the publications and hashes of a live node. Its neighbours belong to the layer below."""
    if not local.live:
        return ()
    wanted, there = set(anchor), set(local.publications)
    conjuncts = (
        ("hashes_are_right", (), local.hashes, "Feldmann et al., Section 4.2, t.hash"),
        (
            "publications_are_valid",
            right_set(local.publications, parameters),
            local.publications,
            "Feldmann et al., Section 4.2, t.label",
        ),
        ("tries_are_equal", tuple(sorted(wanted - there)), tuple(sorted(there - wanted)), THEOREM),
    )
    return tuple(
        Fault(rule, me, expected, actual, source) for rule, expected, actual, source in conjuncts if expected != actual
    )


def message_faults(anchor: Anchor, target: str, message: Any, parameters: Parameters) -> tuple[Fault, ...]:
    """The fault of a message that would bring a new publication. Messages to absent nodes are not judged."""
    news = tuple(sorted(set(with_offered(anchor, offered_by(message), parameters)) - set(anchor)))
    expected = "publications that everybody holds"
    return (Fault("nothing_new_in_flight", target, expected, news, THEOREM),) if news else ()


def offered_by(message: Any) -> tuple[Publication, ...]:
    """The publications that a message carries."""
    match message:
        case Publish(publications):
            return publications
        case Broadcast(publication):
            return (publication,)
    return ()


def premise(states: States, _in_flight: InFlight) -> tuple[Fault, ...]:
    """The premise, which the layer below guarantees in the end: each live node knows the live nodes next to it."""
    live = {name: local.neighbours for name, local in states.items() if local.live}
    return list_faults(live, sorted(live.items()))
