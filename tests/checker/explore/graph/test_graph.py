"""The figures of a graph, and the runs in it."""

from gomboc.checker.explore.graph.search import explore
from gomboc.checker.explore.results.finding import Run
from tests.checker.explore.graph.graphs import graph_model

MODEL = graph_model([(0, [("a", 1), ("b", 2)]), (1, [("a", 2)]), (2, [("a", 0), ("b", 3)])], beyond=(3,))


def test_transitions_count_every_action_and_those_beyond_the_bound_by_themselves():
    graph = explore(MODEL)
    assert (len(graph.states), graph.transitions, graph.beyond, graph.starts) == (3, 5, 1, 1)


def test_a_run_names_its_states_and_actions():
    graph = explore(MODEL)
    assert graph.run_along([0, 1, 2]) == Run((0, 1, 2), (("a", 1, 1), ("a", 2, 1)))
    assert graph.run_along([0, 2], back=0) == Run((0, 2), (("b", 2, 1), ("a", 0, 1)), 0)
    assert graph.run_along([1]) == Run((1,), ())


def test_a_model_without_classes_is_fair_to_its_actors():
    assert explore(MODEL).turns(("a", 1, 1)) == ("a",)
