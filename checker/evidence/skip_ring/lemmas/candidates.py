"""Two candidates for the closing edge, as Algorithm 2 is printed and as we do it.

Printed are, for the candidate c: 31: u.ring = the farther of c and u.ring, called w; 32: w' = the rest of c and
u.ring without w; 33: u is sent Introduce(w', LIN); 34: w is sent Introduce(u.ring, LIN). Read line by line, lines 32
and 34 meet the new u.ring.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial
from random import Random
from typing import Any

import z3
from msgspec.structs import replace

from gomboc.checker.evidence.skip_ring.encodings import rules, subscriber
from gomboc.checker.evidence.skip_ring.experiments.printed_ring import telling_of_the_nearer
from gomboc.checker.prove.lemma import Obligation, Sample
from gomboc.checker.prove.wording import Attempt, Proof
from gomboc.spec.core.model import Outcome
from gomboc.spec.protocols.skip_ring import build_list, build_ring, printed, state
from gomboc.spec.protocols.skip_ring.labels import CIRCLE
from gomboc.spec.protocols.skip_ring.state import CYCLE, Introduce, Subscriber

CANDIDATE = subscriber.any_claim("claim")
INPUTS = subscriber.Inputs(claim=CANDIDATE)
U = INPUTS.u


def line_by_line(u: rules.Node, candidate: rules.Claim) -> rules.Result:
    """Lines 31 to 34, each with the values that the lines before it have left. Source: Algorithm 2, lines 31-34."""
    far, _ = rules.farther_first(u, candidate)
    remains = candidate._replace(there=z3.Not(rules.is_same(far, candidate)))
    return _merged(u, far, remains, far)


def chosen_before(u: rules.Node, candidate: rules.Claim) -> rules.Result:
    """Lines 31 to 34, where lines 32 and 34 mean u.ring as it was, and the one that was not kept.

    Source: Algorithm 2, lines 31-34, read with good will
    """
    far, near = rules.farther_first(u, candidate)
    nearer = near._replace(there=z3.Not(rules.is_same(far, near)))
    return _merged(u, far, nearer, nearer)


def _merged(u: rules.Node, far: rules.Claim, remains: rules.Claim, introduced: rules.Claim) -> rules.Result:
    to_me = rules.Sent(remains.there, rules.LIST, u.me, u.label, remains)
    to_far = rules.Sent(introduced.there, rules.LIST, far.node, far.label, introduced)
    return rules.Result(u._replace(ring=far), (to_me, to_far))


def heard(u: Subscriber, me: str, candidate: state.Claim, _ring: state.Claim) -> Outcome:
    """The specification's outcome for a candidate that a third party passes on."""
    return subscriber.received(u, Introduce(candidate, CYCLE), me)


Rule = Callable[[rules.Node, rules.Claim], rules.Result]
Plain = Callable[[Subscriber, str, state.Claim, state.Claim], Outcome]
PRINTED: tuple[Rule, Plain] = line_by_line, printed.keep_farther
MEANT: tuple[Rule, Plain] = chosen_before, telling_of_the_nearer
OURS: tuple[Rule, Plain] = partial(rules.introduce, first_hand=rules.HEARSAY), heard
KEPT: tuple[Rule, Plain] = rules.keep_farther, partial(build_ring.keep_farther, linearize=build_list.linearize)
"""Readings of lines 30 to 34: on terms, and on plain values, to which u.ring is given last."""

AT_ISSUE = (
    CANDIDATE.there,
    U.ring.there,
    (U.ring.label < U.label) == (CANDIDATE.label < U.label),
    CANDIDATE.node != U.me,
    CANDIDATE.node != U.ring.node,
    CANDIDATE.label != U.ring.label,
)
"""Lines 30 to 34 are for a closing edge and a candidate on one side, about two others."""


def _no_node_to_itself(rule: Rule, places: int) -> Iterator[Obligation]:
    for sent in rule(U, CANDIDATE).sends:
        if sent.kind != rules.PROBE:
            others = z3.Implies(sent.when, sent.target != sent.claim.node)
            yield INPUTS.obligation(f"{sent.kind} names another", others, places, *AT_ISSUE)


def _introduced_to_itself(plain: Plain, me: str, u: Subscriber, candidate: state.Claim) -> list[str]:
    sends = plain(u, me, candidate, u.ring or candidate).sends
    claims = ((send.target, getattr(send.message, "claim", None)) for send in sends)
    return [target for target, subject in claims if subject is not None and subject.node == target]


def _no_candidate_lost(rule: Rule, places: int) -> Iterator[Obligation]:
    claims = ("the closing edge is kept", U.ring), ("the candidate is kept", CANDIDATE)
    return INPUTS.kept(rule(U, CANDIDATE), claims, places, *AT_ISSUE)


def _candidates_lost(plain: Plain, me: str, u: Subscriber, candidate: state.Claim) -> list[str]:
    return subscriber.lost(me, (u.ring, candidate), plain(u, me, candidate, u.ring or candidate))


def _never_to_itself(reading: tuple[Rule, Plain], places: int) -> Attempt:
    rule, plain = reading
    return Attempt(partial(_no_node_to_itself, rule, places), INPUTS.replayed(partial(_introduced_to_itself, plain)))


def _both_kept(reading: tuple[Rule, Plain], places: int) -> Attempt:
    rule, plain = reading
    return Attempt(partial(_no_candidate_lost, rule, places), INPUTS.replayed(partial(_candidates_lost, plain)))


READINGS = PRINTED, MEANT, OURS, KEPT


@cache
def _decided() -> Callable[..., Any]:
    return INPUTS.evaluated(*(rule(U, CANDIDATE) for rule, _ in READINGS))


def _candidates_agree(random: Random) -> Sample:
    u, candidate = subscriber.sample(random)
    ring = u.ring or state.Claim(candidate.label, "v4")
    u = replace(u, ring=ring)
    outcomes = (subscriber.specified(plain(u, "v0", candidate, ring)) for _, plain in READINGS)
    return Sample((u, candidate), _decided()(u, candidate), tuple(outcomes))


PROOFS = {
    "printed_merge_introduces_others": Proof(
        (_never_to_itself(PRINTED, subscriber.COARSE), _never_to_itself(OURS, CIRCLE)),
        _candidates_agree,
        (build_ring.keep_farther,),
    ),
    "printed_merge_loses_no_node": Proof(
        (_both_kept(PRINTED, subscriber.COARSE), _both_kept(MEANT, CIRCLE), _both_kept(OURS, CIRCLE)),
        _candidates_agree,
        (build_ring.keep_farther,),
    ),
}
