"""Decoding of numbers into values: runs through shared memory, equal to those of the plain explorer."""

from gomboc.checker.core.bad_models import FLICKERS, BadModelError
from gomboc.checker.explore.graph.components import Component, edges_within
from gomboc.checker.explore.graph.graph import BEYOND, Graph
from gomboc.checker.explore.graph.lasso import lasso
from gomboc.checker.explore.questions.fairness import Fairness
from gomboc.checker.explore.questions.run import Run
from gomboc.checker.explore.shared.columns import SharedColumns
from gomboc.checker.explore.table.model.tables import Array
from gomboc.spec.core.model import Model


def plain_graph(built: SharedColumns, model: Model, state_numbers: list[int]) -> Graph:
    """The plain graph over those states, all of which are initial."""
    states = [built.state(state_number) for state_number in state_numbers]
    index = {state: number for number, state in enumerate(states)}
    actions = [model.enabled(state) for state in states]
    targets = [
        tuple(index.get(model.step(state, action), BEYOND) for action in enabled)
        for state, enabled in zip(states, actions, strict=True)
    ]
    return Graph(model, states, actions, targets, list(range(len(states))), len(states), {})


def run_along(built: SharedColumns, model: Model, places: list[int]) -> Run:
    """The run through those states."""
    different = list(dict.fromkeys(places))
    graph = plain_graph(built, model, different)
    try:
        return graph.run_along([different.index(number) for number in places])
    except ValueError as error:
        raise BadModelError(model.name, FLICKERS, None, "on a run that was found") from error


def lasso_into(built: SharedColumns, model: Model, fairness: Fairness, component: Array) -> Run:
    """A fair lasso into a component that `fair_components` finds; the same as on the whole graph."""
    graph = plain_graph(built, model, sorted(component.tolist()))
    inside = frozenset(range(len(graph.states)))
    return lasso(graph, Component(inside, edges_within(graph, inside)), fairness)
