"""Algorithms 1 and 2 as printed, and with one thing changed at a time; they run on a right ring."""

from functools import partial

from msgspec.structs import replace

from gomboc.checker.errata.scene import Stage, delivery, take, timeout
from gomboc.checker.evidence.skip_ring.experiments.ring import right_states
from gomboc.spec.core.model import Outcome, Send
from gomboc.spec.core.protocol import Protocol
from gomboc.spec.protocols.skip_ring import PROTOCOL, printed
from gomboc.spec.protocols.skip_ring.build_list import Rule, with_possible_neighbours
from gomboc.spec.protocols.skip_ring.errata import printed_linearize
from gomboc.spec.protocols.skip_ring.labels import distance
from gomboc.spec.protocols.skip_ring.rules import Rules
from gomboc.spec.protocols.skip_ring.state import LIST, SUPERVISOR, Claim, Flag, Introduce, Subscriber

SIZES = (1, 2, 3, 4, 5, 8, 16)


def ignoring_ones_label(u: Subscriber, me: str, claim: Claim, first_hand: bool = False) -> Outcome:
    """Linearize as printed, but with < instead of <= in line 26: one's own label is stored on neither side."""
    return Outcome(u) if claim.label == u.label else printed.linearize(u, me, claim, first_hand)


def linearizing_nothing(u: Subscriber, me: str, claim: Claim, first_hand: bool = False) -> Outcome:
    """Instead of Linearize: nothing, so that the claim is dropped, and what is around it is seen by itself."""
    del me, claim, first_hand
    return Outcome(u)


def introduce_ignoring_oneself(
    u: Subscriber, me: str, claim: Claim, flag: Flag, first_hand: bool, linearize: Rule
) -> Outcome:
    """Introduce as printed, but for claims about oneself."""
    return Outcome(u) if claim.node == me else printed.introduce(u, me, claim, flag, first_hand, linearize)


def _far_and_near(u: Subscriber, claim: Claim, ring: Claim) -> tuple[Claim, tuple[Claim, ...]]:
    assert u.label is not None, "introduce() has seen to it"
    far, near = (claim, ring) if distance(claim.label, u.label) > distance(ring.label, u.label) else (ring, claim)
    return far, () if near == far else (near,)


def telling_of_the_nearer(u: Subscriber, me: str, claim: Claim, ring: Claim) -> Outcome:
    """Lines 31 to 34 with w' instead of u.ring in line 34, and the old u.ring in line 32."""
    far, nearer = _far_and_near(u, claim, ring)
    sends = (Send(target, Introduce(introduced, LIST)) for introduced in nearer for target in (me, far.node))
    return Outcome(replace(u, ring=far), tuple(sends))


def with_the_old_ring(u: Subscriber, me: str, claim: Claim, ring: Claim) -> Outcome:
    """Lines 31 to 34 in which lines 32 and 34 read the u.ring from before line 31."""
    far, nearer = _far_and_near(u, claim, ring)
    sends = tuple(Send(me, Introduce(other, LIST)) for other in nearer)
    return Outcome(replace(u, ring=far), (*sends, Send(far.node, Introduce(ring, LIST))))


def _protocol(rules: Rules) -> Protocol:
    return PROTOCOL.changed(react=rules.react, errata=())


PRINTED_RING = printed.PRINTED
WHOLLY = _protocol(Rules(linearize=printed.linearize, build_ring=PRINTED_RING))
"""Algorithms 1 and 2 as printed."""

OLD_RING = _protocol(
    Rules(
        linearize=printed.linearize,
        build_ring=replace(PRINTED_RING, introduce=partial(printed.introduce, keep=with_the_old_ring)),
    )
)
"""The same, with the other reading of lines 32 and 34."""

STRICT = _protocol(Rules(linearize=ignoring_ones_label, build_ring=PRINTED_RING))
"""The same, with < instead of <= in line 26 of Algorithm 1."""

REPAIRED = {
    "with a guard against claims about oneself": _protocol(
        Rules(
            linearize=printed_linearize,
            build_ring=replace(PRINTED_RING, introduce=introduce_ignoring_oneself, forget=with_possible_neighbours),
        )
    ),
    "with w' instead of u.ring in line 34": _protocol(
        Rules(
            linearize=printed.linearize,
            build_ring=replace(PRINTED_RING, introduce=partial(printed.introduce, keep=telling_of_the_nearer)),
        )
    ),
    "with < instead of <= in line 26 of Algorithm 1": STRICT,
}
"""The same with one thing repaired."""


def after_timeouts(protocol: Protocol, stage: Stage, deliveries: int) -> Stage:
    """Every node times out, every coin silent; then, so many times, all that is in flight is delivered."""
    for node in sorted(stage.states):
        stage = take(protocol, stage, timeout(node))
    for _ in range(deliveries):
        for node, message in stage.in_flight:
            stage = take(protocol, stage, delivery(node, message))
    return stage


def wrong_in(stage: Stage) -> list[str]:
    """Names of the subscribers with variables other than those of SR(n)."""
    known = right_states(len(stage.states) - 1)
    return [node for node, local in stage.states.items() if node != SUPERVISOR and local != known[node]]
