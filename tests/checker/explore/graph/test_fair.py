"""Where a fair run can stay for ever: held against the definition on every small graph."""

from itertools import product

import pytest
from hypothesis import given

from gomboc.checker.explore.graph.fair import fair_components
from gomboc.checker.explore.graph.search import explore
from gomboc.checker.explore.questions.question import Coins, Fairness
from gomboc.checker.judge.verdict import Unknown, Violated
from tests.checker.explore.graph.graphs import finding, graph_model, graph_models, where_one_can_stay

EVERY = list(product(Fairness, Coins))


@pytest.mark.parametrize(("fairness", "coins"), EVERY)
@given(model=graph_models())
def test_fair_components_are_where_the_definition_lets_a_fair_run_stay(fairness, coins, model):
    graph = explore(model)
    region = graph.region_without(model.promises[0])
    component_states = [set(component.states) for component in fair_components(graph, region, fairness, coins)]
    assert set().union(*component_states) == where_one_can_stay(graph, region, fairness, coins)
    assert sum(map(len, component_states)) == len(set().union(*component_states))


def judged(model, fairness=Fairness.WEAK, coins=Coins.ADVERSARY):
    return finding(model, "every ", fairness=fairness, coins=coins)


def test_strong_fairness_looks_again_at_what_is_left_without_the_states_that_owe():
    inner = graph_model([(0, [("a", 1)]), (1, [("a", 0), ("a", 2)]), (2, [("a", 1), ("b", 3)])], goals=(3,))
    graph = explore(inner)
    region = graph.region_without(inner.promises[0])
    (result,) = fair_components(graph, region, Fairness.STRONG, Coins.ADVERSARY)
    assert result.states == {0, 1}


def test_a_turn_that_leads_beyond_the_bound_is_owed_and_not_taken():
    over = graph_model([(0, [("a", 0), ("b", 1)])], beyond=(1,))
    assert isinstance(judged(over, Fairness.WEAK).verdict, Unknown)
    assert isinstance(judged(over, Fairness.NONE).verdict, Violated)


def test_a_claim_says_which_runs_it_is_made_of():
    def runs(fairness, coins, tosses):
        model = graph_model([(0, [("a", 0), ("a", 1)])], coins=tosses)
        return judged(model, fairness, coins).of.removesuffix(" reaches a state where it holds (central scheduler)")

    assert runs(Fairness.NONE, Coins.TOSSED, tosses=False) == "every run"
    assert runs(Fairness.WEAK, Coins.TOSSED, tosses=True) == "every weakly fair run, with probability 1"
    assert runs(Fairness.STRONG, Coins.ADVERSARY, tosses=True) == "every strongly fair run, however the coins fall"
