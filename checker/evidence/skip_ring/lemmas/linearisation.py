"""Placing a claim in the sorted list: no node is lost, each delegation comes nearer, and hearsay cannot relabel."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from random import Random
from typing import Any

import z3

from gomboc.checker.evidence.skip_ring.encodings.rules import (
    FIRST_HAND,
    HEARSAY,
    PROBE,
    Claim,
    Node,
    Result,
    Sent,
    distance,
    introduce,
    is_contradicted,
    is_known,
    is_same,
    is_tied,
    linearize,
    place_in_list,
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
from gomboc.checker.prove.lemma import Lemma, Model, Obligation, Replayed, Sample, Statement, Term, Values
from gomboc.spec.core.model import Outcome
from gomboc.spec.protocols.skip_ring import build_list, build_ring, state
from gomboc.spec.protocols.skip_ring.labels import CIRCLE
from gomboc.spec.protocols.skip_ring.labels import distance as specified_distance
from gomboc.spec.protocols.skip_ring.state import CYCLE, LIST, Introduce, Linearize, Present, Subscriber

U, SUBJECT = any_node(), any_claim("claim")
HAND = z3.Bool("first_hand")
Rule = Callable[[Node, Claim], Result]


def _given(places: int) -> tuple[Term, ...]:
    return (*labels_in(places, U, SUBJECT), SUBJECT.there, *others_only(U))


def _read(places: int) -> Callable[[Model], Values]:
    def read(model: Model) -> Values:
        first_hand = z3.is_true(model.eval(HAND, model_completion=True))
        return {
            **subscriber(model, U, places),
            "claim": claim(model, SUBJECT, places),
            "first_hand": first_hand,
        }

    return read


def _no_node_lost() -> Iterator[Obligation]:
    read = _read(CIRCLE)
    for title, rule in (("linearize", linearize), ("introduce, for the closing edge", introduce)):
        result = rule(U, SUBJECT, HAND)
        for slot in (*U.slots(), SUBJECT):
            claim_kept = z3.Implies(z3.And(slot.there, slot.node != U.me), is_known(result, slot.node))
            yield Obligation(title, claim_kept, _given(CIRCLE), read)


def _no_label_lost() -> Iterator[Obligation]:
    result = linearize(U, SUBJECT, HAND)
    for slot in U.slots():
        kept = z3.Or(
            *(is_same(slot, after) for after in result.node.slots()),
            *(z3.And(sent.when, is_same(slot, sent.claim)) for sent in result.sends),
        )
        yield Obligation("linearize", z3.Implies(slot.there, kept), _given(COARSE), _read(COARSE))


def _replay_lost(values: Values) -> Replayed:
    u, subject = subscriber_in(dict(values)), claim_in(values["claim"])
    assert subject is not None
    outcomes = _outcomes(u, values["me"], subject, values["first_hand"])
    before = {slot.node for slot in (*build_list.slots(u), subject)} - {values["me"]}
    return Replayed([], sorted(node for outcome in outcomes for node in before - known(outcome)))


def _outcomes(u: Subscriber, me: str, subject: state.Claim, first_hand: bool) -> tuple[Outcome, Outcome]:
    """The specification's outcomes for a claim for the list, and for the same one for the closing edge."""
    in_list = build_list.linearize(u, me, subject, first_hand)
    return in_list, build_ring.introduce(u, me, subject, CYCLE, first_hand, build_list.linearize)


def _replay_label_lost(values: Values) -> Replayed:
    u, subject = subscriber_in(dict(values)), claim_in(values["claim"])
    assert subject is not None
    outcome = build_list.linearize(u, values["me"], subject, values["first_hand"])
    sent = {send.message.claim for send in outcome.sends if isinstance(send.message, Linearize)}
    lost = set(build_list.slots(u)) - set(build_list.slots(outcome.local)) - sent
    return Replayed([], [[claim.label, claim.node] for claim in sorted(lost)])


