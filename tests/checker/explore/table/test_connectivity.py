"""Connectivity is asked once for each set of edges that occurs."""

from unittest.mock import patch

import numpy as np
import pytest
from msgspec.structs import replace

from checker.explore.table import connectivity
from checker.explore.table.connectivity import Links
from checker.explore.table.layout import TooWideError
from checker.explore.table.search import search
from tests.checker.explore.table.protocols import instance_of, tabled
from tests.plugins.linearisation import linearisation


def test_a_graph_is_asked_for_once_whatever_the_number_of_starts():
    asked = []

    def noted(nodes, edges):
        asked.append(tuple(sorted(edges)))
        return len(edges) > 1

    with patch.object(connectivity, "is_connected", noted):
        search(linearisation(2))
    assert len(set(asked)) == 8, "the subsets of three pairs of nodes"
    assert len(asked) < 100


def test_edges_point_either_way():
    links = Links(replace(instance_of(tabled({})), edges=lambda node, value: value))
    one, other = links.of("a", (("a", "b"),)), links.of("b", (("b", "a"),))
    assert one == other == 1
    assert links.connecting(np.array([0, 1, 1])).tolist() == [False, True, True]


def test_more_pairs_of_nodes_than_there_are_bits_are_refused():
    links = Links(replace(instance_of(tabled({})), edges=lambda node, value: value))
    with pytest.raises(TooWideError, match=r"^the starts have edges between more than 63 pairs of nodes$"):
        links.of("a", tuple(("a", str(number)) for number in range(64)))


def test_without_edges_every_start_is_connected():
    links = Links(instance_of(tabled({})))
    assert links.of("a", 0) == 0
    assert links.connecting(np.array([0, 0])).tolist() == [True, True]
