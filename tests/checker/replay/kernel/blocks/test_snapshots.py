"""Whole systems at single positions, held against the naive judge's system."""

from random import Random

from checker.judge.fault_count import in_flight_now
from tests.checker.replay.kernel.framed import Stages
from tests.checker.replay.kernel.telling import honest_trace
from tests.toys.words.spec import UNORDERED, header, in_flight, rests, system_and_steps

TRACES = [honest_trace(UNORDERED, Random(seed), 20) for seed in range(6)]


def by_definition(lines):
    system, steps = system_and_steps(*lines)
    yield dict(system.states), in_flight_now(system)
    for step in steps:
        system.apply(step)
        yield dict(system.states), in_flight_now(system)


def test_a_snapshot_is_the_system_at_that_position():
    snapshots = Stages(*TRACES).snapshots
    wanted = [each for lines in TRACES for each in by_definition(lines)]
    assert [tuple(snapshots.at(position)) for position in range(len(wanted))] == wanted


def test_a_walk_goes_through_every_system_that_differs_from_the_one_before():
    stages = Stages(*TRACES)
    for trace, lines in enumerate(TRACES):
        wanted, found = list(by_definition(lines)), {}
        for position, numbers in stages.snapshots.walk(trace, int(stages.last[trace])):
            found[position - int(stages.frame.base[trace])] = tuple(stages.snapshots.spelled(trace, numbers))
        at = None
        for position, each in enumerate(wanted):
            at = found.get(position, at)
            assert at == each


def test_a_walk_ends_where_it_is_told():
    sent = in_flight((0, "b", "good"))
    stages = Stages([header(), rests("a", sent=sent), rests("b", "bad"), rests("b")])
    assert [position for position, _ in stages.snapshots.walk(0, 2)] == [0, 1, 2]
    assert list(stages.snapshots.walk(0, -1)) == []
