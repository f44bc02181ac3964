"""Dijkstra's ring of three states, explored: the worst number of moves is known."""

import pytest

from gomboc.checker.explore.graph.examine import examine
from gomboc.checker.explore.questions.question import Fairness, Question
from gomboc.checker.judge.verdict import Holds
from tests.plugins.promises import findings
from tests.plugins.three_state_ring import three_state_ring


@pytest.mark.parametrize(("machines", "moves"), [(3, 1), (4, 10), (5, 22), (6, 39)])
def test_it_converges_in_that_many_moves_at_most(machines, moves):
    exploration = examine(three_state_ring(machines), Question(fairness=Fairness.NONE))
    can, must, worst = findings(exploration)
    assert exploration.extent.states == 3**machines
    assert [type(finding.verdict) for finding in (can, must, *findings(exploration, "closure"))] == [Holds] * 3
    assert worst.worst == moves
