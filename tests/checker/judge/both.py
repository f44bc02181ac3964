"""The toy's traces judged by both judges: each example of the naive judge is one of the factored judge, too."""

from collections.abc import Iterable
from typing import Any

from gomboc.checker.judge.fault_count import FaultCount
from gomboc.checker.judge.naive import DEFAULT, Options
from gomboc.checker.judge.rounds import Rounds
from gomboc.checker.judge.system import System
from gomboc.checker.judge.verdict import Judgement
from gomboc.checker.replay.kernel.frames.rounds import ends_of_rounds
from gomboc.checker.traces.trace import Step
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.protocol import Protocol
from tests.checker.replay.kernel.framed import Stages
from tests.checker.replay.kernel.packed import agree
from tests.toys.words import spec as toy

Line = dict[str, Any]


def judged(*lines: Line, protocol: Protocol = toy.UNORDERED, options: Options = DEFAULT) -> Judgement:
    """The judgement of a trace, whose header is written for `protocol`; the factored judge says the same."""
    head, *steps = lines
    judgement: Judgement = toy.judged(*lines, protocol=protocol, options=options)
    written = toy.written({**head, "protocol": protocol.name}, *steps)
    agree(protocol, [written], options, head["parameters"])
    return judgement


def rounds_after_each_step(*lines: Line, protocol: Protocol = toy.UNORDERED) -> list[int]:
    """The rounds that are completed after each step; counted by both judges."""
    system, steps = toy.system_and_steps(*lines, protocol=protocol)
    rounds, counted = Rounds(system), []
    for number, step in enumerate(steps, 1):
        system.apply(step)
        rounds.observe(number, step)
        counted.append(rounds.completed)
    assert counted == _rounds_in_columns(lines, protocol)
    return counted


def faults_after_each_step(protocol: Protocol, system: System, steps: Iterable[Step]) -> list[int]:
    """The faults at the start and after each step, which the system takes; each count is that of the definition."""
    count = FaultCount(protocol, system)
    totals = [count.total]
    for number, step in enumerate(steps, 1):
        count.observe(step, system.apply(step))
        assert count.total == len(legitimacy_faults(protocol, *system.now)), f"after step {number}"
        totals.append(count.total)
    return totals


def _rounds_in_columns(lines: tuple[Line, ...], protocol: Protocol) -> list[int]:
    stages = Stages([{**lines[0], "protocol": protocol.name}, *lines[1:]], protocol=protocol)
    ends, position, counted = ends_of_rounds(stages.block).tolist(), 0, [0] * len(lines)
    while (position := ends[position]) < len(lines):
        counted[position:] = [completed + 1 for completed in counted[position:]]
    return counted[1:]
