"""Positions without faults, compared with the definition; and how few evaluations it takes."""

from random import Random

import pytest

from gomboc.checker.replay.kernel.blocks.legitimacy import KnownFaults, legitimate_positions
from gomboc.spec.core.faults import legitimacy_faults
from tests.checker.replay.kernel.framed import Stages
from tests.checker.replay.kernel.telling import crowded, honest_trace, wandering
from tests.toys.words.spec import UNORDERED, header, hears, in_flight, node_faults, rests, system_and_steps


def good(stages):
    return legitimate_positions(stages.block, stages.last, KnownFaults(stages.protocol, stages.values)).tolist()


def faults_by_definition(protocol, lines):
    system, steps = system_and_steps(*lines, protocol=protocol)
    result = [legitimacy_faults(protocol, *system.now)]
    for step in steps:
        system.apply(step)
        result.append(legitimacy_faults(protocol, *system.now))
    return result


@pytest.mark.parametrize("kind", [lambda protocol: protocol, crowded, wandering])
def test_a_position_is_legitimate_where_the_definition_says_so(kind):
    protocol = kind(UNORDERED)
    seen = set()
    for seed in range(8):
        traces = [honest_trace(protocol, Random(10 * seed + number), 15) for number in range(3)]
        wanted = [not faults for lines in traces for faults in faults_by_definition(protocol, lines)]
        assert good(Stages(*traces, protocol=protocol)) == wanted
        seen.update(wanted)
    assert seen == {True, False}


START = header(messages=[(0, "b", "bad")])
LINES = [START, rests("a"), hears("b", 0, "bad"), rests("b"), rests("a", sent=in_flight((1, "b", "mad"))), rests("b")]


def test_a_message_in_flight_is_faulty_until_it_is_taken():
    assert good(Stages(LINES)) == [False, False, False, True, False, False]


def test_nothing_is_legitimate_after_the_last_position_that_counts():
    stages = Stages([header(), rests("a"), rests("b")], [header()])
    stages.last[0] = 1
    assert good(stages) == [True, True, False, True]
    stages.last[:] = stages.frame.base[:-1] - 1
    assert good(stages) == [False] * 4


def test_where_one_node_is_faulty_the_others_are_not_asked():
    asked = []

    def counted(anchor, me, local):
        asked.append(me)
        return node_faults(anchor, me, local)

    stages = Stages([header(b="bad", c="bad"), rests("a"), rests("b", "bad"), rests("c", "bad")])
    faults = KnownFaults(UNORDERED.changed(node_faults=counted), stages.values)
    legitimate_positions(stages.block, stages.last, faults)
    assert asked == ["a", "b"]


def test_nothing_is_asked_twice():
    asked = []

    def counted(anchor, me, local):
        asked.append((anchor, me, local))
        return node_faults(anchor, me, local)

    traces = [honest_trace(UNORDERED, Random(seed), 30) for seed in range(6)]
    stages = Stages(*traces)
    faults = KnownFaults(UNORDERED.changed(node_faults=counted), stages.values)
    for _ in range(2):
        legitimate_positions(stages.block, stages.last, faults)
    assert len(asked) == len(set(asked)) > 3
