"""Sleeping nodes: they are followed, have no faults, and let no bound pass. `runs.txt` has rounds and orders."""

import pytest

from gomboc.checker.judge.fault_count import FaultCount, current_faults
from gomboc.checker.judge.naive import DEFAULT
from gomboc.checker.judge.unknown import NO_FURTHER_ROUND, NO_NODE_AWAKE
from gomboc.spec.core.model import Fault
from tests.checker.judge.both import judged
from tests.checker.judge.protocols import ASLEEP, SLEEPY, SLEEPY_FIFO
from tests.checker.replay.kernel.packed import agree
from tests.toys.words.spec import (
    header,
    hears,
    in_flight,
    obeys,
    rests,
    system_and_steps,
    tells,
    written,
)


def drops(node, id_):
    """The node is asleep, so a delivery to it has no effect."""
    return rests(node, ASLEEP, took=id_)


def test_a_node_falls_asleep_with_one_step_and_not_with_those_that_it_takes_asleep():
    system, steps = system_and_steps(
        header(), obeys("b", ASLEEP), rests("b", ASLEEP), obeys("b", "good"), obeys("b", ASLEEP), protocol=SLEEPY
    )
    assert [(system.apply(step), system.fell_asleep(step), set(system.asleep)) for step in steps] == [
        (None, True, {"b"}),
        (None, False, {"b"}),
        (None, False, set()),
        (None, True, {"b"}),
    ]


def test_fault_counts_match_the_definition_when_nodes_fall_asleep():
    start = header(messages=[(0, "b", "bad"), (1, "a", "bad")])
    steps = (
        obeys("b", ASLEEP),
        obeys("a", ASLEEP),
        drops("b", 0),
        tells("a", 2, ASLEEP),
        obeys("a", "x"),
        hears("a", 1, "bad"),
    )
    system, taken = system_and_steps(start, *steps, obeys("b", "bad"), obeys("b", "good"), protocol=SLEEPY)
    count, totals = FaultCount(SLEEPY, system), []
    for step in taken:
        count.observe(step, system.apply(step))
        totals.append(count.total)
        assert count.total == len(current_faults(SLEEPY, system))
    assert len(set(totals)) > 2


def test_under_fifo_fault_counts_match_the_definition_with_lost_messages():
    start = header(b="good", c="good", messages=[(9, "b", "bad")])
    steps = (
        rests("b", sent=in_flight((0, "c", "bad"), (1, "a", "bad"))),
        obeys("b", ASLEEP),
        rests("a", sent=in_flight((2, "b", "bad"), (3, "c", "bad"))),
        obeys("b", "good"),
        hears("c", 0, "bad"),
        obeys("a", ASLEEP),
    )
    system, taken = system_and_steps(start, *steps, protocol=SLEEPY_FIFO)
    count, totals = FaultCount(SLEEPY_FIFO, system), []
    for step in taken:
        count.observe(step, system.apply(step))
        totals.append(count.total)
        assert count.total == len(current_faults(SLEEPY_FIFO, system))
    assert totals == [3, 0, 1, 1, 2, 2]
    assert system.lost == {0, 1, 2, 3, 9}


NAPS = rests("a", ASLEEP), rests("b", ASLEEP), rests("a", ASLEEP)


@pytest.mark.parametrize("woken", [(), (obeys("b", "good"), rests("b"))])
def test_a_bound_does_not_pass_while_no_node_is_awake(woken):
    """The system is wrong for longer than the bound of 3 rounds."""
    mad = SLEEPY.changed(anchor_faults=lambda anchor: (Fault("never_right", "a", "a word", anchor, "Section 5"),))
    lines = header(a=ASLEEP, b=ASLEEP, protocol=mad), *NAPS, *NAPS, *woken
    assert judged(*lines, protocol=mad).exit_code() == 3
    (row,) = agree(mad, [written(*lines)], DEFAULT)
    assert row["verdict"] == "unknown"


ASLEEP_AT_FIRST = header(a=ASLEEP, b=ASLEEP, protocol=SLEEPY)


def test_both_judges_say_that_no_node_is_awake():
    woken = obeys("b", "good"), obeys("b", ASLEEP)
    awake = header(protocol=SLEEPY), rests("a"), rests("b")
    traces = [written(*lines) for lines in ((ASLEEP_AT_FIRST, *NAPS), (ASLEEP_AT_FIRST, *woken, *NAPS), awake)]
    rows = agree(SLEEPY, traces, DEFAULT)
    assert [row["verdict"] for row in rows] == ["unknown", "unknown", "holds"]
    assert [row["error"] for row in rows] == [NO_NODE_AWAKE, NO_FURTHER_ROUND, None]
