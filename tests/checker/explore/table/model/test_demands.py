"""Connectivity is asked once for each set of edges that occurs."""

from itertools import product
from unittest.mock import patch

import numpy as np
import pytest

from gomboc.checker.explore.table.model import demands
from gomboc.checker.explore.table.model.demands import Links
from gomboc.checker.explore.table.model.layout import States, TooWideError
from gomboc.checker.explore.table.model.tables import Tables
from gomboc.checker.explore.table.search import search
from tests.checker.explore.table.protocols import instance_of, tabled
from tests.plugins.linearisation import linearisation


def test_a_graph_is_asked_for_once_whatever_the_number_of_starts():
    asked = []

    def noted(nodes, edges):
        asked.append(tuple(sorted(edges)))
        return len(edges) > 1

    with patch.object(demands, "is_connected", noted):
        search(linearisation(2))
    assert len(set(asked)) == 8, "the subsets of three pairs of nodes"
    assert len(asked) < 100


def tables_of(**parts):
    tables = Tables(instance_of(tabled({}).changed(edges=lambda node, value: value, **parts)))
    return tables, Links(tables)


def test_edges_point_either_way():
    _, links = tables_of()
    one, other = links.of("a", (("a", "b"),)), links.of("b", (("b", "a"),))
    assert one == other == 0b100


def test_a_node_that_is_awake_has_to_be_connected_and_no_node_else():
    tables, links = tables_of(asleep=lambda local: local == ())
    states = [(tables.local(0, one), tables.local(1, two)) for one, two in product(((), AWAKE, LINKED), repeat=2)]
    tables.freeze()
    nothing = np.zeros(len(states), np.int64)
    columns = [np.array(column) for column in zip(*states, strict=True)]
    connected = links.connected(States(nothing, columns, [], nothing))
    assert connected.tolist() == [True, True, True, True, False, True, True, True, True]


def test_more_pairs_of_nodes_than_there_are_bits_are_refused():
    _, links = tables_of()
    with pytest.raises(TooWideError, match=r"^there are edges between more than 61 pairs of nodes$"):
        links.of("a", tuple(("a", str(number)) for number in range(62)))


AWAKE, LINKED = (("a", "a"),), (("a", "b"),)
