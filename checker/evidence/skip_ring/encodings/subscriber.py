"""Subscribers, claims and messages of the specification as terms, and back: for samples and for counterexamples."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Any

import z3

from gomboc.checker.evidence.skip_ring.encodings import rules
from gomboc.checker.prove.evaluate import evaluator, value
from gomboc.checker.prove.lemma import Model, Obligation, Replayed, Term, Values
from gomboc.spec.core.model import CERTAIN, Outcome, Received
from gomboc.spec.protocols.skip_ring import PROTOCOL, state
from gomboc.spec.protocols.skip_ring.build_list import slots
from gomboc.spec.protocols.skip_ring.labels import CIRCLE, LONGEST, label_at, label_of, position
from gomboc.spec.protocols.skip_ring.state import Subscriber

COARSE = 16
"""A circle of so many places is fine enough for counterexamples, and gives short labels."""

Told = tuple[str, str, str, str]
"""A message: its kind, its target, and its claim. A probe's claim is its target; a request has no target."""

Summary = tuple[Subscriber, list[Told]]
"""A subscriber after a step, and the messages of the step in a fixed order."""


def any_claim(name: str) -> rules.Claim:
    """A claim of which nothing is known; it may be missing."""
    return rules.Claim(z3.Bool(f"{name}.there"), z3.Int(f"{name}.label"), z3.Int(f"{name}.node"))


