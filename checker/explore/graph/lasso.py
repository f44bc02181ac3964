"""A fair run through a component for ever, as a lasso: the path to it, and a cycle in which each class has a turn.

Runs that another engine has found are replayed by the plain model over the values of their states.
"""

from collections import deque
from collections.abc import Hashable
from typing import Any

from gomboc.checker.core.bad_models import FLICKERS, BadModelError, shown
from gomboc.checker.explore.graph.components import Component, edges_within, kept_picks
from gomboc.checker.explore.graph.fair import enabled_classes, undisturbed
from gomboc.checker.explore.graph.graph import BEYOND, Graph, one_further
from gomboc.checker.explore.questions.question import Coins, Fairness, Question
from gomboc.checker.explore.results.finding import Run
from gomboc.spec.core.model import Model


def lasso(graph: Graph, component: Component, fairness: Fairness) -> Run:
    """The shortest path into a component, and a cycle in it that is fair. Short, but not always the shortest."""
    entry = min(component.states)
    way = graph.path_to(entry)
    cycle, actions = _cycle(graph, component, fairness, entry)
    numbers = [*way, *cycle[1:-1]]
    there = graph.run_along(way)
    states = tuple(graph.states[number] for number in numbers)
    run = Run(states, (*there.actions, *actions), len(way) - 1)
    if not replays(graph.model, run):
        raise BadModelError(graph.model.name, FLICKERS, run.states[0], f"on a run from {shown(run.states[0])}")
    assert is_fair(graph.model, run, fairness), "a lasso gives every class the turn that it is owed"
    return run


def _cycle(graph: Graph, component: Component, fairness: Fairness, entry: int) -> tuple[list[int], list[object]]:
    """A closed walk from `entry` on which each class is taken, or not enabled in some state; with its actions."""
    walk, actions = [entry], list[object]()
    open_classes = _classes(graph, component) if fairness is not Fairness.NONE else set()
    open_classes = _served_by_state(graph, entry, open_classes, fairness)
    while open_classes or len(walk) == 1 or walk[-1] != entry:
        goal = None if open_classes else entry
        for state, edge in _towards(graph, component, walk[-1], open_classes, fairness, goal):
            action = graph.actions[state][edge]
            walk.append(graph.targets[state][edge])
            actions.append(action)
            open_classes = open_classes - set(graph.turns(action))
            open_classes = _served_by_state(graph, walk[-1], open_classes, fairness)
    return walk, actions


def _classes(graph: Graph, component: Component) -> set[Hashable]:
    return {turn for state in component.states for turn in enabled_classes(graph, state)}


def _served_by_state(graph: Graph, state: int, classes: set[Hashable], fairness: Fairness) -> set[Hashable]:
    """The classes that are still open after a visit to `state`: under weak fairness, those enabled there."""
    return classes & enabled_classes(graph, state) if fairness is Fairness.WEAK else classes


def _towards(
    graph: Graph,
    component: Component,
    start: int,
    open_classes: set[Hashable],
    fairness: Fairness,
    goal: int | None,
) -> list[tuple[int, int]]:
    """A shortest path of at least one step that serves an open class or, with `goal`, leads to that state."""
    queue: deque[tuple[int, list[tuple[int, int]]]] = deque([(start, [])])
    seen: set[int] = set()
    while queue:
        state, way = queue.popleft()
        for edge in component.edges[state]:
            after = graph.targets[state][edge]
            further = [*way, (state, edge)]
            left = open_classes - set(graph.turns(graph.actions[state][edge]))
            served = _served_by_state(graph, after, left, fairness) != open_classes
            if (goal is None and served) or after == goal:
                return further
            if after not in seen:
                seen.add(after)
                queue.append((after, further))
    raise AssertionError("a component is strongly connected, and serves every class that it owes nothing")


def replays(model: Model, run: Run) -> bool:
    """Whether a run is one of the model, step by step, and returns to its state `back`; computed without the graph."""
    states = run.states if run.back is None else (*run.states, run.states[run.back])
    return len(states) == len(run.actions) + 1 and all(
        action in model.enabled(state) and model.step(state, action) == after
        for state, action, after in zip(states, run.actions, states[1:], strict=False)
    )


def is_fair(model: Model, run: Run, fairness: Fairness) -> bool:
    """Whether the cycle of a lasso gives every class of actions the turn that it is owed; found without the graph."""

    def turns(action: object) -> tuple[Hashable, ...]:
        return (model.actor(action),) if model.fair is None else model.fair(action)

    assert run.back is not None, "only a lasso goes on for ever"
    taken = {turn for action in run.actions[run.back :] for turn in turns(action)}
    enabled = [{turn for action in model.enabled(s) for turn in turns(action)} for s in run.states[run.back :]]
    if fairness is Fairness.NONE:
        return True
    owed = set.intersection(*enabled) if fairness is Fairness.WEAK else set.union(*enabled)
    return owed <= taken


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
