"""Dijkstra's line of four states, explored: the worst number of moves is known."""

import pytest

from gomboc.checker.explore.graph.examine import examine
from gomboc.checker.explore.questions.question import Fairness, Question
from gomboc.checker.judge.verdict import Holds
from tests.plugins.four_state_ring import four_state_ring
from tests.plugins.promises import findings


@pytest.mark.parametrize("machines", [3, 4, 5, 6])
def test_it_converges_in_that_many_moves_at_most(machines):
    exploration = examine(four_state_ring(machines), Question(fairness=Fairness.NONE))
    can, must, worst = findings(exploration)
    assert exploration.extent.states == 4 ** (machines - 1)
    assert [type(finding.verdict) for finding in (can, must, *findings(exploration, "closure"))] == [Holds] * 3
    assert worst.worst == (machines - 2) * (machines - 1)