def _nearer(places: int, *sides: Term) -> Iterator[Obligation]:
    """As far as labels are true: no two nodes claim one, and every stored label is the neighbour's own."""
    distinct = z3.Not(z3.Or(is_tied(U, SUBJECT), is_contradicted(U, SUBJECT)))
    premises = *_given(places), distinct, *sides
    result = place_in_list(U, SUBJECT)
    for sent in result.sends:
        nearer = _span(sent) < distance(U.label, sent.claim.label)
        title = "a claim is delegated to a node nearer to its subject"
        yield Obligation(title, z3.Implies(sent.when, z3.And(_span(sent) >= 0, nearer)), premises, _read(places))
    before = _total((U.left, U.right, SUBJECT))
    stored = _total((result.node.left, result.node.right))
    after = stored + z3.Sum([z3.If(sent.when, _span(sent), 0) for sent in result.sends])
    sends = z3.Or(*(sent.when for sent in result.sends))
    title = "the distances of all references add up to less, if anything is sent"
    claim_less = z3.And(after <= before, z3.Implies(sends, after < before), after >= 0)
    yield Obligation(title, claim_less, premises, _read(places))


def _span(sent: Sent) -> Term:
    """How far a delegated claim is from its subject, by the labels that the delegating node believes."""
    return distance(sent.believed, sent.claim.label)


def _total(claims: tuple[Claim, ...]) -> Term:
    return z3.Sum([z3.If(held.there, distance(U.label, held.label), 0) for held in claims])


def _on_their_sides() -> tuple[Term, Term]:
    return z3.Implies(U.left.there, U.left.label < U.label), z3.Implies(U.right.there, U.right.label > U.label)


def _comes_nearer() -> Iterator[Obligation]:
    return _nearer(CIRCLE, *_on_their_sides())


def _on_any_side() -> Iterator[Obligation]:
    return _nearer(COARSE)


def _replay_nearer(values: Values) -> Replayed:
    u, subject = subscriber_in(dict(values)), claim_in(values["claim"])
    assert u.label is not None
    assert subject is not None
    outcome = build_list.place_in_list(u, subject)
    labels = {held.node: held.label for held in (*build_list.slots(u), subject)}
    farther = [
        [send.target, send.message.claim.label]
        for send in outcome.sends
        if specified_distance(labels[send.target], send.message.claim.label)
        >= specified_distance(u.label, send.message.claim.label)
    ]
    return Replayed([], farther)


def _not_believed(first_hand: Term, places: int) -> Iterator[Obligation]:
    premises = *_given(places), SUBJECT.node != U.me, z3.Or(is_tied(U, SUBJECT), is_contradicted(U, SUBJECT))
    for title, rule in (("linearize", linearize), ("introduce, for the closing edge", introduce)):
        result = rule(U, SUBJECT, first_hand)
        unchanged = z3.And(*(_equal(slot, after) for slot, after in zip(U.slots(), result.node.slots(), strict=True)))
        probed = z3.And(*(sent.when == z3.BoolVal(_is_probe(sent, result)) for sent in result.sends))
        yield Obligation(title, z3.And(unchanged, probed), (*premises, first_hand == HAND), _read(places))


def _is_probe(sent: Sent, result: Result) -> bool:
    """Whether this is the one probe of the rule's outermost branch."""
    probes = [other for other in result.sends if other.kind == PROBE]
    return sent is probes[0]


def _equal(slot: Claim, after: Claim) -> Term:
    both = z3.And(slot.label == after.label, slot.node == after.node)
    return z3.And(slot.there == after.there, z3.Implies(slot.there, both))


def _replay_relabelled(values: Values) -> Replayed:
    u, subject = subscriber_in(dict(values)), claim_in(values["claim"])
    assert subject is not None
    outcome = build_list.linearize(u, values["me"], subject, values["first_hand"])
    probes = [send.target for send in outcome.sends if send.message.__struct_config__.tag == PROBE]
    expected = [list(slot) if slot else None for slot in (values["left"], values["right"], values["ring"])]
    after = outcome.local
    slots = [[slot.label, slot.node] if slot else None for slot in (after.left, after.right, after.ring)]
    return Replayed((expected, [subject.node]), (slots, probes))


