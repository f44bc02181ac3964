"""ALWAYS, STABLE and SOMETIMES, held against the definition, with shortest counterexamples."""

import networkx
from hypothesis import given

from gomboc.checker.explore.graph.lasso import replays
from gomboc.checker.explore.graph.safety import always, sometimes, stable
from gomboc.checker.explore.graph.search import explore
from gomboc.checker.explore.questions.bounds import Bounds
from gomboc.checker.judge.verdict import Holds, Unknown, Violated
from gomboc.spec.core.model import Kind
from tests.checker.explore.graph.graphs import drawn, graph_model, graph_models

KINDS = (Kind.ALWAYS, Kind.STABLE, Kind.SOMETIMES)


def distances(graph):
    """The number of steps from the nearest initial state to each state."""
    network = drawn(graph)
    distances = [networkx.single_source_shortest_path_length(network, start) for start in range(graph.starts)]
    return {
        state: min(distances_of_start.get(state, len(network)) for distances_of_start in distances) for state in network
    }


@given(graph_models(kinds=KINDS))
def test_always_is_violated_where_it_is_false_first(model):
    graph = explore(model)
    result = always(graph, model.promises[0])
    steps = [far for state, far in distances(graph).items() if not model.promises[0].holds(graph.states[state])]
    assert isinstance(result.verdict, Violated) == bool(steps)
    assert result.run is None or (len(result.run.actions) == min(steps) and replays(model, result.run))


@given(graph_models(kinds=KINDS))
def test_stable_is_violated_by_a_step_that_ends_it(model):
    graph, holds = explore(model), model.promises[0].holds
    far = distances(graph)
    ends = [
        far[state] + 1
        for state, target in drawn(graph).edges
        if holds(graph.states[state]) and not holds(graph.states[target])
    ]
    result = stable(graph, model.promises[0])
    assert isinstance(result.verdict, Violated) == bool(ends)
    assert result.run is None or (len(result.run.actions) == min(ends) and replays(model, result.run))


@given(graph_models(kinds=KINDS, bounded=False))
def test_sometimes_is_violated_if_it_is_never_true(model):
    graph = explore(model)
    result = sometimes(graph, model.promises[0])
    assert isinstance(result.verdict, Holds) == any(map(model.promises[0].holds, graph.states))


def test_what_is_never_true_within_the_bound_may_be_true_beyond_it():
    model = graph_model([(0, [("a", 1)])], goals=(1,), kinds=(Kind.SOMETIMES,), beyond=(1,))
    assert sometimes(explore(model), model.promises[0]).verdict == Unknown("1 transition leads beyond the bound")


def test_a_model_without_initial_states_promises_nothing():
    model = graph_model([], starts=(), kinds=(Kind.SOMETIMES,))
    assert sometimes(explore(model), model.promises[0]).verdict == Unknown("there is no initial state")


def test_a_violation_is_one_however_little_was_explored():
    model = graph_model([(0, [("a", 1)]), (1, [("a", 2)]), (2, [("a", 3)])], goals=(0,), kinds=KINDS)
    graph = explore(model, Bounds(most_states=1))
    says = "it is false after 1 step"
    assert always(graph, model.promises[0]).verdict == Violated(1, "always", says, source="nowhere")
    assert stable(graph, model.promises[1]).verdict == Violated(
        1, "stable", "it held, and step 1 ends it", source="nowhere"
    )


def test_what_was_explored_in_part_holds_in_part_and_is_unknown():
    model = graph_model([(0, [("a", 1)]), (1, [("a", 2)]), (2, [("a", 3)])], goals=(0, 1, 2, 3), kinds=KINDS)
    graph = explore(model, Bounds(most_states=1))
    why = Unknown("the bound of 1 state was reached: 1 of 2 states found were explored, 1 transition")
    assert always(graph, model.promises[0]).verdict == why
    assert stable(graph, model.promises[1]).verdict == why
    assert sometimes(graph, model.promises[2]).verdict == Holds("it holds in 2 states")
