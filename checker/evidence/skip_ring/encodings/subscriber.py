"""Subscribers, claims and messages of the specification as terms, and back: for samples and for counterexamples."""

from random import Random
from typing import Any

import z3

from checker.evidence.skip_ring.encodings.rules import (
    ASK,
    CYCLE,
    LINEARIZE,
    LIST,
    NOTHING,
    PROBE,
    Claim,
    Node,
    Result,
    Sent,
)
from checker.prove.lemma import Model, Term
from spec.model import Outcome
from spec.skip_ring import state
from spec.skip_ring.labels import CIRCLE, label_at, label_of, position
from spec.skip_ring.state import Subscriber

COARSE = 16
"""A circle of so many places is fine enough for counterexamples, and gives short labels."""

Summary = tuple[tuple[str | None, ...], tuple[tuple[str, ...], ...]]
"""The slots, and the messages in a fixed order, as text."""


def any_claim(name: str) -> Claim:
    """A claim of which nothing is known; it may be missing."""
    return Claim(z3.Bool(f"{name}.there"), z3.Int(f"{name}.label"), z3.Int(f"{name}.node"))


def any_node() -> Node:
    """A subscriber with a label of which nothing else is known."""
    return Node(z3.Int("me"), z3.Int("label"), any_claim("left"), any_claim("right"), any_claim("ring"))


def labels_in(places: int, *things: Node | Claim) -> tuple[Term, ...]:
    """That every label is one of so many places."""
    labels = [thing.label for thing in things]
    labels += [slot.label for thing in things if isinstance(thing, Node) for slot in thing.slots()]
    return tuple(z3.And(label >= 0, label < places) for label in labels)


def others_only(u: Node) -> tuple[Term, ...]:
    """That no slot refers to oneself, as after the beginning of each step."""
    return tuple(z3.Not(z3.And(slot.there, slot.node == u.me)) for slot in u.slots())


def name(model: Model, node: Term) -> str:
    """A node's name, in an assignment."""
    return f"v{model.eval(node, model_completion=True).as_long()}"


def label(model: Model, at: Term, places: int) -> str:
    """A label, in an assignment where the circle has so many places."""
    return label_at(model.eval(at, model_completion=True).as_long() * (CIRCLE // places))


def claim(model: Model, term: Claim, places: int) -> list[str] | None:
    """A claim as a pair of label and name, or nothing."""
    if not z3.is_true(model.eval(term.there, model_completion=True)):
        return None
    return [label(model, term.label, places), name(model, term.node)]


def subscriber(model: Model, u: Node, places: int) -> dict[str, Any]:
    """A subscriber with its name and slots, in an assignment."""
    slots = zip(("left", "right", "ring"), u.slots(), strict=True)
    return {
        "me": name(model, u.me),
        "label": label(model, u.label, places),
        **{slot: claim(model, held, places) for slot, held in slots},
    }


def claim_in(written: list[str] | None) -> state.Claim | None:
    """A claim of a counterexample, in the specification's type."""
    return None if written is None else state.Claim(*written)


def subscriber_in(written: dict[str, Any]) -> Subscriber:
    """A subscriber of a counterexample, in the specification's type."""
    left, right, ring = (claim_in(written[slot]) for slot in ("left", "right", "ring"))
    return Subscriber(written["label"], left, right, ring)


def sample(random: Random) -> tuple[Subscriber, state.Claim]:
    """A subscriber with any label and slots, to be called v0, and a claim."""
    left, right, ring = (random_claim(random) if random.random() < 0.7 else None for _ in range(3))
    return Subscriber(label_of(random.randrange(8)), left, right, ring), random_claim(random)


def random_claim(random: Random) -> state.Claim:
    """Any claim about v0 to v4."""
    return state.Claim(label_of(random.randrange(8)), f"v{random.randrange(5)}")


def as_claim(found: state.Claim | None) -> Claim:
    """A claim as terms; nothing if it is none."""
    if found is None:
        return NOTHING
    return Claim(z3.BoolVal(True), as_label(found.label), z3.IntVal(int(found.node[1:])))


def as_label(found: str) -> Term:
    """A label as a term."""
    return z3.IntVal(position(found))


def as_node(u: Subscriber, me: str = "v0") -> Node:
    """A subscriber with a label as terms."""
    assert u.label is not None, "a subscriber without a label is not encoded"
    slots = (as_claim(slot) for slot in (u.left, u.right, u.ring))
    return Node(z3.IntVal(int(me[1:])), as_label(u.label), *slots)


def summary(result: Result) -> Summary:
    """What a result without variables comes to."""
    slots = tuple(map(_written, result.node.slots()))
    sends = (_sent(sent) for sent in result.sends if z3.is_true(z3.simplify(sent.when)))
    return slots, tuple(sorted(sends))


def _written(held: Claim) -> str | None:
    if not z3.is_true(z3.simplify(held.there)):
        return None
    return f"{label_at(z3.simplify(held.label).as_long())} v{z3.simplify(held.node)}"


def _sent(sent: Sent) -> tuple[str, ...]:
    match sent.kind:
        case "Probe":
            return PROBE, f"v{z3.simplify(sent.target)}"
        case "GetConfiguration":
            return ASK, f"v{z3.simplify(sent.claim.node)}"
    return sent.kind, f"v{z3.simplify(sent.target)}", _written(sent.claim) or ""


def specified(outcome: Outcome) -> Summary:
    """What an outcome of the specification comes to."""
    u = outcome.local
    slots = tuple(None if slot is None else f"{slot.label} {slot.node}" for slot in (u.left, u.right, u.ring))
    return slots, tuple(sorted(_message(send.target, send.message) for send in outcome.sends))


def _message(target: str, message: state.Message) -> tuple[str, ...]:
    match message:
        case state.Linearize(claim):
            return LINEARIZE, target, f"{claim.label} {claim.node}"
        case state.Introduce(claim, flag):
            return CYCLE if flag == state.CYCLE else LIST, target, f"{claim.label} {claim.node}"
        case state.Probe():
            return PROBE, target
        case state.GetConfiguration(node):
            return ASK, node
    raise AssertionError(f"{message} is not encoded")


def known(outcome: Outcome) -> set[str]:
    """The nodes that an outcome still refers to, in a slot, in a message, or by probing them."""
    u = outcome.local
    stored = {slot.node for slot in (u.left, u.right, u.ring) if slot is not None}
    return stored | {_subject(send.target, send.message) for send in outcome.sends}


def _subject(target: str, message: state.Message) -> str:
    match message:
        case state.Linearize(claim) | state.Introduce(claim, _):
            return claim.node
        case state.GetConfiguration(node):
            return node
    return target
