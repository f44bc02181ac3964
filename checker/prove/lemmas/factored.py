"""The factored replay: three conditions, each about one thing, instead of following a trace step by step."""

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

import z3

from checker.evidence.skip_ring.encodings.circle import truth
from checker.prove.encoding.judged import PlainStep, steps_of, verdict
from checker.prove.encoding.traces import (
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
from checker.prove.lemma import Lemma, Model, Obligation, Replayed, Sample, Statement, Term, Values

SHAPES = ((1, 2, 2), (2, 2, 2), (3, 2, 2), (4, 2, 1), (5, 1, 2), (6, 1, 2))
"""Traces that are looked at: how many steps, messages sent in each, and messages in flight from the start, at most."""

ALLOWED, STEPS, CHAIN, DELIVERIES = "allowed", "steps", "chain", "deliveries"
CONDITIONS: dict[str, Callable[[Trace, Callable[[tuple[Term, ...]], Term]], Term]] = {
    STEPS: steps_are_allowed,
    CHAIN: lambda trace, _allowed: steps_chain(trace),
    DELIVERIES: lambda trace, _allowed: deliveries_match(trace),
}


def allowed(parts: tuple[Term, ...]) -> Term:
    """Any relation at all between the parts of a local step."""
    relation = z3.Function(ALLOWED, *[z3.IntSort()] * len(parts), z3.BoolSort())
    return relation(*parts)


def _conditions(trace: Trace, without: str = "") -> Term:
    return z3.And(*(holds(trace, allowed) for name, holds in CONDITIONS.items() if name != without))


def _equivalent(fresh: bool = True) -> Iterator[Obligation]:
    for shape in SHAPES:
        trace = any_trace(*shape)
        given = (ids_are_fresh(trace),) if fresh else ()
        claim = conforms(trace, allowed) == _conditions(trace)
        yield Obligation(_title(shape), claim, given, partial(_read, trace))


def _sufficient(without: str) -> Iterator[Obligation]:
    for shape in SHAPES:
        trace = any_trace(*shape)
        claim = z3.Implies(_conditions(trace, without), conforms(trace, allowed))
        yield Obligation(_title(shape), claim, (ids_are_fresh(trace),), partial(_read, trace))


def _title(shape: tuple[int, int, int]) -> str:
    return f"{shape[0]} steps, {shape[1]} messages sent in each, {shape[2]} in flight at the start"


def _read(trace: Trace, model: Model) -> Values:
    """A trace of plain values, in the form that `judged` judges."""
    steps = [_plain(step, model) for step in trace.steps]
    in_flight = [_sent(message, model) for message in trace.in_flight if _truth(message.there, model)]
    targets = [sent[1] for sent in (*in_flight, *(sent for step in steps for sent in step["sent"]))]
    nodes = sorted({step["node"] for step in steps} | set(targets))
    return {
        "initial": {node: f"s{_number(trace.initial(z3.IntVal(int(node[1:]))), model)}" for node in nodes},
        "in_flight": in_flight,
        "steps": steps,
        "allowed": [_truth(allowed(local_step(step, step.before, step.received)), model) for step in trace.steps],
    }


def _plain(step: Step, model: Model) -> dict[str, Any]:
    delivers = _truth(step.delivers, model)
    return {
        "node": f"n{_number(step.node, model)}",
        "took": _number(step.took, model) if delivers else None,
        "received": f"c{_number(step.received, model)}" if delivers else None,
        "before": f"s{_number(step.before, model)}",
        "after": f"s{_number(step.after, model)}",
        "sent": [_sent(message, model) for message in step.sent if _truth(message.there, model)],
    }


def _sent(message: Message, model: Model) -> tuple[int, str, str]:
    number, target, content = (_number(part, model) for part in message[1:])
    return number, f"n{target}", f"c{content}"


def _number(term: Term, model: Model) -> int:
    return int(model.eval(term, model_completion=True).as_long())


def _truth(term: Term, model: Model) -> bool:
    return bool(z3.is_true(model.eval(term, model_completion=True)))


def _replay(values: Values) -> Replayed:
    return Replayed("conforms", verdict(values))


def random_trace(random: Random) -> dict[str, Any]:
    """A trace that conforms, or one like it with something changed."""
    states, in_flight = {"n0": "s0", "n1": "s1"}, [(0, "n0", "c0"), (1, "n1", "c1")]
    waiting, steps, values = list(in_flight), [], {"initial": dict(states), "in_flight": in_flight}
    for place in range(random.randint(1, 4)):
        node = random.choice(sorted(states))
        ready = [message for message in waiting if message[1] == node]
        taken = random.choice(ready) if ready and random.random() < 0.7 else None
        if taken is not None:
            waiting.remove(taken)
        sent = (
            [(2 + place, random.choice(sorted(states)), random.choice(("c0", "c1")))] if random.random() < 0.5 else []
        )
        after = random.choice(("s0", "s1"))
        took, received = (taken[0], taken[2]) if taken else (None, None)
        steps.append(PlainStep(node, took, received, states[node], after, sent))
        states[node], waiting = after, waiting + sent
    steps = [_altered(step, random) if random.random() < 0.15 else step for step in steps]
    allowed = [random.random() < 0.95 for _ in steps]
    return {**values, "steps": [_written(step) for step in steps], "allowed": allowed}


def _altered(step: PlainStep, random: Random) -> PlainStep:
    node, took, received, before, after, sent = (getattr(step, field) for field in step.__struct_fields__)
    match random.choice(("node", "took", "received", "before", "after", "sent")):
        case "node":
            node = random.choice(("n0", "n1"))
        case "took" if took is not None:
            took = random.randrange(5)
        case "received" if took is not None:
            received = random.choice(("c0", "c1"))
        case "before":
            before = random.choice(("s0", "s1"))
        case "after":
            after = random.choice(("s0", "s1"))
        case "sent":
            sent = [(random.randrange(5), "n0", "c0")]
    return PlainStep(node, took, received, before, after, sent)


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


def _contrast(says: str, without: str) -> Statement:
    return Statement(f"... without the condition that {says}", partial(_sufficient, without), False, _replay)


LEMMAS = (
    Lemma(
        name="factored_replay_is_replay",
        statement=Statement(
            "A trace conforms if and only if each local step is one that the specification allows, the steps of each "
            "node chain, and each delivery takes a message that was sent earlier to this node, with this content, and "
            "not delivered before.",
            _equivalent,
        ),
        source="none: it is about how traces are judged, whatever the paper",
        ranges_over="traces of up to 4 steps with 2 messages sent in each, and up to 6 with 1, from 1 or 2 in flight; "
        "any nodes, states, contents, ids, and any relation of allowed steps",
        contrasts=(
            _contrast("local steps are allowed", STEPS),
            _contrast("the steps of each node chain", CHAIN),
            _contrast("deliveries take a matching message", DELIVERIES),
            Statement("... if an id may be given to two messages", partial(_equivalent, False), holds=False),
        ),
        agrees_with_spec=_agrees,
        about="the naive replay of this project, with unordered channels",
    ),
)
