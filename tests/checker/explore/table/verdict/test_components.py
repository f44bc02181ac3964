"""Strongly connected components of columns are those of networkx."""

import networkx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gomboc.checker.explore.table.verdict.components import NOWHERE, strong_components

COLUMNS = st.integers(1, 14).flatmap(
    lambda count: st.lists(st.lists(st.integers(-2, count - 1), min_size=count, max_size=count), min_size=1, max_size=3)
)


@given(COLUMNS)
def test_components_are_those_of_networkx(columns):
    count = len(columns[0])
    network = networkx.DiGraph()
    network.add_nodes_from(range(count))
    network.add_edges_from((node, to) for column in columns for node, to in enumerate(column) if to >= 0)
    cyclic = [some for some in networkx.strongly_connected_components(network) if network.subgraph(some).edges]
    labels = strong_components([np.array(column, np.int32) for column in columns]).tolist()
    node_sets = [{node for node in range(count) if labels[node] == label} for label in set(labels) - {NOWHERE}]
    assert sorted(map(sorted, node_sets)) == sorted(map(sorted, cyclic))
    assert all(label in component for component in node_sets for label in {labels[node] for node in component})


def test_no_nodes_have_no_components():
    assert len(strong_components([])) == 0
    assert len(strong_components([np.empty(0, np.int32)])) == 0


def test_a_long_cycle_is_one_component():
    ring = np.roll(np.arange(2_000, dtype=np.int32), -1)
    assert len(set(strong_components([ring]).tolist())) == 1


def test_the_columns_that_are_given_are_left_as_they_are():
    column = np.array([1, 0, 2, -1], np.int32)
    strong_components([column])
    assert column.tolist() == [1, 0, 2, -1]
