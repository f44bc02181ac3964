"""Sleeping nodes over time; neither rounds nor channels wait for them."""

import numpy as np
import pytest

from gomboc.checker.replay.kernel.frames.channels import forbidden
from gomboc.checker.replay.kernel.frames.rounds import ends_of_rounds
from tests.checker.replay.kernel.framed import Stages
from tests.checker.replay.kernel.stating import sleepy
from tests.toys.words.spec import FIFO, ROUNDS, UNORDERED, header, hears, obeys, rests, tells

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


def rounds(*lines):
    stages = Stages(list(lines), protocol=SLEEPY)
    ends, at, result = ends_of_rounds(stages.block).tolist(), 0, []
    while (at := ends[at]) <= stages.last[0]:
        result.append(at)
    return result


def test_a_round_does_not_wait_for_sleeping_nodes_nor_messages_to_them():
    assert rounds(header(b="mad", messages=[(0, "b", "good")]), rests("a"), rests("a")) == [1, 2]


def test_a_node_that_falls_asleep_is_waited_for_no_more_and_nor_are_messages_to_it():
    start = header(messages=[(0, "b", "good"), (1, "a", "good")])
    assert rounds(start, rests("a"), obeys("b", "mad"), hears("a", 1), rests("a")) == [3, 4]


def test_a_node_that_wakes_up_is_waited_for_from_the_next_round_on():
    start = header(b="mad", messages=[(0, "b", "good")])
    steps = obeys("b", "good"), rests("a"), rests("a"), rests("b"), hears("b", 0)
    assert rounds(start, *steps) == [2, 5]


def test_a_timeout_during_sleep_does_not_count_after_waking_up():
    steps = rests("b", "mad"), rests("a"), rests("a"), obeys("b", "good"), rests("a"), rests("b")
    assert rounds(header(b="mad"), *steps) == [2, 3, 5]


def test_while_every_node_sleeps_no_round_ends():
    asleep = header(a="mad", b="mad"), rests("a", "mad"), rests("b", "mad")
    assert rounds(*asleep) == []
    assert rounds(*asleep, obeys("b", "good"), rests("b"), rests("a", "mad")) == [3, 4]
    assert rounds(header(b="mad"), obeys("a", "mad"), rests("a", "mad"), obeys("a", "good"), rests("a")) == [1, 3, 4]


@pytest.mark.parametrize("protocol", [FIFO, ROUNDS])
def test_lost_messages_are_forbidden_exactly_as_by_definition(protocol):
    """By example; test_channels.py holds it against the definition on random runs."""
    start = header(messages=[(0, "b", "good")], protocol=protocol)
    stages = Stages([start, obeys("b", "mad"), obeys("b", "good"), hears("b", 0)], protocol=sleepy(protocol))
    positions = forbidden(stages.block)
    assert positions.tolist() == ([3] if protocol is FIFO else [])


def test_a_node_that_falls_asleep_after_its_timeout_is_not_waited_for():
    assert rounds(header(), rests("b"), rests("a"), obeys("b", "mad"), rests("a")) == [2, 4]


def test_under_fifo_a_link_ends_with_the_first_delivery_sent_after_waking():
    steps = tells("a", 0), obeys("a", "mad"), obeys("a", "good"), tells("a", 1)
    for heard, wrong in (((0, 1), []), ((1, 0), [6]), ((1,), [])):
        lines = header(protocol=FIFO), *steps, *(hears("b", number) for number in heard)
        stages = Stages(list(lines), protocol=sleepy(FIFO))
        positions = forbidden(stages.block)
        assert positions.tolist() == wrong