class Inputs:
    """The inputs of a step as terms: a subscriber `u` with a label, and claims, labels and truths by name.

    In a counterexample each has its name, a claim is a label and a node, and the parts of the subscriber have theirs.
    """

    def __init__(self, **others: Any) -> None:
        self.u = rules.Node(z3.Int("me"), z3.Int("label"), any_claim("left"), any_claim("right"), any_claim("ring"))
        self._parts = {**self.u._asdict(), **others}
        del self._parts["me"]

    def within(self, places: int) -> tuple[Term, ...]:
        """That each label is one of so many places, and no slot refers to oneself, as after the beginning of a step."""
        parts = (part.label if isinstance(part, rules.Claim) else part for part in self._parts.values())
        labels = [z3.And(part >= 0, part < places) for part in parts if not z3.is_bool(part)]
        return *labels, *(z3.Not(z3.And(slot.there, slot.node == self.u.me)) for slot in self.u.slots())

    def read(self, places: int) -> Callable[[Model], Values]:
        """The inputs in an assignment where the circle has so many places."""

        def plain(model: Model, part: Any) -> Any:
            if isinstance(part, rules.Claim):
                return [plain(model, part.label), _name(model, part.node)] if value(model, part.there) else None
            if z3.is_bool(part):
                return value(model, part)
            return label_at(value(model, part) * (CIRCLE // places))

        def read(model: Model) -> Values:
            parts = {name: plain(model, part) for name, part in self._parts.items()}
            return {"me": _name(model, self.u.me), **parts}

        return read

    def obligation(self, title: str, claim: Term, places: int, *given: Term) -> Obligation:
        """The obligation that a claim follows, on a circle of so many places."""
        return Obligation(title, claim, (*self.within(places), *given), self.read(places))

    def kept(
        self, result: rules.Result, claims: Iterable[tuple[str, rules.Claim]], places: int, *given: Term
    ) -> Iterator[Obligation]:
        """The obligations, by their titles, that the other nodes in these claims are still known after a step."""
        for title, claim in claims:
            other = z3.And(claim.there, claim.node != self.u.me)
            yield self.obligation(title, z3.Implies(other, rules.is_known(result, claim.node)), places, *given)

    def restored(self, values: Values) -> tuple[Any, ...]:
        """The inputs of a counterexample in the specification's types: the node's name, its state, and the others."""
        parts = (values[name] for name in self._parts)
        plain: Iterator[Any] = (state.Claim(*part) if isinstance(part, list) else part for part in parts)
        label, left, right, ring, *others = plain
        return values["me"], Subscriber(label, left, right, ring), *others

    def replayed(self, failures: Callable[..., list[Any]]) -> Callable[[Values], Replayed]:
        """The replay that expects no failures, which are listed for the restored inputs."""
        return lambda values: Replayed([], failures(*self.restored(values)))

    def evaluated(self, *results: rules.Result) -> Callable[..., tuple[Summary, ...]]:
        """A function that evaluates the results, given a subscriber called v0 and the other inputs, in order."""
        parts = [part for result in results for part in _flat(_outputs(result))]
        evaluate = evaluator(parts, [self.u.me, *_flat(tuple(self._parts.values()))])

        def summaries(u: Subscriber, *others: state.Claim | str | bool | None) -> tuple[Summary, ...]:
            inputs = u.label, u.left, u.right, u.ring, *others
            numbers = iter(evaluate([0, *(number for given in inputs for number in _numbers(given))]))
            return tuple(_summary(result, numbers) for result in results)

        return summaries


def _name(model: Model, node: Term) -> str:
    return f"v{value(model, node)}"


def _outputs(result: rules.Result) -> tuple[Any, ...]:
    return result.node[1:], tuple((sent.when, sent.target, sent.claim) for sent in result.sends)


def _flat(value: Any) -> Iterator[Term]:
    if not isinstance(value, tuple):
        yield value
        return
    for part in value:
        yield from _flat(part)


def _numbers(value: state.Claim | str | bool | None) -> tuple[int | bool, ...]:
    match value:
        case state.Claim(label, node):
            return True, position(label), int(node[1:])
        case None:
            return False, 0, 0
        case bool():
            return (value,)
    return (position(value),)


def _summary(result: rules.Result, numbers: Iterator[Any]) -> Summary:
    u = Subscriber(label_at(next(numbers)), _claim(numbers), _claim(numbers), _claim(numbers))
    sends = [(sent.kind, next(numbers), f"v{next(numbers)}", _claim(numbers)) for sent in result.sends]
    return u, sorted(_sent(kind, target, claim) for kind, when, target, claim in sends if when)


def _claim(numbers: Iterator[Any]) -> state.Claim | None:
    there, label, node = next(numbers), next(numbers), next(numbers)
    return state.Claim(label_at(label), f"v{node}") if there else None


def _sent(kind: str, target: str, claim: state.Claim | None) -> Told:
    if kind == rules.PROBE:
        return rules.PROBE, target, "", target
    assert claim is not None, "only a probe is without a claim"
    return (rules.ASK, "", "", claim.node) if kind == rules.ASK else (kind, target, claim.label, claim.node)


def received(u: Subscriber, message: state.Message, me: str = "v0") -> Outcome:
    """The specification's outcome for a message that a node receives: the whole step, whichever rules it takes."""
    return PROTOCOL.actor.react(me, u, Received(message), *CERTAIN)


def specified(outcome: Outcome) -> Summary:
    """Summary of an outcome of the specification."""
    return outcome.local, sorted(_told(send.target, send.message) for send in outcome.sends)


def _told(target: str, message: state.Message) -> Told:
    match message:
        case state.Linearize(claim):
            return rules.LINEARIZE, target, claim.label, claim.node
        case state.Introduce(claim, flag):
            return rules.CYCLE if flag == state.CYCLE else rules.LIST, target, claim.label, claim.node
        case state.Probe():
            return rules.PROBE, target, "", target
        case state.GetConfiguration(node):
            return rules.ASK, "", "", node
    raise AssertionError(f"{message} is not encoded")


def lost(me: str, before: Sequence[state.Claim | None], outcome: Outcome) -> list[str]:
    """The other nodes in claims to which an outcome refers no more, in a slot, in a message, or by probing them."""
    stored = {slot.node for slot in slots(outcome.local)}
    sent = {_told(send.target, send.message)[-1] for send in outcome.sends}
    return sorted({claim.node for claim in before if claim is not None} - {me} - stored - sent)


def random_labels(random: Random) -> list[str]:
    """A few labels of at most so many bits: so few that two slots often have the same."""
    indices = 1 << random.randint(1, LONGEST)
    return [label_of(random.randrange(indices)) for _ in range(random.randint(3, 6))]


def random_claim(random: Random, labels: list[str]) -> state.Claim | None:
    """Any claim about v1 to v4, by one of these labels, or none."""
    return state.Claim(random.choice(labels), f"v{random.randint(1, 4)}") if random.random() < 0.7 else None


def sample(random: Random) -> tuple[Subscriber, state.Claim]:
    """A subscriber with any label and slots, to be called v0, and a claim; labels have up to 64 bits, and meet."""
    labels = random_labels(random)
    left, right, ring = (random_claim(random, labels) for _ in range(3))
    u = Subscriber(random.choice(labels), left, right, ring)
    said = [claim for claim in slots(u) if random.random() < 0.2]
    return u, next(iter(said), state.Claim(random.choice(labels), f"v{random.randrange(5)}"))
