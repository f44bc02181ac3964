"""A matrix: from numbers back to values, by the runs of the plain model."""

from unittest.mock import patch

from hypothesis import given, settings

from gomboc.checker.explore.graph.lasso import replays
from gomboc.checker.explore.graph.search import explore
from gomboc.checker.explore.questions.bounds import Bounds, BoundWatch
from gomboc.checker.explore.questions.question import Fairness, Question
from gomboc.checker.explore.table.examine import examine
from gomboc.checker.explore.table.matrix import Matrix, matrix
from gomboc.checker.explore.table.search import search
from gomboc.checker.judge.verdict import Violated
from gomboc.spec.core.instance import bounded_model
from tests.checker.explore.table.protocols import instances
from tests.plugins.linearisation import linearisation
from tests.plugins.promises import findings
from tests.sampling import share


@settings(max_examples=share(60))
@given(instance=instances())
def test_the_numbers_stand_for_the_states_of_the_plain_model(instance):
    built = matrix(search(instance), BoundWatch(Bounds()))
    worlds = [built.state(index) for index in range(built.count)]
    graph = explore(bounded_model(instance))
    assert set(worlds) == set(graph.states)
    arrows = {
        (worlds[index], worlds[to]) for column in built.columns for index, to in enumerate(column.targets) if to >= 0
    }
    expected = {
        (state, graph.states[to])
        for state, targets in zip(graph.states, graph.targets, strict=True)
        for to in targets
        if to >= 0
    }
    assert arrows == expected


def test_a_component_too_large_for_a_lasso_is_violated_with_the_way_into_it():
    with patch.object(Matrix, "largest", 0):
        (_, must) = findings(examine(linearisation(1), Question(fairness=Fairness.NONE)))
    assert isinstance(must.verdict, Violated)
    assert must.verdict.says.startswith("a fair run can go on for ever in a component of ")
    assert must.run.back is None
    assert replays(bounded_model(linearisation(1)), must.run)
