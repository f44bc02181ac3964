"""Premise and assumption in columns: where each is asked, and what is found."""

import numpy as np

from gomboc.checker.replay.kernel.blocks.promises import broken_assumptions, lacking_premises
from tests.checker.replay.kernel.framed import Stages
from tests.checker.replay.kernel.stating import assuming, presuming
from tests.toys.words.spec import UNORDERED, header, obeys, rests


def assumptions(*traces, last=None):
    stages = Stages(*traces, protocol=assuming(UNORDERED))
    commands = stages.frame.position[stages.distinct.took[stages.frame.step] == 2]
    return broken_assumptions(stages.protocol, stages.snapshots, commands, stages.last if last is None else last)


def test_an_assumption_is_asked_for_at_the_start_and_after_commands_only():
    silent = [header(b="bad"), rests("a", "bad"), rests("b", "bad")]
    asked = [*silent, rests("b", "bad"), obeys("b", "bad"), obeys("b", "bad")]
    found, why = assumptions(silent, asked, [header(a="bad", b="bad"), rests("a")])
    assert found.tolist() == [-1, 7, 9]
    assert why == {
        1: "assumption broken at step 4: few_are_bad",
        2: "assumption broken at the start: few_are_bad",
    }


def test_nothing_is_assumed_of_what_is_not_judged():
    found, _ = assumptions([header(b="bad"), obeys("a", "bad")], last=np.array([0]))
    assert found.tolist() == [-1]


def test_a_premise_is_asked_for_at_positions_and_answered_by_position():
    traces = [header(b="mad"), rests("a")], [header(b="bad"), rests("a"), obeys("b", "mad")]
    stages = Stages(*traces, protocol=presuming(UNORDERED))
    lacks = "premise: nobody_is_mad at b is false {}, so convergence is not promised"
    wanted = {0: lacks.format("at the start"), 4: lacks.format("at step 2")}
    assert lacking_premises(stages.protocol, stages.snapshots, np.arange(stages.frame.size)) == {
        **wanted,
        1: lacks.format("at step 1"),
    }
    assert lacking_premises(stages.protocol, stages.snapshots, np.array([0, 2, 4])) == wanted
    assert lacking_premises(UNORDERED, stages.snapshots, np.array([0, 2, 4])) == {}
