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

from gomboc.checker.evidence.skip_ring.encodings.rules import (
    LIST,
    PROBE,
    Claim,
    Node,
    Result,
    Sent,
    farther_first,
    introduce,
    is_known,
    is_same,
    keep_farther,
)
from gomboc.checker.evidence.skip_ring.encodings.subscriber import (
    COARSE,
    any_claim,
    any_node,
    claim,
    claim_in,
    evaluated,
    known,
    labels_in,
    others_only,
    received,
    sample,
    specified,
    subscriber,
    subscriber_in,
)
from gomboc.checker.prove.lemma import Lemma, Model, Obligation, Replayed, Sample, Statement, Values
from gomboc.spec.core.model import Outcome, Send
from gomboc.spec.protocols.skip_ring import build_list, build_ring, state
from gomboc.spec.protocols.skip_ring.labels import CIRCLE, distance
from gomboc.spec.protocols.skip_ring.state import CYCLE, Introduce, Subscriber

U, CANDIDATE = any_node(), any_claim("claim")
Rule = Callable[[Node, Claim], Result]
Plain = Callable[[Subscriber, str, state.Claim], Outcome]


def line_by_line(u: Node, candidate: Claim) -> Result:
    """Lines 31 to 34, each with the values that the lines before it have left.

    Source: Algorithm 2, lines 31-34
    """
    far, _ = farther_first(u, candidate)
    remains = candidate._replace(there=z3.Not(is_same(far, candidate)))
    return _merged(u, far, remains, far)


def chosen_before(u: Node, candidate: Claim) -> Result:
    """Lines 31 to 34, where lines 32 and 34 mean u.ring as it was, and the one that was not kept.

    Source: Algorithm 2, lines 31-34, read with good will
    """
    far, near = farther_first(u, candidate)
    return _merged(u, far, near, near)


def _merged(u: Node, far: Claim, remains: Claim, introduced: Claim) -> Result:
    to_me = Sent(remains.there, LIST, u.me, u.label, remains)
    to_far = Sent(z3.BoolVal(True), LIST, far.node, far.label, introduced)
    return Result(u._replace(ring=far), (to_me, to_far))


def printed(u: Subscriber, me: str, candidate: state.Claim) -> Outcome:
    """`line_by_line` on plain values."""
    assert u.label is not None
    assert u.ring is not None
    far = _farther(u, candidate)
    after = replace(u, ring=far)
    remains = {candidate, after.ring} - {far}
    sends = [Send(me, Introduce(claim, "LIN")) for claim in remains if claim is not None]
    return Outcome(after, (*sends, Send(far.node, Introduce(far, "LIN"))))


def meant(u: Subscriber, me: str, candidate: state.Claim) -> Outcome:
    """`chosen_before` on plain values."""
    assert u.ring is not None
    far = _farther(u, candidate)
    near = u.ring if far is candidate else candidate
    return Outcome(replace(u, ring=far), (Send(me, Introduce(near, "LIN")), Send(far.node, Introduce(near, "LIN"))))


def ours(u: Subscriber, me: str, candidate: state.Claim) -> Outcome:
    """The specification's outcome for a candidate that a third party passes on."""
    return build_ring.introduce(u, me, candidate, "CYC", False, build_list.linearize)


def _farther(u: Subscriber, candidate: state.Claim) -> state.Claim:
    assert u.label is not None
    assert u.ring is not None
    farther = distance(candidate.label, u.label) > distance(u.ring.label, u.label)
    return candidate if farther else u.ring


def hears(u: Node, candidate: Claim) -> Result:
    """`ours` on terms."""
    return introduce(u, candidate, z3.BoolVal(False))


def _given(places: int) -> tuple[z3.BoolRef, ...]:
    """Lines 30 to 34 are for a closing edge and a candidate on one side, about two others."""
    same_side = (U.ring.label < U.label) == (CANDIDATE.label < U.label)
    apart = CANDIDATE.node != U.me, CANDIDATE.node != U.ring.node, CANDIDATE.label != U.ring.label
    known_labels = labels_in(places, U, CANDIDATE)
    return (*known_labels, *others_only(U), CANDIDATE.there, U.ring.there, same_side, *apart)


def _read(places: int) -> Callable[[Model], Values]:
    def read(model: Model) -> Values:
        return {**subscriber(model, U, places), "claim": claim(model, CANDIDATE, places)}

    return read


