"""A configuration from the supervisor overwrites a subscriber's slots: no node that was in one is lost."""

from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

import z3

from gomboc.checker.evidence.skip_ring.encodings.rules import Claim, is_known, set_data
from gomboc.checker.evidence.skip_ring.encodings.subscriber import (
    COARSE,
    any_claim,
    any_node,
    claim,
    claim_in,
    evaluated,
    known,
    label,
    labels_in,
    others_only,
    random_claim,
    random_labels,
    received,
    specified,
    subscriber,
    subscriber_in,
)
from gomboc.checker.prove.lemma import Lemma, Model, Obligation, Replayed, Sample, Statement, Values
from gomboc.spec.core.model import Outcome
from gomboc.spec.protocols.skip_ring import subscriber as rules
from gomboc.spec.protocols.skip_ring.build_list import linearize, slots
from gomboc.spec.protocols.skip_ring.labels import CIRCLE
from gomboc.spec.protocols.skip_ring.state import Claim as Pair
from gomboc.spec.protocols.skip_ring.state import GetConfiguration, SetData, Subscriber

U, PRED, SUCC, LABEL = any_node(), any_claim("pred"), any_claim("succ"), z3.Int("new_label")


def _kept(places: int, *claims: Claim) -> Iterator[Obligation]:
    def read(model: Model) -> Values:
        pred, succ = (claim(model, term, places) for term in (PRED, SUCC))
        message = {"pred": pred, "new_label": label(model, LABEL, places), "succ": succ}
        return {**subscriber(model, U, places), **message}

    result = set_data(U, LABEL, PRED, SUCC)
    premises = *labels_in(places, U, PRED, SUCC), LABEL >= 0, places > LABEL, *others_only(U)
    for kept in claims:
        there = z3.And(kept.there, kept.node != U.me)
        yield Obligation("set_data", z3.Implies(there, is_known(result, kept.node)), premises, read)


def _stored() -> Iterator[Obligation]:
    return _kept(CIRCLE, *U.slots())


def _stored_or_sent() -> Iterator[Obligation]:
    return _kept(COARSE, *U.slots(), PRED, SUCC)


def _outcome(values: Values) -> Outcome:
    pred, succ = claim_in(values["pred"]), claim_in(values["succ"])
    message = SetData(pred, values["new_label"], succ)
    return _without_questions(rules.set_data(subscriber_in(dict(values)), values["me"], message, linearize))


def _without_questions(outcome: Outcome) -> Outcome:
    """The outcome without the requests to the supervisor, which the encoding leaves out."""
    sends = tuple(send for send in outcome.sends if not isinstance(send.message, GetConfiguration))
    return Outcome(outcome.local, sends)


def _replay(values: Values) -> Replayed:
    stored = {slot.node for slot in slots(subscriber_in(dict(values)))}
    return Replayed([], sorted(stored - {values["me"]} - known(_outcome(values))))


def _replay_sent(values: Values) -> Replayed:
    claims = (claim_in(values["pred"]), claim_in(values["succ"]), *slots(subscriber_in(dict(values))))
    before = {claim.node for claim in claims if claim is not None}
    return Replayed([], sorted(before - {values["me"]} - known(_outcome(values))))


@cache
def _encoded() -> Callable[..., Any]:
    return evaluated((set_data(U, LABEL, PRED, SUCC),), U, LABEL, PRED, SUCC)


def _agrees(random: Random) -> Sample:
    labels = random_labels(random)
    left, right, ring, pred, succ = (random_claim(random, labels) if random.random() < 0.7 else None for _ in range(5))
    u, new_label = Subscriber(random.choice(labels), left, right, ring), random.choice(labels)
    if pred is not None and random.random() < 0.2:
        pred = Pair(pred.label, "v0")
    outcome = received(u, SetData(pred, new_label, succ))
    (encoded,) = _encoded()(u, new_label, pred, succ)
    return Sample((u, pred, new_label, succ), encoded, specified(_without_questions(outcome)))


LEMMAS = (
    Lemma(
        name="set_data_loses_no_reference",
        statement=Statement(
            "After a configuration, every node that was in a slot is in a slot, in a message, or probed.",
            _stored,
            replay=_replay,
        ),
        source="Algorithm 4, lines 16-20 (our deviation: the replaced claims are delegated)",
        ranges_over="all labels of up to 64 bits, all nodes, all slots and configurations, right or wrong",
        contrasts=(
            Statement(
                "... and so is every node in the configuration, even in one that no supervisor sends",
                _stored_or_sent,
                holds=False,
                replay=_replay_sent,
            ),
        ),
        by_hand="nothing: z3 looks at a single step, and the statement is about one",
        leaves_out="shortcuts, which stay as they are; a node that is to have no label (`part`), or has none; the "
        "questions to the supervisor; that a probe counts as kept",
        agrees_with_spec=_agrees,
        tied_to=(rules.configure,),
    ),
)
