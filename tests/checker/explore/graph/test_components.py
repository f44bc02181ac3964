"""Strongly connected components and end components, held against networkx and the definition."""

import networkx
from hypothesis import given
from hypothesis import strategies as st

from gomboc.checker.explore.graph.components import components, edges_within, end_components, strong_components
from gomboc.checker.explore.graph.search import explore
from gomboc.checker.explore.questions.question import Coins
from tests.checker.explore.graph.graphs import drawn, graph_model, graph_models, inner_edges

ARROWS = st.integers(1, 12).flatmap(
    lambda count: st.lists(st.lists(st.integers(0, count - 1), max_size=3), min_size=count, max_size=count)
)


@given(ARROWS)
def test_components_are_those_of_networkx(arrows):
    other = networkx.DiGraph([(node, after) for node, targets in enumerate(arrows) for after in targets])
    other.add_nodes_from(range(len(arrows)))
    components_of_nodes = strong_components(dict(enumerate(arrows)))
    assert sorted(map(sorted, components_of_nodes)) == sorted(
        map(sorted, networkx.strongly_connected_components(other))
    )


def test_a_path_of_a_hundred_thousand_nodes_needs_no_recursion():
    path = {node: [node + 1] for node in range(100_000)} | {100_000: [0]}
    (result,) = strong_components(path)
    assert len(result) == 100_001


@given(graph_models())
def test_a_component_has_a_cycle_and_all_transitions_between_its_states(model):
    graph = explore(model)
    region = frozenset(range(len(graph.states)))
    whole = drawn(graph)
    cyclic = [some for some in networkx.strongly_connected_components(whole) if whole.subgraph(some).edges]
    found_components = list(components(graph, edges_within(graph, region)))
    assert sorted(sorted(one.states) for one in found_components) == sorted(map(sorted, cyclic))
    for one in found_components:
        inner = {(state, index) for state, places in one.edges.items() for index in places}
        every = edges_within(graph, one.states)
        assert inner == {(state, index) for state, places in every.items() for index in places}


@given(graph_models())
def test_chance_cannot_leave_an_end_component(model):
    graph = explore(model)
    for one in end_components(graph, edges_within(graph, frozenset(range(len(graph.states))))):
        assert one.edges == inner_edges(graph, one.states, Coins.TOSSED)


def test_a_coin_that_falls_on_either_side_is_no_end_component():
    coin = graph_model([(0, [("a", 1), ("a", 2)]), (1, [("a", 0)]), (2, [])], coins=True)
    graph = explore(coin)
    region = frozenset(range(3))
    assert [one.states for one in components(graph, edges_within(graph, region))] == [{0, 1}]
    assert not list(end_components(graph, edges_within(graph, region)))
