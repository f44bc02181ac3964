"""One step of a subscriber that takes a claim into its list or to its closing edge, or takes a configuration.

No node is lost, each delegation comes nearer, and hearsay cannot relabel.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial
from random import Random
from typing import Any

import z3
from msgspec.structs import replace

from gomboc.checker.evidence.skip_ring.encodings.rules import (
    FIRST_HAND,
    HEARSAY,
    PROBE,
    Claim,
    distance,
    introduce,
    is_contradicted,
    is_same,
    is_tied,
    linearize,
    place_in_list,
    set_data,
)
from gomboc.checker.evidence.skip_ring.encodings.subscriber import (
    COARSE,
    Inputs,
    any_claim,
    lost,
    random_claim,
    random_labels,
    received,
    sample,
    specified,
)
from gomboc.checker.prove.lemma import Obligation, Replayed, Sample, Term, Values
from gomboc.checker.prove.wording import Attempt, Proof
from gomboc.spec.core.model import Outcome
from gomboc.spec.protocols.skip_ring import build_list, build_ring, labels, state
from gomboc.spec.protocols.skip_ring import subscriber as rules
from gomboc.spec.protocols.skip_ring.labels import CIRCLE
from gomboc.spec.protocols.skip_ring.state import (
    CYCLE,
    GetConfiguration,
    Introduce,
    Linearize,
    Present,
    Probe,
    SetData,
    Subscriber,
)

SUBJECT, HAND = any_claim("claim"), z3.Bool("first_hand")
CLAIMED = Inputs(claim=SUBJECT, first_hand=HAND)
PRED, LABEL, SUCC = any_claim("pred"), z3.Int("new_label"), any_claim("succ")
CONFIGURED = Inputs(pred=PRED, new_label=LABEL, succ=SUCC)
U = CLAIMED.u

TITLED = ("linearize", linearize), ("introduce, for the closing edge", introduce)
"""The rules that take a claim, by the titles of their obligations."""


def _no_node_lost() -> Iterator[Obligation]:
    for title, rule in TITLED:
        claims = ((title, claim) for claim in (*U.slots(), SUBJECT))
        yield from CLAIMED.kept(rule(U, SUBJECT, HAND), claims, CIRCLE, SUBJECT.there)


def _lost(me: str, u: Subscriber, subject: state.Claim, first_hand: bool) -> list[str]:
    outcomes = (
        build_list.linearize(u, me, subject, first_hand),
        build_ring.introduce(u, me, subject, CYCLE, first_hand, build_list.linearize),
    )
    return [node for outcome in outcomes for node in lost(me, (*build_list.slots(u), subject), outcome)]


def _no_label_lost() -> Iterator[Obligation]:
    result = linearize(U, SUBJECT, HAND)
    for slot in U.slots():
        kept = z3.Or(
            *(is_same(slot, after) for after in result.node.slots()),
            *(z3.And(sent.when, is_same(slot, sent.claim)) for sent in result.sends),
        )
        yield CLAIMED.obligation("linearize", z3.Implies(slot.there, kept), COARSE, SUBJECT.there)


def _labels_lost(me: str, u: Subscriber, subject: state.Claim, first_hand: bool) -> list[list[str]]:
    outcome = build_list.linearize(u, me, subject, first_hand)
    sent = {send.message.claim for send in outcome.sends if isinstance(send.message, Linearize)}
    gone = set(build_list.slots(u)) - set(build_list.slots(outcome.local)) - sent
    return [[claim.label, claim.node] for claim in sorted(gone)]


def _nearer(places: int, *sides: Term) -> Iterator[Obligation]:
    """As far as labels are true: no two nodes claim one, and every stored label is the neighbour's own."""
    distinct = z3.Not(z3.Or(is_tied(U, SUBJECT), is_contradicted(U, SUBJECT)))
    result = place_in_list(U, SUBJECT)
    # How far each delegated claim is from its subject, by the labels that the delegating node believes.
    spans = [distance(sent.believed, sent.claim.label) for sent in result.sends]
    for sent, span in zip(result.sends, spans, strict=True):
        nearer = z3.And(span >= 0, span < distance(U.label, sent.claim.label))
        title = "a claim is delegated to a node nearer to its subject"
        given = SUBJECT.there, distinct, *sides
        yield CLAIMED.obligation(title, z3.Implies(sent.when, nearer), places, *given)
    before = _total((U.left, U.right, SUBJECT))
    sent_on = [z3.If(sent.when, span, 0) for sent, span in zip(result.sends, spans, strict=True)]
    after = _total((result.node.left, result.node.right)) + z3.Sum(sent_on)
    less = z3.Implies(z3.Or(*(sent.when for sent in result.sends)), after < before)
    title = "the distances of all references add up to less, if anything is sent"
    yield CLAIMED.obligation(title, z3.And(after <= before, less, after >= 0), places, SUBJECT.there, distinct, *sides)


def _total(claims: tuple[Claim, ...]) -> Term:
    return z3.Sum([z3.If(held.there, distance(U.label, held.label), 0) for held in claims])


def _comes_nearer() -> Iterator[Obligation]:
    left, right = z3.Implies(U.left.there, U.left.label < U.label), z3.Implies(U.right.there, U.right.label > U.label)
    return _nearer(CIRCLE, left, right)


def _farther(_me: str, u: Subscriber, subject: state.Claim, _first_hand: bool) -> list[list[str]]:
    known = {held.node: held.label for held in (*build_list.slots(u), subject)}
    sends = [(send.target, send.message.claim.label) for send in build_list.place_in_list(u, subject).sends]
    far = (labels.distance(known[target], label) >= labels.distance(u.label or "", label) for target, label in sends)
    return [list(sent) for sent, farther in zip(sends, far, strict=True) if farther]


