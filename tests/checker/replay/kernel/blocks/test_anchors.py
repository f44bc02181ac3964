"""The anchor at every position, whichever nodes decide it, and how rarely it is computed."""

from random import Random

import numpy as np
import pytest

from gomboc.spec.core.faults import anchor_of
from tests.checker.replay.kernel.framed import Stages
from tests.checker.replay.kernel.stating import peeking, sharing
from tests.checker.replay.kernel.telling import crowded, deferring, honest_trace, swallowing, wandering
from tests.toys.words.spec import UNORDERED, header, obeys, rests


def anchors_at(stages):
    stretches = stages.anchors.stretches(stages.block, stages.last)
    return [stages.anchors.known[stretches.anchor[entry]] for entry in stretches.at.tolist()]


def by_definition(stages, traces):
    wanted = []
    for lines in traces:
        states = {name: stages.judge.decoders.state("teller", state_text(state)) for name, state in _states(lines)}
        wanted.append(anchor_of(stages.protocol, states))
        for step in lines[1:]:
            states[step["node"]] = stages.judge.decoders.state("teller", state_text(step["state"]))
            wanted.append(anchor_of(stages.protocol, states))
    return wanted


def _states(lines):
    return lines[0]["states"].items()


def state_text(state):
    return b'{"text":"%b"}' % state["text"].encode()


@pytest.mark.parametrize("kind", [lambda protocol: protocol, crowded, deferring, swallowing, wandering])
def test_the_anchor_at_each_position_is_that_of_all_states_there(kind):
    protocol = kind(UNORDERED)
    for seed in range(8):
        traces = [honest_trace(protocol, Random(10 * seed + number), 12) for number in range(3)]
        stages = Stages(*traces, protocol=protocol)
        assert anchors_at(stages) == by_definition(stages, traces)


def test_nodes_that_do_not_matter_are_not_read():
    asked = []

    def anchor(states):
        asked.append(dict(states._given))
        return states["a"].text

    stages = Stages([header(), rests("b", "bad"), rests("b"), rests("b", "mad")], protocol=UNORDERED)
    stages.protocol = UNORDERED.changed(anchor=anchor)
    assert anchors_at(stages) == ["good"] * 4
    assert [list(states) for states in asked] == [[], ["a"]]


def test_no_anchor_is_asked_for_after_the_last_position_that_counts():
    stages = Stages([header(), rests("a"), obeys("a", "bad")], [header(b="bad"), rests("b")])
    stages.last[0] = 1
    stages.last[1] = stages.frame.base[1] - 1
    stretches = stages.anchors.stretches(stages.block, stages.last)
    assert stages.anchors.known == ["good"]
    assert stretches.start.tolist() == [0]


def test_a_sane_anchor_is_one_without_faults():
    stages = Stages([header(), obeys("a", "mad"), obeys("a", "bad")])
    anchors_at(stages)
    assert dict(zip(stages.anchors.known, stages.anchors.sane.tolist(), strict=True)) == {
        "good": True,
        "mad": False,
        "bad": True,
    }


def test_a_stretch_is_as_long_as_its_anchor_stays():
    stages = Stages([header(), rests("a"), obeys("a", "bad"), obeys("a", "bad")], [header(a="bad")])
    stretches = stages.anchors.stretches(stages.block, stages.last)
    assert stretches.start.tolist() == [0, 2]
    assert np.diff(stretches.at).tolist() == [0, 1, 0, 0]


@pytest.mark.parametrize("kind", [sharing, peeking])
def test_the_anchor_sees_shares_and_is_asked_no_more_often_than_one_changes(kind):
    """At most as often as a share changes in the trace, and twice more."""
    asked = 0

    def counted(shares):
        nonlocal asked
        asked += 1
        return protocol.legitimacy.anchor(shares)

    protocol = kind(UNORDERED)
    for seed in range(20):
        lines = honest_trace(protocol, Random(seed), 40, 0.2)
        stages = Stages(lines, protocol=protocol)
        stages.protocol, asked = protocol.changed(anchor=counted), 0
        anchors = anchors_at(stages)
        assert asked <= share_changes(lines) + 2
        assert anchors == by_definition(Stages(lines, protocol=protocol), [lines])


def share_changes(lines):
    shares = {name: state["text"] == "good" for name, state in _states(lines)}
    changes = 0
    for step in lines[1:]:
        changes += shares[step["node"]] != (step["state"]["text"] == "good")
        shares[step["node"]] = step["state"]["text"] == "good"
    return changes


def test_states_of_equal_share_are_one_interval():
    stages = Stages([header(), rests("b", "bad"), rests("b", "mad"), rests("b"), rests("a", "bad")])
    stages.protocol = sharing(UNORDERED)
    merged = stages.anchors._shares.merged(stages.block.turns.intervals, stages.last)
    columns = (column.tolist() for column in (merged.slot, merged.start, merged.end))
    assert list(zip(*columns, strict=True)) == [(0, 0, 4), (0, 4, 5), (1, 0, 1), (1, 1, 3), (1, 3, 5)]
