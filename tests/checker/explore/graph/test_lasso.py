"""A lasso replays, closes and is fair; a run that is not a lasso is recognised."""

from itertools import product

import pytest
from hypothesis import given
from msgspec.structs import replace

from gomboc.checker.explore.graph.lasso import is_fair, replays
from gomboc.checker.explore.graph.search import explore
from gomboc.checker.explore.questions.question import Coins, Fairness
from gomboc.checker.explore.results.finding import Run
from gomboc.checker.judge.verdict import Violated
from tests.checker.explore.graph.graphs import can_stay, finding, graph_model, graph_models

TWO = graph_model([(0, [("a", 1), ("b", 0)]), (1, [("a", 0)])])
AROUND = Run((0, 1), (("a", 1, 1), ("a", 0, 1)), 0)


@pytest.mark.parametrize(("fairness", "coins"), list(product(Fairness, Coins)))
@given(model=graph_models())
def test_a_lasso_is_a_fair_run_that_avoids_the_promise_for_ever(fairness, coins, model):
    graph = explore(model)
    result = finding(model, "every ", fairness=fairness, coins=coins)
    if not isinstance(result.verdict, Violated):
        return
    run = result.run
    assert replays(model, run)
    assert run.states[0] in model.initial()
    if run.back is None:
        assert not model.enabled(run.states[-1])
        return
    assert is_fair(model, run, fairness)
    assert not any(map(model.promises[0].holds, run.states[run.back :]))
    cycle = {graph.states.index(state) for state in run.states[run.back :]}
    assert coins is Coins.TOSSED or can_stay(graph, cycle, Fairness.NONE, coins)


def test_a_cycle_is_fair_if_every_node_owed_a_turn_has_one():
    assert replays(TWO, AROUND)
    assert is_fair(TWO, AROUND, Fairness.WEAK), "b is not possible in state 1"
    assert not is_fair(TWO, AROUND, Fairness.STRONG)
    both = Run((0, 0, 1), (("b", 0, 1), ("a", 1, 1), ("a", 0, 1)), 0)
    assert is_fair(TWO, both, Fairness.STRONG)


def test_only_the_cycle_counts_not_the_way_there():
    model = graph_model([(0, [("b", 1)]), (1, [("a", 1), ("b", 2)])])
    assert not is_fair(model, Run((0, 1), (("b", 1, 1), ("a", 1, 1)), 1), Fairness.WEAK)


@pytest.mark.parametrize(
    "other",
    [
        replace(AROUND, back=1),
        replace(AROUND, states=(1, 0)),
        replace(AROUND, actions=(("a", 1, 1), ("c", 0, 1))),
        replace(AROUND, actions=(("a", 1, 1),)),
        replace(AROUND, back=None),
    ],
)
def test_what_is_no_run_of_the_model_does_not_replay(other):
    assert not replays(TWO, other)
