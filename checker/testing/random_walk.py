"""Random walks through any model, and verdicts on the model's promises over one finite run.

A model need not be a protocol, and has no trace: it defines its own steps.
`checker/simulate/spec_runner.py` runs protocols.
"""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from gomboc.checker.core.phrases import counted
from gomboc.checker.judge.verdict import Holds, Unknown, Verdict, Violated
from gomboc.spec.core.model import Kind, Model, Promise


def walk(model: Model, state: Any, random: Random, steps: int) -> Iterator[Any]:
    """`state`, and the states after each of at most `steps` steps; fewer where no action is enabled.

    The chances of one pick add up to 1. So weighting every action by its chance schedules each step equally often, and
    tosses its coins with their chances.
    """
    yield state
    for _ in range(steps):
        actions = model.enabled(state)
        if not actions:
            return
        (action,) = random.choices(actions, [float(model.chance(action)) for action in actions])
        state = model.step(state, action)
        yield state


def judge_run(promises: Iterable[Promise], run: Iterable[Any]) -> dict[str, Verdict]:
    """The verdict of a finite run on each promise, by its name; the run is a sequence of states, the first is number 0.

    A promise of an event that has not happened by its end is unknown, never violated: a longer run might still get
    there.
    """
    states = tuple(run)
    return {promise.name: _judge(promise, [promise.holds(state) for state in states]) for promise in promises}


def _judge(promise: Promise, holding: list[bool]) -> Verdict:
    first = holding.index(True) if True in holding else None
    match promise.kind:
        case Kind.ALWAYS:
            return _unbroken(promise, holding, 0)
        case Kind.STABLE:
            return _unbroken(promise, holding, len(holding) if first is None else first)
        case Kind.EVENTUALLY | Kind.SOMETIMES if first is None:
            return Unknown(f"it held in none of the {counted(len(holding), 'state')} of this run")
    return Holds(f"it held first in state {first} of this run")


def _unbroken(promise: Promise, holding: list[bool], start: int) -> Verdict:
    broken = [index for index in range(start, len(holding)) if not holding[index]]
    if broken:
        says = f"it is promised {promise.kind.value}, and is false in state {broken[0]}"
        return Violated(broken[0], promise.name, says, source=promise.source)
    return Holds(f"nothing in the {counted(len(holding), 'state')} of this run speaks against it")
