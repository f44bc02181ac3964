"""Two candidates for the closing edge: readings of Algorithm 2, lines 31 to 34."""

from collections.abc import Callable, Iterator
from itertools import permutations

import msgspec

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.evidence.skip_ring.experiments.printed_ring import with_the_old_ring
from gomboc.spec.core.model import CERTAIN, Outcome, Received
from gomboc.spec.protocols.skip_ring import PROTOCOL, printed
from gomboc.spec.protocols.skip_ring.labels import label_of
from gomboc.spec.protocols.skip_ring.state import CYCLE, Claim, Introduce, Subscriber
from gomboc.spec.protocols.skip_ring.subscriber import references

ME = "u"

LABELS = tuple(label_of(index) for index in range(16))


class Decided(msgspec.Struct, frozen=True):
    """Outcome for two candidates: the nodes that u still refers to or sends to itself, and the introductions."""

    kept: frozenset[str]
    told: frozenset[tuple[str, str]]


def cases() -> Iterator[tuple[str, Claim, Claim]]:
    """Every label of u, with an old and a new candidate on one side of it, of the labels of SR(16)."""
    for own, old, new in permutations(LABELS, 3):
        if (old < own) == (new < own):
            yield own, Claim(old, "old"), Claim(new, "new")


Keep = Callable[[Subscriber, str, Claim, Claim], Outcome]
"""Lines 31 to 34: what a node does with the new candidate, where it has the old one."""


def decided(keep: Keep, own: str, old: Claim, new: Claim) -> Decided:
    """Outcome for two candidates by that reading."""
    outcome = keep(Subscriber(own, ring=old), ME, new, old)
    stored = {claim.node for claim in references(outcome.local)}
    introductions = [(send.target, send.message.claim.node) for send in outcome.sends]
    kept = stored | {node for target, node in introductions if target == ME}
    return Decided(frozenset(kept), frozenset(pair for pair in introductions if pair[0] != ME))


def specified(u: Subscriber, me: str, claim: Claim, ring: Claim) -> Outcome:
    """The whole step by the specification's rules."""
    del ring  # it is u.ring
    return PROTOCOL.actor.react(me, u, Received(Introduce(claim, CYCLE)), CERTAIN[0])


READINGS: dict[str, Keep] = {"printed": printed.keep_farther, "old": with_the_old_ring, "ours": specified}
"""Line by line; with the u.ring from before line 31 in lines 32 and 34; and the specification."""


def candidate_is_lost() -> Evidence:
    """For every two candidates of the labels of SR(16): whether u still knows both."""
    both, all_cases = frozenset(("old", "new")), list(cases())
    lost = {name: sum(decided(keep, *case).kept != both for case in all_cases) for name, keep in READINGS.items()}
    return by_readings((settled(lost["old"] == 0), settled(lost["printed"] == 0)), {"cases": len(all_cases), **lost})


def introduced_to_itself() -> Evidence:
    """For the same candidates: whether a node is introduced to itself."""
    all_cases = list(cases())
    itself = {
        name: sum(any(one == other for one, other in decided(keep, *case).told) for case in all_cases)
        for name, keep in READINGS.items()
    }
    return Evidence(settled(itself["printed"] == 0), {"cases": len(all_cases), **itself})
