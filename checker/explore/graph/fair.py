"""Components that a fair run can stay in for ever: judged by their transitions, never by their states alone."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator

from gomboc.checker.explore.graph.components import Component, Edges, components, edges_within, end_components
from gomboc.checker.explore.graph.graph import Graph
from gomboc.checker.explore.questions.bounds import go_on
from gomboc.checker.explore.questions.question import Coins, Fairness
from gomboc.spec.core.model import never


def fair_components(
    graph: Graph, region: frozenset[int], fairness: Fairness, coins: Coins, insist: Callable[[], None] = go_on
) -> Iterator[Component]:
    """The components within a region in each of which a fair run can visit all states for ever.

    A component hosts a weakly fair run if and only if each class takes a transition within it, or is not enabled in
    some state of it. Under strong fairness a class that takes none must not be enabled at all, so the states where it
    is enabled are cut out, and the rest is judged again.
    """
    decompose = end_components if coins is Coins.TOSSED else components
    pending = [region]
    while pending:
        for component in decompose(graph, undisturbed(graph, edges_within(graph, pending.pop())), insist):
            owed = owed_classes(graph, component, fairness)
            if not owed:
                yield component
            elif fairness is Fairness.STRONG:
                left = frozenset(s for s in component.states if not owed & enabled_classes(graph, s))
                pending.append(left)


def undisturbed(graph: Graph, edges: Edges) -> Edges:
    """The edges without commands that may end legitimacy and need not come: promises are on runs in which those end.

    One that is owed comes as long as it is offered, so that there need be no fair run without it.
    """
    if graph.model.disturbs is never:
        return edges
    disturbs, actions = graph.model.disturbs, graph.actions
    return {
        state: [edge for edge in edges_of_state if graph.turns(action := actions[state][edge]) or not disturbs(action)]
        for state, edges_of_state in edges.items()
    }


def enabled_classes(graph: Graph, state: int) -> set[Hashable]:
    """The classes with an action that is enabled in a state, with any target."""
    return {turn for action in graph.actions[state] for turn in graph.turns(action)}


def taken_classes(graph: Graph, component: Component) -> set[Hashable]:
    """The classes that take a transition within a component."""
    return {
        turn
        for state, edges in component.edges.items()
        for edge in edges
        for turn in graph.turns(graph.actions[state][edge])
    }


def owed_classes(graph: Graph, component: Component, fairness: Fairness) -> set[Hashable]:
    """The classes to which a run that stays in a component for ever is unfair."""
    if fairness is Fairness.NONE:
        return set()
    taken = taken_classes(graph, component)
    enabled = Counter(turn for state in component.states for turn in enabled_classes(graph, state))
    least = len(component.states) if fairness is Fairness.WEAK else 1
    return {turn for turn, times in enabled.items() if times >= least and turn not in taken}
