"""Decoding of numbers into values: runs through the graph, replayed by the plain model."""

import numpy as np

from gomboc.checker.core.bad_models import FLICKERS, BadModelError
from gomboc.checker.explore.graph.components import Component, edges_within, kept_picks
from gomboc.checker.explore.graph.fair import undisturbed
from gomboc.checker.explore.graph.graph import BEYOND, Graph
from gomboc.checker.explore.graph.lasso import lasso
from gomboc.checker.explore.questions.fairness import Coins
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.explore.questions.run import Run
from gomboc.checker.explore.symmetry import canonical_world
from gomboc.checker.explore.table.matrix import Matrix
from gomboc.checker.explore.table.model.tables import Array
from gomboc.checker.explore.table.verdict.reach import nearest
from gomboc.spec.core.network import World

LARGEST = 20_000
"""Maximal number of states of a component in which a lasso is searched."""


def world_of(built: Matrix, number: int) -> World:
    """The world that a state represents."""
    return built.explored.expander.world(int(built.keys[number]))


def plain_graph(built: Matrix, numbers_of_states: list[int], parents: int) -> Graph:
    """The plain graph over those states, the first `parents` of which are a path from an initial state."""
    instance = built.explored.expander.tables.instance
    model = built.explored.expander.tables.model()
    states = [canonical_world(instance, world_of(built, state_number)) for state_number in numbers_of_states]
    index = {state: number for number, state in enumerate(states)}
    actions = [model.enabled(state) for state in states]
    targets = [
        tuple(index.get(model.step(state, action), BEYOND) for action in enabled)
        for state, enabled in zip(states, actions, strict=True)
    ]
    before = [max(0, number - 1) if number < parents else number for number in range(len(states))]
    return Graph(model, states, actions, targets, before, 1, {})


def run_along(built: Matrix, places: list[int]) -> Run:
    """The run through those states."""
    different = list(dict.fromkeys(places))
    graph = plain_graph(built, different, len(different))
    try:
        return graph.run_along([different.index(number) for number in places])
    except ValueError as error:
        raise BadModelError(graph.model.name, FLICKERS, None, "on a run that was found") from error


def lasso_into(built: Matrix, component: Array, question: Question) -> Run | None:
    """A fair lasso into a component, on a shortest path; None if the component is too large to search it.

    `component` is one that `fair_components` returns for the same question.
    """
    if len(component) > LARGEST:
        return None
    marked = np.zeros(len(built.keys), bool)
    marked[component] = True
    way = nearest(built, marked)
    others = [number for number in component.tolist() if number != way[-1]]
    graph = plain_graph(built, [*way, *others], len(way))
    inside = frozenset(range(len(way) - 1, len(graph.states)))
    whole = Component(inside, undisturbed(graph, edges_within(graph, inside)))
    kept = kept_picks(graph, whole) if question.coins is Coins.TOSSED else whole.edges
    return lasso(graph, Component(inside, kept), question.fairness)
