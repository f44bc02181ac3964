"""Whether one can always still get there, held against networkx; and the difference from getting there."""

import networkx
import pytest
from hypothesis import given

from gomboc.checker.core.phrases import counted
from gomboc.checker.explore.graph.reach import POSSIBLE, possible
from gomboc.checker.explore.graph.search import explore
from gomboc.checker.explore.questions.bounds import Bounds
from gomboc.checker.judge.verdict import Holds, Unknown, Violated
from tests.checker.explore.graph.graphs import drawn, graph_model, graph_models


def judged(model, bounds=None):
    return possible(explore(model, bounds), model.promises[0])


def hopeless(model):
    """The states from which neither a goal nor a state beyond the bounds can be reached."""
    graph = explore(model)
    network, holds = drawn(graph), model.promises[0].holds
    open_ = {state for state, targets in enumerate(graph.targets) if -1 in targets}
    goals = {state for state in network if holds(graph.states[state])} | open_
    return [state for state in network if not goals & ({state} | networkx.descendants(network, state))]


@given(graph_models())
def test_it_is_violated_if_and_only_if_there_is_no_way_from_some_state(model):
    judgement = judged(model)
    assert isinstance(judgement.verdict, Violated) == bool(hopeless(model))


@given(graph_models(bounded=False))
def test_a_counterexample_is_a_shortest_one(model):
    result, graph = judged(model), explore(model)
    if isinstance(result.verdict, Violated):
        lengths = [min(_steps(graph, start, state) for start in range(graph.starts)) for state in hopeless(model)]
        assert len(result.run.actions) == min(lengths)


def _steps(graph, start, state):
    network = drawn(graph)
    return networkx.shortest_path_length(network, start, state) if networkx.has_path(network, start, state) else 99


def test_one_can_always_still_get_out_of_a_cycle_that_one_need_not_leave():
    model = graph_model([(0, [("a", 1), ("b", 2)]), (1, [("a", 0)])], goals=(2,))
    assert judged(model).verdict == Holds("3 states and 3 transitions")
    assert judged(model).of == POSSIBLE


def test_what_is_reached_only_beyond_the_bound_is_unknown():
    model = graph_model([(0, [("a", 1)]), (1, [("a", 2)])], goals=(2,), beyond=(2,))
    why = "2 states reach it only beyond the bound, if at all; 2 states and 2 transitions; 1 transition leads beyond"
    assert judged(model).verdict == Unknown(f"{why} that bound")


@pytest.mark.parametrize("most", [1, 2])
def test_what_was_not_explored_may_lead_there(most):
    model = graph_model([(0, [("a", 1)]), (1, [("a", 2)]), (2, [("a", 3)])], goals=(3,))
    reached, taken = counted(most, "state"), counted(most, "transition")
    why = f"the bound of {reached} was reached: {most} of {most + 1} states found were explored, {taken}"
    assert judged(model, Bounds(most_states=most)).verdict == Unknown(why)
