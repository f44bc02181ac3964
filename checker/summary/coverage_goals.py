"""Coverage goals of a corpus: outcomes that are frequent among single steps from arbitrary starts.

A corpus in which a rule never had an outcome that it has in a tenth of all arbitrary states has not tested that rule.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from gomboc.checker.distinct.judging import LocalJudge
from gomboc.checker.distinct.spelling import SpelledStep, SpelledSteps
from gomboc.checker.judge.conformance import as_delivered
from gomboc.checker.summary.coverage import Demanded, outcomes
from gomboc.spec.core.domain import sampler
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.model import CERTAIN, Input, Received, Timeout
from gomboc.spec.core.protocol import Protocol, Size, Start

STARTS = 100
"""Number of arbitrary starts, for all sizes together."""

MOST_MEMBERS = 6
"""Maximal number of members: larger systems have no other guards, and only take longer."""

SHARE = 10
"""An outcome is required if it happens in one of so many cases."""


def demanded(protocol: Protocol, sizes: Iterable[int]) -> Demanded:
    """The coverage goals of a corpus of systems of those sizes; empty if there are none."""
    chosen = sorted({min(size, MOST_MEMBERS) for size in sizes if size})
    if not chosen:
        return Demanded()
    judge = LocalJudge(protocol)
    false: Counter[str] = Counter()
    steps: list[SpelledStep] = []
    spaces = [sampler(protocol.starts.space(Size(nodes, 3 * nodes, 2 * nodes))) for nodes in chosen]
    for number in range(STARTS):
        random = Random(number)
        start = spaces[number % len(chosen)](random)
        false.update({fault.rule for fault in legitimacy_faults(protocol, dict(start.locals), start.in_flight)})
        steps += _steps(protocol, start, random)
    if steps:
        judge.steps(SpelledSteps(*zip(*steps, strict=True)))
    often = tuple(sorted(name for name, times in false.items() if times * SHARE >= STARTS))
    done = [
        (rule.rule, outcome)
        for rule in outcomes(judge.effects.fired.items())
        for outcome, times in rule.outcomes().items()
        if times * SHARE >= rule.fired
    ]
    return Demanded(tuple(done), often)


def _steps(protocol: Protocol, start: Start, random: Random) -> Iterator[SpelledStep]:
    """The timeout of every node that is awake, and the delivery of every message, each from the start."""
    states = dict(start.locals)
    inputs: list[tuple[str, Input]] = [
        (name, Timeout()) for name in states if not protocol.environment.asleep(states[name])
    ]
    inputs += [(target, Received(message)) for target, message in start.in_flight]
    for name, taken in inputs:
        try:
            protocol.actor.rule(states[name], taken)
        except KeyError:
            continue
        yield _step(protocol, name, states[name], taken, random)


def _step(protocol: Protocol, name: str, before: Any, taken: Input, random: Random) -> SpelledStep:
    choices = protocol.actor.choices(name, before, taken)
    choice = random.choice(choices)
    outcome = protocol.actor.react(name, before, taken, choice)
    coin = None if choices == CERTAIN else choice.name
    return SpelledStep(name, before, taken, outcome.local, outcome.sends, coin, list(as_delivered(outcome)))
