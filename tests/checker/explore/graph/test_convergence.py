"""Getting there for certain, and how long it takes at worst."""

import networkx
from hypothesis import given

from gomboc.checker.explore.graph.convergence import BOUNDED, inevitable, region_without, tosses_coins, worst_case
from gomboc.checker.explore.graph.search import explore
from gomboc.checker.explore.questions.bounds import Bounds
from gomboc.checker.explore.questions.fairness import Coins, Fairness
from gomboc.checker.judge.verdict import Holds, Unknown, Violated
from tests.checker.explore.graph.graphs import drawn, graph_model, graph_models


def judged(model, bounds=None, fairness=Fairness.WEAK):
    return inevitable(explore(model, bounds), model.promises[0], fairness, Coins.TOSSED)


@given(graph_models(bounded=False))
def test_the_worst_case_is_a_longest_way_out_of_the_region(model):
    graph = explore(model)
    region = region_without(graph, model.promises[0])
    inner = drawn(graph).subgraph(region)
    result = worst_case(graph, model.promises[0])
    stuck = any(not graph.actions[state] for state in region)
    if stuck or not networkx.is_directed_acyclic_graph(inner):
        assert isinstance(result.verdict, Unknown)
    else:
        assert result.worst == (networkx.dag_longest_path_length(inner) + 1 if region else 0)


@given(graph_models(bounded=False))
def test_there_is_a_worst_case_if_and_only_if_every_run_gets_there(model):
    graph = explore(model)
    must = inevitable(graph, model.promises[0], Fairness.NONE, Coins.ADVERSARY)
    assert isinstance(must.verdict, Holds) == (worst_case(graph, model.promises[0]).worst is not None)


def test_what_has_no_worst_case_says_why():
    def why(model, bounds=None):
        return worst_case(explore(model, bounds), model.promises[0]).verdict.why

    around = graph_model([(0, [("a", 0)])])
    assert why(around) == "there is a cycle, so no number of steps is enough without fairness"
    assert why(graph_model([(0, [])])) == "there is a run that stops before it holds"
    over = graph_model([(0, [("a", 1)])], beyond=(1,))
    assert why(over) == "some transitions lead beyond the bound"
    path = graph_model([(0, [("a", 1)]), (1, [("a", 2)])], goals=(2,))
    cut = "the bound of 1 state was reached: 1 of 2 states found were explored, 1 transition"
    assert why(path, Bounds(most_states=1)) == cut
    assert worst_case(explore(path), path.promises[0]).verdict == Holds("at most 2 steps; 3 states and 2 transitions")
    assert worst_case(explore(path), path.promises[0]).of == BOUNDED


def test_a_longest_way_is_no_shortest_one():
    model = graph_model([(0, [("a", 2), ("b", 1)]), (1, [("a", 2)]), (2, [("a", 3)])], goals=(3,))
    assert worst_case(explore(model), model.promises[0]).worst == 3


def test_a_violation_says_how_the_run_goes_on():
    around = graph_model([(0, [("a", 1)]), (1, [("a", 2)]), (2, [("a", 1)])])
    assert judged(around).verdict.says == "after 1 step a cycle of 2 can go on for ever"
    stop = graph_model([(0, [("a", 1)])])
    assert judged(stop).verdict.says == "nothing is possible any more after 1 step"


def test_the_nearest_lasso_is_shown():
    model = graph_model([(0, [("a", 1), ("b", 3)]), (1, [("a", 2)]), (2, [("a", 2)]), (3, [("a", 3)])])
    assert judged(model).run.states == (0, 3)


def test_what_was_explored_in_part_is_unknown_and_a_lasso_in_it_is_violated_all_the_same():
    path = graph_model([(0, [("a", 1)]), (1, [("a", 2)])], goals=(2,))
    assert isinstance(judged(path, Bounds(most_states=1)).verdict, Unknown)
    loop = graph_model([(0, [("a", 0), ("a", 1)]), (1, [("a", 2)])], goals=(2,))
    assert isinstance(judged(loop, Bounds(most_states=1), Fairness.NONE).verdict, Violated)


def test_coins_are_tossed_where_chance_decides_something():
    assert tosses_coins(explore(graph_model([(0, [("a", 0), ("a", 1)])], coins=True)))
    assert not tosses_coins(explore(graph_model([(0, [("a", 0), ("b", 1)])], coins=True)))
    assert not tosses_coins(explore(graph_model([(0, [("a", 0), ("a", 1)])])))
