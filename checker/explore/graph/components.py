"""Strongly connected components and end components of a graph, found by Tarjan's algorithm without recursion."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from gomboc.checker.explore.graph.graph import BEYOND, Graph
from gomboc.checker.explore.questions.bounds import go_on

PATIENCE = 4095
"""Number of nodes between two checks of the bounds, less one; one less than a power of two."""

Edges = dict[int, list[int]]
"""For each state of a region, the indices (in `actions` and `targets`) of the transitions that are considered."""


class Component(msgspec.Struct, frozen=True):
    """States that can all reach each other by `edges`, of which there is at least one."""

    states: frozenset[int]
    edges: Edges


def strong_components(
    successors: Mapping[int, Sequence[int]], insist: Callable[[], None] = go_on
) -> Iterator[list[int]]:
    """The maximal sets of nodes that can reach each other, as lists; every node is a key.

    A set follows all sets that it leads to. `insist` is called repeatedly, and may raise.
    """
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    for root in successors:
        if root in order:
            continue
        work = [(root, iter(successors[root]))]
        order[root] = low[root] = len(order)
        stack.append(root)
        on_stack.add(root)
        while work:
            if not len(order) & PATIENCE:
                insist()
            node, rest = work[-1]
            for after in rest:
                if after not in order:
                    order[after] = low[after] = len(order)
                    stack.append(after)
                    on_stack.add(after)
                    work.append((after, iter(successors[after])))
                    break
                if after in on_stack:
                    low[node] = min(low[node], order[after])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    yield _pop(node, stack, on_stack)


def _pop(node: int, stack: list[int], on_stack: set[int]) -> list[int]:
    index = len(stack) - 1
    while stack[index] != node:
        index -= 1
    component = stack[index:]
    del stack[index:]
    on_stack.difference_update(component)
    return component


def edges_within(graph: Graph, region: frozenset[int]) -> Edges:
    """Every transition between explored states of the region."""
    explored = {state for state in region if graph.is_explored(state)}
    return {
        state: [edge for edge, target in enumerate(graph.targets[state]) if target in explored]
        for state in sorted(explored)
    }


def components(graph: Graph, edges: Edges, insist: Callable[[], None] = go_on) -> Iterator[Component]:
    """The strongly connected components by those edges; a single state counts only if it leads to itself."""
    targets = graph.targets
    successors = {state: [targets[state][edge] for edge in places] for state, places in edges.items()}
    for numbers in strong_components(successors, insist):
        states = frozenset(numbers)
        inner = {s: [edge for edge in edges[s] if targets[s][edge] in states] for s in sorted(states)}
        if any(inner.values()):
            yield Component(states, inner)


def end_components(graph: Graph, edges: Edges, insist: Callable[[], None] = go_on) -> Iterator[Component]:
    """The end components: with a transition, they contain every result of its coins.

    With probability 1 over its coins, a run ends in an end component that its scheduler can keep it in.
    """
    pending = [edges]
    while pending:
        for component in components(graph, pending.pop(), insist):
            kept = kept_picks(graph, component)
            if kept == component.edges:
                yield component
            else:
                pending.append(kept)


def kept_picks(graph: Graph, component: Component) -> Edges:
    """The transitions of a component that are results of a pick of which no result leaves the component."""
    return {state: _kept(graph, state, component) for state in component.edges}


def _kept(graph: Graph, state: int, component: Component) -> list[int]:
    """The transitions of a state with a pick that leads into the component with every result of its coins."""
    pick = graph.model.pick
    picks = [pick(action) for action in graph.actions[state]]
    inner = set(component.edges[state])
    left = {picks[edge] for edge in range(len(picks)) if edge not in inner and graph.targets[state][edge] >= BEYOND}
    return [edge for edge in component.edges[state] if picks[edge] not in left]
