"""The factored replay: three conditions, each about one aspect, instead of following a trace step by step."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import z3
from msgspec.structs import replace

from gomboc.checker.judge.conformance import Conformance
from gomboc.checker.judge.system import System
from gomboc.checker.prove.encoding.replayed import PlainStep, steps_of, verdict
from gomboc.checker.prove.encoding.traces import (
    Message,
    Step,
    Trace,
    any_trace,
    conforms,
    deliveries_match,
    ids_are_fresh,
    local_step,
    steps_are_allowed,
    steps_chain,
)
from gomboc.checker.prove.evaluate import truth, value
from gomboc.checker.prove.lemma import Model, Obligation, Replayed, Sample, Term, Values
from gomboc.checker.prove.wording import Attempt, Proof, read_lemmas

SHAPES = ((1, 2, 2), (2, 2, 2), (3, 2, 2), (4, 2, 1), (5, 1, 2), (6, 1, 2))
"""Shapes of the traces: maximal numbers of steps, of messages sent in each, and of messages in flight at first."""

ALLOWED, STEPS, CHAIN, DELIVERIES = "allowed", "steps", "chain", "deliveries"
CONDITIONS: dict[str, Callable[[Trace, Callable[[tuple[Term, ...]], Term]], Term]] = {
    STEPS: steps_are_allowed,
    CHAIN: lambda trace, _allowed: steps_chain(trace),
    DELIVERIES: lambda trace, _allowed: deliveries_match(trace),
}


def allowed(parts: tuple[Term, ...]) -> Term:
    """An arbitrary relation between the parts of a local step."""
    relation = z3.Function(ALLOWED, *[z3.IntSort()] * len(parts), z3.BoolSort())
    return relation(*parts)


def _conditions(trace: Trace, without: str = "") -> Term:
    return z3.And(*(holds(trace, allowed) for name, holds in CONDITIONS.items() if name != without))


def _equivalent(fresh: bool = True) -> Iterator[Obligation]:
    for shape in SHAPES:
        trace = any_trace(*shape)
        hypotheses = (ids_are_fresh(trace),) if fresh else ()
        claim = conforms(trace, allowed) == _conditions(trace)
        yield Obligation(_title(shape), claim, hypotheses, partial(_read, trace))


def _sufficient(without: str) -> Iterator[Obligation]:
    for shape in SHAPES:
        trace = any_trace(*shape)
        claim = z3.Implies(_conditions(trace, without), conforms(trace, allowed))
        yield Obligation(_title(shape), claim, (ids_are_fresh(trace),), partial(_read, trace))


def _title(shape: tuple[int, int, int]) -> str:
    return f"{shape[0]} steps, {shape[1]} messages sent in each, {shape[2]} in flight at the start"


def _read(trace: Trace, model: Model) -> Values:
    """A trace of plain values, in the form that `replayed` judges."""
    steps = [_plain(step, model) for step in trace.steps]
    in_flight = [_sent(message, model) for message in trace.in_flight if value(model, message.there)]
    targets = [sent[1] for sent in (*in_flight, *(sent for step in steps for sent in step["sent"]))]
    nodes = sorted({step["node"] for step in steps} | set(targets))
    return {
        "initial": {node: f"s{value(model, trace.initial(z3.IntVal(int(node[1:]))))}" for node in nodes},
        "in_flight": in_flight,
        "steps": steps,
        "allowed": [value(model, allowed(local_step(step, step.before, step.received))) for step in trace.steps],
    }


def _plain(step: Step, model: Model) -> dict[str, Any]:
    delivers = value(model, step.delivers)
    return {
        "node": f"n{value(model, step.node)}",
        "took": value(model, step.took) if delivers else None,
        "received": f"c{value(model, step.received)}" if delivers else None,
        "before": f"s{value(model, step.before)}",
        "after": f"s{value(model, step.after)}",
        "sent": [_sent(message, model) for message in step.sent if value(model, message.there)],
    }


def _sent(message: Message, model: Model) -> tuple[int, str, str]:
    number, target, content = (value(model, part) for part in message[1:])
    return number, f"n{target}", f"c{content}"


def _replay(values: Values) -> Replayed:
    return Replayed("conforms", verdict(values))


Sends = list[tuple[int, str, str]]


class Draft(msgspec.Struct):
    """A trace under construction: the states of its nodes, its messages in flight and delivered, and its steps."""

    states: dict[str, str]
    waiting: Sends
    taken: Sends
    steps: list[PlainStep]

    def add(self, random: Random, node: str, taken: tuple[int, str, str] | None, sent: Sends) -> None:
        """A step of a node, which takes a message or its timeout, and chains."""
        after = random.choice(("s0", "s1"))
        took, received = (None, None) if taken is None else (taken[0], taken[2])
        self.steps.append(PlainStep(node, took, received, self.states[node], after, sent))
        self.states[node] = after


def honest(random: Random, in_flight: Sends) -> Draft:
    """A trace of up to four steps that conforms, if each of its steps is allowed."""
    draft = Draft({"n0": "s0", "n1": "s1"}, list(in_flight), [], [])
    for number in range(random.randint(1, 4)):
        node = random.choice(sorted(draft.states))
        ready = [message for message in draft.waiting if message[1] == node]
        taken = random.choice(ready) if ready and random.random() < 0.7 else None
        if taken is not None:
            draft.waiting.remove(taken)
            draft.taken.append(taken)
        sent = [(2 + number, random.choice(("n0", "n1")), random.choice(("c0", "c1")))][: random.randrange(2)]
        draft.add(random, node, taken, sent)
        draft.waiting += sent
    return draft


def _again(draft: Draft, random: Random) -> None:
    """A message is delivered twice."""
    for message in draft.taken[:1]:
        draft.add(random, message[1], message, [])


def _to_another(draft: Draft, random: Random) -> None:
    """A message is delivered to a node that is not its target."""
    for message in draft.waiting[:1]:
        draft.add(random, "n1" if message[1] == "n0" else "n0", message, [])


def _altered(draft: Draft, random: Random) -> None:
    """A message is delivered with another content, where the same step with the right content is allowed."""
    for number, target, content in draft.waiting[:1]:
        draft.add(random, "n1" if target == "n0" else "n0", None, [(8, target, content)])
        state = draft.states[target]
        for took, received in ((8, content), (number, "c1" if content == "c0" else "c0")):
            draft.steps.append(PlainStep(target, took, received, state, state, []))


def _from_unknown_node(draft: Draft, random: Random) -> None:
    """A message is delivered that is never sent, or only later."""
    draft.add(random, "n0", (9, "n0", "c0"), [])
    if random.random() < 0.5:
        draft.add(random, "n1", None, [(9, "n0", "c0")])


def _unchained(draft: Draft, random: Random) -> None:
    """A node is in another state than after its last step."""
    index = random.randrange(len(draft.steps))
    before = "s1" if draft.steps[index].before == "s0" else "s0"
    draft.steps[index] = replace(draft.steps[index], before=before)


def _given_again(draft: Draft, random: Random) -> None:
    """A second message has the id of an earlier one."""
    draft.add(random, "n0", None, [(random.choice((0, 1)), "n1", "c0")])


Lie = Callable[[Draft, Random], None]
LIES: tuple[Lie, ...] = _again, _to_another, _altered, _from_unknown_node, _unchained, _given_again
"""Each breaks one condition only."""


def random_trace(random: Random, lie: Lie | None = None) -> dict[str, Any]:
    """A trace that conforms, or one with a lie or with a step that is not allowed; or with `lie`, if it fits."""
    in_flight = [(0, "n0", "c0"), (1, "n1", "c1")]
    draft = honest(random, in_flight)
    initial = {"n0": "s0", "n1": "s1"}
    if lie is not None or random.random() < 0.6:
        (lie or random.choice(LIES))(draft, random)
    allowed = [lie is not None or random.random() < 0.95 for _ in draft.steps]
    steps = [_written(step) for step in draft.steps]
    return {"initial": initial, "in_flight": in_flight, "steps": steps, "allowed": allowed}


def _written(step: PlainStep) -> dict[str, Any]:
    return {field: getattr(step, field) for field in step.__struct_fields__}


def as_trace(values: Values) -> Trace:
    """A plain trace as terms."""
    initial = {int(node[1:]): _text(state) for node, state in values["initial"].items()}

    def state(node: Term) -> Term:
        return z3.If(node == 0, initial[0], initial[1])

    steps = tuple(_as_step(step) for step in steps_of(values))
    return Trace(state, tuple(map(_as_message, values["in_flight"])), steps)


def _as_step(step: PlainStep) -> Step:
    none = z3.BoolVal(False), *[z3.IntVal(0)] * 3
    sent = Message(*none) if not step.sent else _as_message(step.sent[0])
    took = z3.IntVal(0 if step.took is None else step.took)
    states = _text(step.before), _text(step.after)
    return Step(_text(step.node), z3.BoolVal(step.took is not None), took, _text(step.received), *states, (sent,))


def _as_message(sent: tuple[int, str, str]) -> Message:
    return Message(z3.BoolVal(True), z3.IntVal(sent[0]), _text(sent[1]), _text(sent[2]))


def _text(name: str | None) -> Term:
    return z3.IntVal(0 if name is None else int(name[1:]))


def _agrees(random: Random) -> Sample:
    values = random_trace(random)
    trace = as_trace(values)
    listed = [
        local_step(s, s.before, s.received) for s, right in zip(trace.steps, values["allowed"], strict=True) if right
    ]

    def is_listed(parts: tuple[Term, ...]) -> Term:
        return z3.Or(*(z3.And(*(one == other for one, other in zip(parts, row, strict=True))) for row in listed))

    fresh = ids_are_fresh(trace)
    factored = z3.And(fresh, *(holds(trace, is_listed) for holds in CONDITIONS.values()))
    encoded = truth(z3.And(fresh, conforms(trace, is_listed))), truth(factored)
    judged = verdict(values) == "conforms"
    return Sample(values, encoded, (judged, judged))


PROOF = Proof(
    (
        Attempt(_equivalent),
        *(Attempt(partial(_sufficient, condition), _replay) for condition in CONDITIONS),
        Attempt(partial(_equivalent, False)),
    ),
    _agrees,
    (Conformance.judge, System.apply),
)
LEMMAS = read_lemmas(Path(__file__).with_name("lemmas.toml"), {"factored_replay_is_replay": PROOF})
