"""Whole systems at single positions of a block, held against the naive judge's system."""

from random import Random

from tests.checker.replay.kernel.framed import Stages
from tests.checker.replay.kernel.telling import honest_trace
from tests.toys.words.spec import UNORDERED, system_and_steps

TRACES = [honest_trace(UNORDERED, Random(seed), 20) for seed in range(6)]


def by_definition(lines):
    system, steps = system_and_steps(*lines)
    yield dict(system.now[0]), system.now[1]
    for step in steps:
        system.apply(step)
        yield dict(system.now[0]), system.now[1]


def test_a_snapshot_is_the_system_at_that_position():
    block = Stages(*TRACES).block
    wanted = [entry for lines in TRACES for entry in by_definition(lines)]
    assert [tuple(block.at(position)) for position in range(len(wanted))] == wanted
