"""Models that are small graphs, written down or drawn by Hypothesis, and slow functions for their true properties.

An action is a triple (class, target, chance). Where coins are tossed, the actions of one class in a state are the
results of its coins; otherwise each action is picked by itself.
"""

from collections.abc import Collection, Hashable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import networkx
from hypothesis import strategies as st
from msgspec.structs import replace

from gomboc.checker.explore.graph.components import Edges, edges_within
from gomboc.checker.explore.graph.examine import examine
from gomboc.checker.explore.graph.graph import BEYOND, Graph
from gomboc.checker.explore.questions.question import Coins, Fairness, Question
from gomboc.checker.explore.results.finding import Finding
from gomboc.spec.core.model import Kind, Model, Promise, everywhere

CLASSES = "abc"

Arrows = Iterable[tuple[int, Sequence[tuple[str, int]]]]
"""For each state, pairs of a class and a target."""


def graph_model(
    arrows: Arrows,
    goals: Collection[int] = (),
    starts: Sequence[int] = (0,),
    kinds: Sequence[Kind] = (Kind.EVENTUALLY,),
    beyond: Collection[int] = (),
    coins: bool = False,
) -> Model:
    """A model with those arrows. `goals` are where its promises hold."""
    possible = {state: tuple((name, target, chance(after, name)) for name, target in after) for state, after in arrows}

    def holds(state: int) -> bool:
        return state in goals

    model = Model(
        name="graph",
        initial=lambda: starts,
        enabled=lambda state: possible.get(state, ()),
        step=lambda state, action: action[1],
        actor=lambda action: action[0],
        promises=tuple(Promise(kind, kind.value, holds, "nowhere") for kind in kinds),
        within=(lambda state: state not in beyond) if beyond else everywhere,
    )
    return replace(model, pick=lambda action: action[0], chance=lambda action: action[2]) if coins else model


def chance(after: Sequence[tuple[str, int]], name: str) -> Fraction:
    """The chance of each action of a class, if they are results of one coin."""
    return Fraction(1, sum(1 for other, _ in after if other == name))


def finding(model: Model, of: str, **question: Any) -> Finding | None:
    """The finding of the plain explorer whose claim begins so; None if there is none."""
    return next((one for one in examine(model, Question(**question)).findings if one.of.startswith(of)), None)


@st.composite
def graph_models(
    draw: st.DrawFn, kinds: Sequence[Kind] = (Kind.EVENTUALLY,), states: int = 5, bounded: bool = True
) -> Model:
    """Any small graph, with up to three classes; with coins or without, with a state beyond the bounds or without."""
    count = draw(st.integers(1, states))
    numbers = st.integers(0, count - 1)
    arrow = st.tuples(st.sampled_from(CLASSES), numbers)
    arrows = [(state, draw(st.lists(arrow, max_size=4, unique=True))) for state in range(count)]
    starts = draw(st.lists(numbers, min_size=1, max_size=2, unique=True))
    outside = draw(st.sets(numbers, max_size=1)) if bounded else set()
    return graph_model(arrows, draw(st.sets(numbers)), starts, kinds, outside, coins=draw(st.booleans()))


def inner_edges(graph: Graph, states: Collection[int], coins: Coins) -> Edges:
    """The transitions that a run can use that is to stay in a set of states, however its coins fall."""
    edges = edges_within(graph, frozenset(states))
    if coins is Coins.ADVERSARY:
        return edges
    kept: Edges = {}
    for state, places in edges.items():
        picks = [graph.model.pick(action) for action in graph.actions[state]]
        leaving = {pick for index, pick in enumerate(picks) if index not in places}
        kept[state] = [index for index in places if picks[index] not in leaving]
    return kept


def can_stay(graph: Graph, states: Collection[int], fairness: Fairness, coins: Coins) -> bool:
    """Whether a fair run can visit all of a set of states for ever, and no others: by the definition."""
    edges = inner_edges(graph, states, coins)
    arrows = [(state, graph.targets[state][index]) for state, places in edges.items() for index in places]
    drawn = networkx.DiGraph(arrows)
    if not arrows or set(drawn) != set(states) or not networkx.is_strongly_connected(drawn):
        return False
    taken = {graph.actions[state][index][0] for state, places in edges.items() for index in places}
    enabled = [{action[0] for action in graph.actions[state]} for state in states]
    nothing: set[Hashable] = set()
    owed = {Fairness.NONE: nothing, Fairness.WEAK: set.intersection(*enabled), Fairness.STRONG: set.union(*enabled)}
    return owed[fairness] <= taken


def where_one_can_stay(graph: Graph, region: Collection[int], fairness: Fairness, coins: Coins) -> set[int]:
    """The states of every set in a region in which a fair run can stay: all subsets are tried."""
    subsets = (set(some) for size in range(1, len(region) + 1) for some in combinations(sorted(region), size))
    return set().union(*(some for some in subsets if can_stay(graph, some, fairness, coins)))


def drawn(graph: Graph) -> Any:
    """A graph of a model as a graph of networkx, without transitions beyond the bounds."""
    network = networkx.DiGraph()
    network.add_nodes_from(range(len(graph.states)))
    pairs = ((state, target) for state, targets in enumerate(graph.targets) for target in targets)
    network.add_edges_from((state, target) for state, target in pairs if target != BEYOND)
    return network
