"""Premise and assumption in columns: the positions at which each is evaluated, and the findings."""

import numpy as np

from gomboc.checker.replay.kernel.blocks.promises import broken_assumptions, lacking_premises, premises_that_ended
from gomboc.checker.replay.kernel.blocks.stabilisation import Stretches
from tests.checker.replay.kernel.framed import Stages
from tests.checker.replay.kernel.stating import assuming, obeying, presuming, reporting, whispering
from tests.toys.words.spec import UNORDERED, header, obeys, rests


def said(lacking):
    """Step, rule and node of each missing premise."""
    return {key: (number, fault.rule, fault.node) for key, (number, fault) in lacking.items()}


def assumptions(*traces, last=None):
    stages = Stages(*traces, protocol=assuming(UNORDERED))
    return broken_assumptions(stages.block, stages.last if last is None else last)


def test_an_assumption_is_asked_for_at_the_start_and_after_commands_only():
    silent = [header(b="bad"), rests("a", "bad"), rests("b", "bad")]
    asked = [*silent, rests("b", "bad"), obeys("b", "bad"), obeys("b", "bad")]
    result, why = assumptions(silent, asked, [header(a="bad", b="bad"), rests("a")])
    assert result.tolist() == [-1, 7, 9]
    assert {trace: (fault.rule, fault.node) for trace, fault in why.items()} == {
        1: ("few_are_bad", ""),
        2: ("few_are_bad", ""),
    }


def test_the_assumption_is_not_evaluated_beyond_judging():
    result, _ = assumptions([header(b="bad"), obeys("a", "bad")], last=np.array([0]))
    assert result.tolist() == [-1]


def test_a_premise_is_asked_for_at_positions_and_answered_by_position():
    traces = [header(b="mad"), rests("a")], [header(b="bad"), rests("a"), obeys("b", "mad")]
    stages = Stages(*traces, protocol=presuming(UNORDERED))
    wanted = {0: (0, "no_node_is_mad", "b"), 4: (2, "no_node_is_mad", "b")}
    assert said(lacking_premises(stages.block, np.arange(stages.frame.size))) == {
        **wanted,
        1: (1, "no_node_is_mad", "b"),
    }
    assert said(lacking_premises(stages.block, np.array([0, 2, 4]))) == wanted
    assert lacking_premises(Stages(*traces).block, np.array([0, 2, 4])) == {}


def test_an_assumption_on_commands_is_not_evaluated_at_the_start():
    stages = Stages([header(a="bad", b="bad"), rests("a", "bad"), obeys("b", "bad")], protocol=obeying(UNORDERED))
    result, why = broken_assumptions(stages.block, stages.last)
    assert (result.tolist(), why[0].rule) == ([2], "few_are_bad")


def test_what_a_command_tells_is_judged_by_the_states_before_it():
    told = [header(a="mad"), rests("a", "mad"), obeys("b", "mad"), obeys("a", "bad"), obeys("a", "bad")]
    twice = [header(), obeys("a", "bad"), obeys("a", "mad"), obeys("b", "bad")]
    stages = Stages(told, twice, protocol=reporting(UNORDERED))
    result, why = broken_assumptions(stages.block, stages.last)
    assert (result.tolist(), [*why], why[0].rule, why[0].node) == ([3, -1], [0], "no_mad_node_is_told_bad", "a")


def ended(undecided, began=0):
    """The missing premise after two quiet commands; the second ends the premise, and may be decided before."""
    trace = [header(b="bad"), rests("a"), obeys("b", "bad"), rests("a"), obeys("b", "mad"), rests("b", "mad")]
    stages = Stages(trace, protocol=whispering(UNORDERED))
    never = np.array([-1])
    stretches = Stretches(np.array([0]), np.array([began]), never, np.array([undecided]))
    return said(premises_that_ended(stages.block, np.array([2, 4]), stretches))


def test_a_premise_is_asked_for_after_quiet_commands_until_a_stretch_is_legitimate_or_late():
    lacks = (4, "no_node_is_mad", "b")
    assert ended(undecided=4) == ended(undecided=5) == {0: lacks}
    assert ended(undecided=4, began=3) == {3: lacks}
    assert ended(undecided=3) == ended(undecided=5, began=4) == {}
