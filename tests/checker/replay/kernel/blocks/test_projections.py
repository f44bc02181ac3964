"""Whole systems as a promise looks at them, held against the naive judge's systems."""

from itertools import groupby
from random import Random

import numpy as np

from gomboc.checker.replay.kernel.blocks.projections import Looks, Projections
from gomboc.spec.core.protocol import whole
from tests.checker.replay.kernel.framed import Stages
from tests.checker.replay.kernel.telling import honest_trace
from tests.toys.words.spec import UNORDERED, Word, header, in_flight, rests, system_and_steps

TRACES = [honest_trace(UNORDERED, Random(seed), 20) for seed in range(6)]


def is_bad(word):
    """Of a message nothing, if it is good. States and messages are of one type here."""
    return word.text == "bad"


def bad_or_nothing(word):
    return True if word.text == "bad" else None


def by_definition(lines, projection):
    """All that is looked at, position by position."""
    system, steps = system_and_steps(*lines)
    yield _looked(system, projection)
    for step in steps:
        system.apply(step)
        yield _looked(system, projection)


def _looked(system, projection):
    states = {name: projection(local) for name, local in system.states.items()}
    seen = [(target, projection(message)) for target, message in system.now[1]]
    return states, [(target, projection) for target, projection in seen if projection is not None]


def walked(stages, projection, trace):
    """The stretches of a trace, with the projections of the decoded values, relative to the trace's beginning."""
    looks = Looks(stages.block, Projections(projection, stages.values), stages.last)
    base = int(stages.frame.base[trace])
    for low, high, look in looks.walk(trace):
        states, flying = looks.spelled(look)
        seen = [(target, projection(message)) for target, message in flying]
        yield low - base, high - base, ({name: projection(local) for name, local in states.items()}, seen)


def test_each_stretch_has_the_projections_of_all_its_positions():
    stages = Stages(*TRACES)
    for projection in (whole, is_bad, bad_or_nothing):
        for trace, lines in enumerate(TRACES):
            result = [seen for low, high, seen in walked(stages, projection, trace) for _ in range(low, high + 1)]
            assert result == list(by_definition(lines, projection))


def test_a_change_outside_the_projection_ends_no_stretch():
    stages = Stages(*TRACES)
    for trace, lines in enumerate(TRACES):
        changes = len(list(groupby(by_definition(lines, bad_or_nothing))))
        # A message that takes another's place looks the same, and ends a stretch nevertheless.
        assert len({str(seen) for *_, seen in walked(stages, bad_or_nothing, trace)}) <= changes
    quiet = Stages([header(), rests("a", sent=in_flight((0, "b", "good"))), rests("b", "mad")])
    assert [(low, high) for low, high, _ in walked(quiet, bad_or_nothing, 0)] == [(0, 2)]


def test_a_walk_ends_where_it_is_told():
    stages = Stages([header(), rests("a", sent=in_flight((0, "b", "good"))), rests("b", "bad"), rests("b")])
    projections = Projections(whole, stages.values)
    for last, stretches in ((2, [(0, 0), (1, 1), (2, 2)]), (-1, [])):
        looks = Looks(stages.block, projections, np.array([last]))
        assert [stretch for *stretch, _ in map(list, looks.walk(0))] == [list(entry) for entry in stretches]


def test_projections_of_unjudged_values_are_not_computed():
    """A projection need not be defined for values that are not canonical."""
    seen = []

    def projection(word):
        seen.append(word.text)
        return word.text

    stages = Stages([header(), rests("b", "bad"), rests("a", "mad", sent=in_flight((0, "b", "riddle")))])
    looks = Looks(stages.block, Projections(projection, stages.values), np.array([1]))
    assert len(list(looks.walk(0))) == 2
    assert set(seen) == {"good", "bad"}


def test_each_state_and_message_is_looked_at_once():
    seen = []

    def projection(word):
        seen.append(word)
        return word.text == "bad"

    stages = Stages(*TRACES)
    projections = Projections(projection, stages.values)
    for _ in range(2):
        Looks(stages.block, projections, stages.last)
    assert len(seen) <= 2 * len({*map(Word, ("good", "bad", "mad", "riddle", ""))})
