"""Runs that another engine has found, replayed by the plain model over the values of their states."""

from typing import Any

from gomboc.checker.core.bad_models import FLICKERS, BadModelError
from gomboc.checker.explore.graph.components import Component, edges_within, kept_picks
from gomboc.checker.explore.graph.fair import undisturbed
from gomboc.checker.explore.graph.graph import BEYOND, Graph, one_further
from gomboc.checker.explore.graph.lasso import lasso
from gomboc.checker.explore.questions.question import Coins, Question
from gomboc.checker.explore.results.finding import Run
from gomboc.spec.core.model import Model


def graph_over(model: Model, states: list[Any], path: int = 1) -> Graph:
    """The graph over those states, the first of which are a path of that length from an initial state."""
    index = {state: number for number, state in enumerate(states)}
    actions = [model.enabled(state) for state in states]
    targets = [
        tuple(index.get(model.step(state, action), BEYOND) for action in enabled)
        for state, enabled in zip(states, actions, strict=True)
    ]
    parents = [max(0, number - 1) if number < path else number for number in range(len(states))]
    return Graph(model, states, actions, targets, parents, 1, {})


def run_through(model: Model, states: list[Any]) -> Run:
    """The run through those states. Raises BadModelError if the model does not repeat it."""
    different = list(dict.fromkeys(states))
    try:
        return graph_over(model, different).run_along([different.index(state) for state in states])
    except ValueError as error:
        raise BadModelError(model.name, FLICKERS, None, "on a run that was found") from error


def run_further(model: Model, run: Run) -> Run:
    """A run and one step beyond the bounds. Raises BadModelError if the model takes none."""
    try:
        return one_further(model, run)
    except ValueError as error:
        raise BadModelError(model.name, FLICKERS, run.states[-1], "on a run that was found") from error


def lasso_through(model: Model, way: list[Any], others: list[Any], question: Question) -> Run:
    """A fair lasso on the path `way` into a component: its last state and the others, in which a fair run can stay."""
    graph = graph_over(model, [*way, *others], len(way))
    inside = frozenset(range(len(way) - 1, len(graph.states)))
    whole = Component(inside, undisturbed(graph, edges_within(graph, inside)))
    kept = kept_picks(graph, whole) if question.coins is Coins.TOSSED else whole.edges
    return lasso(graph, Component(inside, kept), question.fairness)
