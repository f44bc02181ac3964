"""Sleeping nodes: they are followed, have no faults, and let no bound pass. `runs.txt` has rounds and orders."""

import pytest

from gomboc.checker.judge.naive import DEFAULT
from gomboc.checker.judge.unknown import NO_FURTHER_ROUND, NO_NODE_AWAKE
from gomboc.spec.core.model import Fault
from tests.checker.judge.both import judged
from tests.checker.judge.protocols import ASLEEP, SLEEPY
from tests.checker.replay.kernel.packed import agree
from tests.toys.words.spec import (
    header,
    obeys,
    rests,
    system_and_steps,
    written,
)


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
