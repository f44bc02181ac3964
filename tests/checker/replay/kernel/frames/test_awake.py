"""Sleeping nodes over time; neither rounds nor channels wait for them."""

import numpy as np

from tests.checker.replay.kernel.framed import Stages
from tests.checker.replay.kernel.stating import sleepy
from tests.toys.words.spec import UNORDERED, header, obeys, rests

SLEEPY = sleepy(UNORDERED)
LINES = [header(b="mad"), rests("a"), obeys("b", "bad"), obeys("a", "mad"), rests("a", "mad"), obeys("a", "good")]


def stays(spans):
    columns = (column.tolist() for column in (spans.slot, spans.start, spans.end))
    return list(zip(*columns, strict=True))


def test_without_sleeping_nodes_there_is_no_sleep():
    assert Stages(LINES).block.sleep is None
    assert Stages([header(), rests("a")], protocol=SLEEPY).block.sleep is None


def test_each_node_is_asleep_or_awake_at_each_position():
    sleep = Stages(LINES, [header(), rests("a")], protocol=SLEEPY).block.sleep
    assert stays(sleep.asleep) == [(0, 3, 5), (1, 0, 2)]
    assert stays(sleep.awake) == [(0, 0, 3), (0, 5, 6), (1, 2, 6), (2, 6, 8), (3, 6, 8)]
    assert sleep.traces().tolist() == [0]


def test_a_state_that_is_no_word_is_asked_nothing():
    stages = Stages([header(b="mad"), rests("b", "")], protocol=SLEEPY)
    assert stays(stages.block.sleep.asleep) == [(1, 0, 1)]


def test_since_when_a_node_sleeps():
    stages = Stages([header(), rests("a")], LINES, protocol=SLEEPY)
    sleep = stages.block.sleep
    positions = [(0, 0), (2, 2), (2, 5), (2, 6), (2, 7), (3, 2), (3, 4), (-1, 3)]
    slots, at = (np.array(column) for column in zip(*positions, strict=True))
    assert sleep.since(slots, at).tolist()[:-1] == [2, 5, 5, 6, 8, 2, 8]
    assert sleep.at(slots, at).tolist() == [False, False, True, True, False, True, False, False]
    assert sleep.since(slots, at)[-1] > 8


def test_a_node_asleep_at_the_start_has_not_fallen_asleep():
    sleep = Stages([*LINES, obeys("a", "mad")], protocol=SLEEPY).block.sleep
    assert sleep.falls_before(np.array([0, 0, 0, 1]), np.array([3, 4, 7, 6])).tolist() == [0, 1, 2, 0]