@cache
def _encoded() -> Callable[..., Any]:
    results = linearize(U, SUBJECT, HAND), introduce(U, SUBJECT, HAND), place_in_list(U, SUBJECT)
    return evaluated(results, U, SUBJECT, HAND)


def _agrees(random: Random) -> Sample:
    u, subject = sample(random)
    first_hand = random.random() < 0.5
    said = (Present(subject, LIST), Present(subject, CYCLE)) if first_hand else _passed_on(subject)
    outcomes = (*(received(u, message) for message in said), build_list.place_in_list(u, subject))
    return Sample((u, subject, first_hand), _encoded()(u, subject, first_hand), tuple(map(specified, outcomes)))


def _passed_on(subject: state.Claim) -> tuple[state.Message, state.Message]:
    return Linearize(subject), Introduce(subject, CYCLE)


BOUND = "all labels of up to 64 bits, all nodes, all slots, right or wrong"
TIED_TO = (
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
LEMMAS = (
    Lemma(
        name="no_reference_is_lost",
        statement=Statement(
            "Taking a claim into the list or to the closing edge, a node loses no reference: every node that was in a "
            "slot or in the claim is in a slot, in a message, or probed.",
            _no_node_lost,
            replay=_replay_lost,
        ),
        source="Algorithm 1, lines 14-30; Algorithm 2, lines 16-42",
        ranges_over=BOUND,
        contrasts=(
            Statement(
                "... no reference with its label; a node's claim about itself replaces the label that is stored for it",
                _no_label_lost,
                holds=False,
                replay=_replay_label_lost,
            ),
        ),
        by_hand="that no run loses one: z3 looks at a single step",
        leaves_out="shortcuts, timeouts, checks, leaving (`part`), and nodes without a label; that a request to the "
        "supervisor about a node counts as kept, and so does a probe",
        agrees_with_spec=_agrees,
        tied_to=TIED_TO,
    ),
    Lemma(
        name="delegation_comes_nearer",
        statement=Statement(
            "A claim is delegated only to a node that lies strictly nearer to its subject, so a chain of delegations "
            "of one claim is finite; and the distances of all references, stored and sent, add up to less.",
            _comes_nearer,
            replay=_replay_nearer,
        ),
        source="Algorithm 1, lines 24-28; Lemma 4",
        ranges_over="all labels of up to 64 bits; labels are true, and left and right are on their sides",
        contrasts=(
            Statement(
                "... also if a neighbour is stored on the wrong side", _on_any_side, holds=False, replay=_replay_nearer
            ),
        ),
        by_hand="that a chain of delegations ends, as distances are whole numbers, if all nodes on it have the same "
        "true labels in mind and none changes meanwhile",
        leaves_out="false labels, the closing edge, shortcuts, and the messages of timeouts and configurations",
        agrees_with_spec=_agrees,
        tied_to=(build_list.place_in_list,),
    ),
    Lemma(
        name="hearsay_does_not_relabel",
        statement=Statement(
            "A third party's claim that contradicts what a node stores, or ties with it, changes none of its slots: "
            "its subject is probed, and nothing else is sent.",
            partial(_not_believed, HEARSAY, CIRCLE),
            replay=_replay_relabelled,
        ),
        source="Algorithm 1, lines 15-22 (our deviation: verified introduction)",
        ranges_over=BOUND,
        contrasts=(
            Statement(
                "... nor does a node's claim about itself",
                partial(_not_believed, FIRST_HAND, COARSE),
                holds=False,
                replay=_replay_relabelled,
            ),
        ),
        by_hand="nothing: z3 looks at a single step, and the statement is about one",
        leaves_out="shortcuts, which hearsay may overwrite; configurations, which relabel without asking; claims that "
        "contradict nothing",
        agrees_with_spec=_agrees,
        tied_to=TIED_TO,
    ),
)
