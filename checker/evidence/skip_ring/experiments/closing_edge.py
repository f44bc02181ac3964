"""Two candidates for the closing edge: by Algorithm 2 as printed, line by line, and by the specification."""

from collections.abc import Iterator
from itertools import permutations

import msgspec

from gomboc.spec.core.model import CERTAIN, Received
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.labels import distance, label_of
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


def printed(own: str, old: Claim, new: Claim) -> Decided:
    """Lines 31 to 34, one after the other: line 31 has assigned u.ring by the time that line 32 reads it.

    Source: Algorithm 2, lines 30-34
    """
    ring = max(new, old, key=lambda claim: distance(claim.label, own))
    rest = {new, ring} - {ring}
    kept = {ring.node} | {claim.node for claim in rest}
    return Decided(frozenset(kept), frozenset({(ring.node, ring.node)}))


def with_the_old_ring(own: str, old: Claim, new: Claim) -> Decided:
    """Lines 31 to 34, if lines 32 and 34 read the u.ring from before line 31.

    Source: Algorithm 2, lines 30-34
    """
    ring = max(new, old, key=lambda claim: distance(claim.label, own))
    return Decided(frozenset({old.node, new.node}), frozenset({(ring.node, old.node)}))


def specified(own: str, old: Claim, new: Claim) -> Decided:
    """The same by the specification's rule."""
    u = Subscriber(own, ring=old)
    outcome = PROTOCOL.actor.react(ME, u, Received(Introduce(new, CYCLE)), CERTAIN[0])
    introductions = {(send.target, send.message.claim.node) for send in outcome.sends}
    return Decided(frozenset(claim.node for claim in references(outcome.local)), frozenset(introductions))
