"""Wrong rules that other checkers have followed: their verdicts are compared with ours."""

from typing import Any

from gomboc.checker.explore.graph.components import components, edges_within
from gomboc.checker.explore.graph.fair import enabled_classes


def first_paths(model: Any) -> Any:
    """For each state the path on which a search reaches it first, as a checker knows that marks paths."""
    paths = {start: [start] for start in model.initial()}
    queue = list(paths)
    for state in queue:
        for action in model.enabled(state):
            after = model.step(state, action)
            if after not in paths:
                paths[after] = [*paths[state], after]
                queue.append(after)
    return paths


def marks_say_it_holds(model: Any, holds: Any) -> bool:
    """The rule that a run ends where nothing is possible, and was satisfied if its first path was."""
    ends = [path for state, path in first_paths(model).items() if not model.enabled(state)]
    return all(any(map(holds, path)) for path in ends)


def larger_components(graph: Any, region: Any) -> list[Any]:
    """The rule that a cycle is a component of two states or more."""
    return [one for one in components(graph, edges_within(graph, frozenset(region))) if len(one.states) > 1]


def owed_by_states(graph: Any, component: Any) -> Any:
    """The rule that a class has had its turn in a component if it is enabled in one of its states."""
    enabled = [enabled_classes(graph, state) for state in component.states]
    return set.intersection(*enabled) - set.union(*enabled)
