"""Models that are small graphs, written down or drawn by Hypothesis, and slow functions for their true properties.

An action is a triple (class, target, chance). Where coins are tossed, the actions of one class in a state are the
results of its coins; otherwise each action is picked by itself.
"""

from fractions import Fraction
from itertools import combinations
from typing import Any

import networkx
from hypothesis import strategies as st

from gomboc.checker.explore.graph.components import edges_within
from gomboc.checker.explore.graph.examine import examine
from gomboc.checker.explore.graph.graph import BEYOND
from gomboc.checker.explore.questions.question import Coins, Fairness, Question
from gomboc.spec.core.model import Kind, Model, Promise, everywhere

CLASSES = "abc"


def graph_model(
    arrows: Any,
    goals: Any = (),
    starts: tuple[Any, ...] = (0,),
    kinds: tuple[Any, ...] = (Kind.EVENTUALLY,),
    beyond: Any = (),
    coins: bool = False,
) -> Model:
    """A model with those arrows: for each state, pairs (class, target). `goals` are where its promises hold."""
    possible = {state: tuple((name, target, chance(after, name)) for name, target in after) for state, after in arrows}

    def holds(state: Any) -> bool:
        return state in goals

    tossing: dict[str, Any] = {"pick": lambda action: action[0], "chance": lambda action: action[2]} if coins else {}
    return Model(
        name="graph",
        initial=lambda: starts,
        enabled=lambda state: possible.get(state, ()),
        step=lambda state, action: action[1],
        actor=lambda action: action[0],
        promises=tuple(Promise(kind, kind.value, holds, "nowhere") for kind in kinds),
        **tossing,
        within=(lambda state: state not in beyond) if beyond else everywhere,
    )


def chance(after: Any, name: str) -> Fraction:
    return Fraction(1, sum(1 for other, _ in after if other == name))


def finding(model: Any, of: Any, **question: Any) -> Any:
    """The finding of the plain explorer whose claim begins so; None if there is none."""
    return next((one for one in examine(model, Question(**question)).findings if one.of.startswith(of)), None)


@st.composite
def graph_models(draw: Any, kinds: tuple[Any, ...] = (Kind.EVENTUALLY,), states: Any = 5, bounded: bool = True) -> Any:
    """Any small graph, with up to three classes; with coins or without, with a state beyond the bounds or without."""
    count = draw(st.integers(1, states))
    numbers = st.integers(0, count - 1)
    arrow = st.tuples(st.sampled_from(CLASSES), numbers)
    arrows = [(state, draw(st.lists(arrow, max_size=4, unique=True))) for state in range(count)]
    starts = draw(st.lists(numbers, min_size=1, max_size=2, unique=True))
    outside = draw(st.sets(numbers, max_size=1)) if bounded else set()
    return graph_model(arrows, draw(st.sets(numbers)), starts, kinds, outside, coins=draw(st.booleans()))


def inner_edges(graph: Any, states: Any, coins: Any) -> Any:
    """The transitions that a run can use that is to stay in a set of states, however its coins fall."""
    edges = edges_within(graph, frozenset(states))
    if coins is Coins.ADVERSARY:
        return edges
    kept = {}
    for state, places in edges.items():
        picks = [graph.model.pick(action) for action in graph.actions[state]]
        leaving = {pick for index, pick in enumerate(picks) if index not in places}
        kept[state] = [index for index in places if picks[index] not in leaving]
    return kept


def can_stay(graph: Any, states: Any, fairness: Any, coins: Any) -> bool:
    """Whether a fair run can visit all of a set of states for ever, and no others: by the definition."""
    edges = inner_edges(graph, states, coins)
    arrows = [(state, graph.targets[state][index]) for state, places in edges.items() for index in places]
    drawn = networkx.DiGraph(arrows)
    if not arrows or set(drawn) != set(states) or not networkx.is_strongly_connected(drawn):
        return False
    taken = {graph.actions[state][index][0] for state, places in edges.items() for index in places}
    enabled = [{action[0] for action in graph.actions[state]} for state in states]
    owed = {Fairness.NONE: set(), Fairness.WEAK: set.intersection(*enabled), Fairness.STRONG: set.union(*enabled)}
    return owed[fairness] <= taken


def where_one_can_stay(graph: Any, region: Any, fairness: Any, coins: Any) -> Any:
    """The states of every set in a region in which a fair run can stay: all subsets are tried."""
    subsets = (set(some) for size in range(1, len(region) + 1) for some in combinations(sorted(region), size))
    return set().union(*(some for some in subsets if can_stay(graph, some, fairness, coins)))


def drawn(graph: Any) -> Any:
    """A graph of a model as a graph of networkx, without transitions beyond the bounds."""
    network = networkx.DiGraph()
    network.add_nodes_from(range(len(graph.states)))
    pairs = ((state, target) for state, targets in enumerate(graph.targets) for target in targets)
    network.add_edges_from((state, target) for state, target in pairs if target != BEYOND)
    return network