def _not_believed(first_hand: Term, places: int) -> Iterator[Obligation]:
    given = SUBJECT.there, SUBJECT.node != U.me, z3.Or(is_tied(U, SUBJECT), is_contradicted(U, SUBJECT))
    for title, rule in TITLED:
        result = rule(U, SUBJECT, first_hand)
        unchanged = z3.And(*(_equal(slot, after) for slot, after in zip(U.slots(), result.node.slots(), strict=True)))
        first = next(sent for sent in result.sends if sent.kind == PROBE)  # the one of the rule's outermost branch
        probed = z3.And(*(sent.when == z3.BoolVal(sent is first) for sent in result.sends))
        yield CLAIMED.obligation(title, z3.And(unchanged, probed), places, *given, first_hand == HAND)


def _equal(slot: Claim, after: Claim) -> Term:
    both = z3.And(slot.label == after.label, slot.node == after.node)
    return z3.And(slot.there == after.there, z3.Implies(slot.there, both))


def _replay_relabelled(values: Values) -> Replayed:
    me, u, subject, first_hand = CLAIMED.restored(values)
    outcome = build_list.linearize(u, me, subject, first_hand)
    probes = [send.target for send in outcome.sends if isinstance(send.message, Probe)]
    kept, after = ([held.left, held.right, held.ring] for held in (u, outcome.local))
    return Replayed((kept, [subject.node]), (after, probes))


def _configured(places: int, *claims: Claim) -> Iterator[Obligation]:
    return CONFIGURED.kept(set_data(U, LABEL, PRED, SUCC), [("set_data", claim) for claim in claims], places)


Slot = state.Claim | None


def _configured_and_lost(known: bool, me: str, u: Subscriber, pred: Slot, label: str, succ: Slot) -> list[str]:
    """The nodes that were stored, or also those `known` by the configuration, and are lost."""
    outcome = rules.set_data(u, me, SetData(pred, label, succ), build_list.linearize)
    return lost(me, (*build_list.slots(u), *((pred, succ) if known else ())), _without_questions(outcome))


def _without_questions(outcome: Outcome) -> Outcome:
    """The outcome without the requests to the supervisor, which the encoding leaves out."""
    sends = tuple(send for send in outcome.sends if not isinstance(send.message, GetConfiguration))
    return Outcome(outcome.local, sends)


@cache
def _claimed() -> Callable[..., Any]:
    return CLAIMED.evaluated(*(rule(U, SUBJECT, HAND) for _, rule in TITLED), place_in_list(U, SUBJECT))


def _claims_agree(random: Random) -> Sample:
    u, subject = sample(random)
    first_hand = random.random() < 0.5
    said: tuple[state.Message, ...] = Linearize(subject), Introduce(subject, CYCLE)
    if first_hand:
        said = Present(subject, state.LIST), Present(subject, CYCLE)
    outcomes = (*(received(u, message) for message in said), build_list.place_in_list(u, subject))
    return Sample((u, subject, first_hand), _claimed()(u, subject, first_hand), tuple(map(specified, outcomes)))


@cache
def _set() -> Callable[..., Any]:
    return CONFIGURED.evaluated(set_data(U, LABEL, PRED, SUCC))


def _configurations_agree(random: Random) -> Sample:
    labels = random_labels(random)
    left, right, ring, pred, succ = (random_claim(random, labels) for _ in range(5))
    u, new_label = Subscriber(random.choice(labels), left, right, ring), random.choice(labels)
    if pred is not None and random.random() < 0.2:
        pred = replace(pred, node="v0")
    outcome = _without_questions(received(u, SetData(pred, new_label, succ)))
    return Sample((u, pred, new_label, succ), _set()(u, pred, new_label, succ), (specified(outcome),))


OF_A_CLAIM = (
    build_list.hear,
    build_list.without_other_labels,
    build_list.rival,
    build_list.place_in_list,
    build_list.linearize,
    build_ring.introduce,
    build_ring.close_ring,
    build_ring.take_or_hand_on,
    build_ring.keep_farther,
)
PROOFS = {
    "no_reference_is_lost": Proof(
        (Attempt(_no_node_lost, CLAIMED.replayed(_lost)), Attempt(_no_label_lost, CLAIMED.replayed(_labels_lost))),
        _claims_agree,
        OF_A_CLAIM,
    ),
    "delegation_comes_nearer": Proof(
        (
            Attempt(_comes_nearer, CLAIMED.replayed(_farther)),
            Attempt(partial(_nearer, COARSE), CLAIMED.replayed(_farther)),
        ),
        _claims_agree,
        (build_list.place_in_list,),
    ),
    "hearsay_does_not_relabel": Proof(
        (
            Attempt(partial(_not_believed, HEARSAY, CIRCLE), _replay_relabelled),
            Attempt(partial(_not_believed, FIRST_HAND, COARSE), _replay_relabelled),
        ),
        _claims_agree,
        OF_A_CLAIM,
    ),
    "set_data_loses_no_reference": Proof(
        (
            Attempt(
                partial(_configured, CIRCLE, *U.slots()), CONFIGURED.replayed(partial(_configured_and_lost, False))
            ),
            Attempt(
                partial(_configured, COARSE, *U.slots(), PRED, SUCC),
                CONFIGURED.replayed(partial(_configured_and_lost, True)),
            ),
        ),
        _configurations_agree,
        (rules.configure,),
    ),
}
