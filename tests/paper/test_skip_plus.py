"""Facts about Skip+ behind the claims of the slides; the claims themselves are in `test_claims.py`, once.

Source: slides on A Distributed Polylogarithmic Time Algorithm for Self-Stabilizing Skip Graphs
"""

from itertools import combinations, pairwise

import networkx

from gomboc.spec.protocols.skip_plus import PROTOCOL
from gomboc.spec.protocols.skip_plus.errata import VARIANTS
from gomboc.spec.protocols.skip_plus.models import every_naming
from gomboc.spec.protocols.skip_plus.ranges import neighbours, ranges


def test_the_variants_are_those_of_the_rules():
    """Source: our reading of the slides."""
    assert [erratum.name for erratum in PROTOCOL.variants.errata] == [*VARIANTS]


def graph(names):
    """Skip+ as an undirected graph."""
    network = networkx.Graph()
    network.add_nodes_from(names)
    network.add_edges_from((me, other) for me in names for other in neighbours(me, names))
    return network


def test_neighbours_in_the_order_of_ids_are_adjacent():
    """Source: Slide 15."""
    for names in every_naming(4, 2):
        assert all(networkx.has_path(graph(names), one, other) for one, other in combinations(names, 2))
        assert all(after in neighbours(before, names) for before, after in pairwise(names))


def test_one_departure_never_disconnects_a_right_graph():
    """Source: Slide 33, "Joins / Leaves can be handled"."""
    for names in every_naming(5, 2):
        around = graph(names)
        assert all(networkx.is_connected(around.subgraph(set(names) - {gone})) for gone in names), names


def test_two_departures_can_disconnect_one_from_four_nodes_on():
    """Source: Slide 33."""

    def falls_apart(names):
        around = graph(names)
        rest = [set(names) - set(gone) for gone in combinations(names, 2)]
        return any(left and not networkx.is_connected(around.subgraph(left)) for left in rest)

    assert not any(falls_apart(names) for nodes in (2, 3) for names in every_naming(nodes, 2))
    assert any(falls_apart(names) for names in every_naming(4, 2))


def test_a_node_knows_its_true_ranges_when_it_knows_its_neighbours():
    """Source: Slide 15; Slide 18, "from the local view of the node"."""
    for names in every_naming(4, 2):
        assert all(ranges(me, neighbours(me, names)) == ranges(me, names) for me in names)
