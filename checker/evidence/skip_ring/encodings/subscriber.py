"""Subscribers, claims and messages of the specification as terms, and back: for samples and for counterexamples."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import z3

from gomboc.checker.evidence.skip_ring.encodings.rules import (
    ASK,
    CYCLE,
    LINEARIZE,
    LIST,
    PROBE,
    Claim,
    Node,
    Result,
)
from gomboc.checker.prove.evaluate import evaluator
from gomboc.checker.prove.lemma import Model, Term
from gomboc.spec.core.model import CERTAIN, Outcome, Received
from gomboc.spec.protocols.skip_ring import PROTOCOL, state
from gomboc.spec.protocols.skip_ring.labels import CIRCLE, LONGEST, label_at, label_of, position
from gomboc.spec.protocols.skip_ring.state import Subscriber

COARSE = 16
"""A circle of so many places is fine enough for counterexamples, and gives short labels."""

Summary = tuple[tuple[str | None, ...], tuple[tuple[str, ...], ...]]
"""The label and the slots, and the messages in a fixed order, as text."""


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
    """A subscriber with any label and slots, to be called v0, and a claim; labels have up to 64 bits, and meet."""
    labels = random_labels(random)
    left, right, ring = (random_claim(random, labels) if random.random() < 0.7 else None for _ in range(3))
    u = Subscriber(random.choice(labels), left, right, ring)
    said = [claim for claim in (left, right, ring) if claim is not None and random.random() < 0.2]
    return u, next(iter(said), state.Claim(random.choice(labels), f"v{random.randrange(5)}"))


def random_labels(random: Random) -> list[str]:
    """A few labels of at most so many bits: so few that two slots often have the same."""
    indices = 1 << random.randint(1, LONGEST)
    return [label_of(random.randrange(indices)) for _ in range(random.randint(3, 6))]


def random_claim(random: Random, labels: list[str]) -> state.Claim:
    """Any claim about v1 to v4, by one of these labels."""
    return state.Claim(random.choice(labels), f"v{random.randint(1, 4)}")


def evaluated(results: tuple[Result, ...], *inputs: Node | Claim | Term) -> Callable[..., tuple[Summary, ...]]:
    """A function that evaluates the results, given values in the place of the inputs.

    A node's value is a subscriber called v0, that of a claim a claim or None, and a label or a truth is itself.
    """
    parts = [part for result in results for part in _parts(result)]
    evaluate = evaluator(parts, [variable for argument in inputs for variable in _flat(argument)])

    def summaries(*values: Subscriber | state.Claim | str | bool | None) -> tuple[Summary, ...]:
        numbers = iter(evaluate([number for value in values for number in _numbers(value)]))
        return tuple(_summary(result, numbers) for result in results)

    return summaries


def _flat(value: Any) -> Iterator[Term]:
    if not isinstance(value, tuple):
        yield value
        return
    for part in value:
        yield from _flat(part)


def _parts(result: Result) -> Iterator[Term]:
    yield from _flat(result.node[1:])
    for sent in result.sends:
        yield from _flat((sent.when, sent.target, sent.claim))


def _numbers(value: Subscriber | state.Claim | str | bool | None) -> Iterator[int | bool]:
    match value:
        case Subscriber(label=str(label)):
            yield from (0, position(label))
            for slot in (value.left, value.right, value.ring):
                yield from _numbers(slot)
        case state.Claim(label, node):
            yield from (True, position(label), _number(node))
        case None:
            yield from (False, 0, 0)
        case bool():
            yield value
        case str():
            yield position(value)
        case _:
            raise AssertionError(f"{value} is not encoded")


def _number(node: str) -> int:
    return int(node[1:])


def _summary(result: Result, numbers: Iterator[Any]) -> Summary:
    own = label_at(next(numbers))
    slots = tuple(_written(numbers) for _ in result.node.slots())
    sends = [_sent(sent.kind, numbers) for sent in result.sends]
    return (own, *slots), tuple(sorted(sent for sent in sends if sent is not None))


def _written(numbers: Iterator[Any]) -> str | None:
    there, label, node = next(numbers), next(numbers), next(numbers)
    return f"{label_at(label)} v{node}" if there else None


def _sent(kind: str, numbers: Iterator[Any]) -> tuple[str, ...] | None:
    when, target, written = next(numbers), next(numbers), _written(numbers)
    if not when:
        return None
    match kind:
        case "Probe":
            return PROBE, f"v{target}"
        case "GetConfiguration":
            return ASK, (written or "").split()[-1]
    return kind, f"v{target}", written or ""


def received(u: Subscriber, message: state.Message) -> Outcome:
    """The specification's outcome for a message that v0 receives: the whole step, whichever rules it takes."""
    return PROTOCOL.actor.react("v0", u, Received(message), *CERTAIN)


def specified(outcome: Outcome) -> Summary:
    """Summary of an outcome of the specification."""
    u = outcome.local
    slots = tuple(None if slot is None else f"{slot.label} {slot.node}" for slot in (u.left, u.right, u.ring))
    return (u.label, *slots), tuple(sorted(_message(send.target, send.message) for send in outcome.sends))


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