def _no_node_to_itself(rule: Rule, places: int) -> Iterator[Obligation]:
    result = rule(U, CANDIDATE)
    for sent in result.sends:
        if sent.kind != PROBE:
            others = z3.Implies(sent.when, sent.target != sent.claim.node)
            yield Obligation(f"{sent.kind} names another", others, _given(places), _read(places))


def _no_node_lost(rule: Rule, places: int) -> Iterator[Obligation]:
    result = rule(U, CANDIDATE)
    for name, kept in (("closing edge", U.ring), ("candidate", CANDIDATE)):
        yield Obligation(f"the {name} is kept", is_known(result, kept.node), _given(places), _read(places))


def _replay_to_itself(plain: Plain, values: Values) -> Replayed:
    sends = _outcome(plain, values).sends
    claims = [(send.target, getattr(send.message, "claim", None)) for send in sends]
    return Replayed([], [target for target, subject in claims if subject is not None and subject.node == target])


def _replay_lost(plain: Plain, values: Values) -> Replayed:
    u, candidate = subscriber_in(dict(values)), claim_in(values["claim"])
    before = {claim.node for claim in (u.ring, candidate) if claim is not None}
    return Replayed([], sorted(before - known(_outcome(plain, values))))


def _outcome(plain: Plain, values: Values) -> Outcome:
    candidate = claim_in(values["claim"])
    assert candidate is not None
    return plain(subscriber_in(dict(values)), values["me"], candidate)


def _kept(u: Subscriber, me: str, candidate: state.Claim) -> Outcome:
    assert u.ring is not None
    return build_ring.keep_farther(u, me, candidate, u.ring, build_list.linearize)


def _heard(u: Subscriber, _me: str, candidate: state.Claim) -> Outcome:
    return received(u, Introduce(candidate, CYCLE))


PAIRS: tuple[tuple[Rule, Plain], ...] = (
    (line_by_line, printed),
    (chosen_before, meant),
    (hears, _heard),
    (keep_farther, _kept),
)
"""Each rule on terms, and on plain values."""


@cache
def _encoded() -> Callable[..., Any]:
    return evaluated(tuple(rule(U, CANDIDATE) for rule, _ in PAIRS), U, CANDIDATE)


def _agrees(random: Random) -> Sample:
    u, candidate = sample(random)
    u = replace(u, ring=u.ring or state.Claim(candidate.label, "v4"))
    results = tuple(specified(plain(u, "v0", candidate)) for _, plain in PAIRS)
    return Sample((u, candidate), _encoded()(u, candidate), results)


BOUND = "all labels of up to 64 bits, all nodes, all slots; counterexamples on a circle of 16 places"
LEFT_OUT = "a candidate about oneself or about the node that is kept, candidates on two sides, and all later steps"
TIED_TO = (build_ring.keep_farther,)
LEMMAS = (
    Lemma(
        name="printed_merge_introduces_others",
        statement=Statement(
            "Deciding between two candidates for the closing edge, a node introduces no node to itself.",
            partial(_no_node_to_itself, line_by_line, COARSE),
            holds=False,
            replay=partial(_replay_to_itself, printed),
        ),
        source="Algorithm 2, line 34",
        ranges_over=BOUND,
        contrasts=(
            Statement(
                "Ours introduces no node to itself.",
                partial(_no_node_to_itself, hears, CIRCLE),
                replay=partial(_replay_to_itself, ours),
            ),
        ),
        by_hand="the printed lines: two readings of them are written here, on terms and on values",
        leaves_out=LEFT_OUT,
        agrees_with_spec=_agrees,
        tied_to=TIED_TO,
    ),
    Lemma(
        name="printed_merge_loses_no_node",
        statement=Statement(
            "Deciding between two candidates for the closing edge, a node keeps a reference to both, stored or sent.",
            partial(_no_node_lost, line_by_line, COARSE),
            holds=False,
            replay=partial(_replay_lost, printed),
        ),
        source="Algorithm 2, lines 31-34",
        ranges_over=BOUND,
        contrasts=(
            Statement(
                "It keeps both if line 32 means u.ring as it was before line 31.",
                partial(_no_node_lost, chosen_before, CIRCLE),
                replay=partial(_replay_lost, meant),
            ),
            Statement("Ours keeps both.", partial(_no_node_lost, hears, CIRCLE), replay=partial(_replay_lost, ours)),
        ),
        by_hand="the printed lines: two readings of them are written here, on terms and on values",
        leaves_out=f"{LEFT_OUT}; that a probe and a request to the supervisor count as kept",
        agrees_with_spec=_agrees,
        tied_to=TIED_TO,
    ),
)
