"""Sweeps over columns, held against networkx."""

from itertools import pairwise
from types import SimpleNamespace

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomboc.checker.explore.graph.graph import BEYOND
from gomboc.checker.explore.table.columns import ABSENT, Column
from gomboc.checker.explore.table.verdict import reach


@st.composite
def matrices(draw):
    """A graph of some columns, with marks on its states; of one state no column is without a transition."""
    count = draw(st.integers(2, 7))
    column = st.lists(st.integers(ABSENT, count - 1), min_size=count, max_size=count)
    columns = draw(st.lists(column, min_size=1, max_size=3))
    starts = draw(st.lists(st.integers(0, count - 1), min_size=1, unique=True).map(sorted))
    built = SimpleNamespace(
        count=count,
        starts=np.array(starts, np.int32),
        columns=tuple(Column(0, index, 0, np.array(targets, np.int32)) for index, targets in enumerate(columns)),
    )
    return built, np.array(draw(st.lists(st.booleans(), min_size=count, max_size=count)))


def network(built):
    network = networkx.DiGraph()
    network.add_nodes_from(range(built.count))
    for column in built.columns:
        network.add_edges_from((node, to) for node, to in enumerate(column.targets.tolist()) if to >= 0)
    return network


def marked(marks):
    return set(np.flatnonzero(marks).tolist())


@given(matrices())
def test_what_reaches_the_goals_has_a_way_to_one(case):
    built, goals = case
    graph = network(built)
    expected = [bool(({node} | networkx.descendants(graph, node)) & marked(goals)) for node in graph]
    assert reach.reaching(built, goals).tolist() == expected


@given(matrices())
def test_a_step_that_leaves_is_one_from_inside_to_outside(case):
    built, inside = case
    sources = {node for node, to in network(built).edges if inside[node] and not inside[to]}
    assert marked(reach.leaving(built, inside)) == sources
    for node in sources:
        to = reach.led_out(built, node, inside)
        assert not inside[to]
        assert network(built).has_edge(node, to)


@given(matrices())
def test_states_stop_where_nothing_is_enabled_and_open_where_one_leads_beyond(case):
    built, region = case
    every = [[int(column.targets[node]) for column in built.columns] for node in range(built.count)]
    stops = {node for node, targets in enumerate(every) if set(targets) == {ABSENT} and region[node]}
    assert set(reach.stopping(built, region).tolist()) == stops
    assert marked(reach.opening(built)) == {node for node, targets in enumerate(every) if BEYOND in targets}


@given(matrices())
def test_the_longest_way_out_is_that_of_networkx(case):
    built, region = case
    inner = network(built).subgraph(marked(region))
    stuck = len(reach.stopping(built, region)) or (reach.opening(built) & region).any()
    if stuck or not networkx.is_directed_acyclic_graph(inner):
        assert reach.longest(built, region) is None
    else:
        assert reach.longest(built, region) == (networkx.dag_longest_path_length(inner) + 1 if inner else 0)


@given(matrices())
def test_the_nearest_goal_is_reached_by_a_shortest_way(case):
    built, goals = case
    graph, starts = network(built), built.starts.tolist()
    far = networkx.multi_source_dijkstra_path_length(graph, set(starts), weight=None)
    within = {node: steps for node, steps in far.items() if goals[node]}
    if not within:
        with pytest.raises(AssertionError, match="every state of the graph was reached"):
            reach.nearest(built, goals)
        return
    way = reach.nearest(built, goals)
    assert way[0] in starts
    assert goals[way[-1]]
    assert len(way) - 1 == min(within.values())
    assert all(graph.has_edge(one, other) for one, other in pairwise(way))
