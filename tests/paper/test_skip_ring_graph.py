"""The paper's sentences on the graph of a skip ring: its labels, its edges, and how shortcuts are computed.

Source: Feldmann, Kolb, Scheideler, Strothmann, Self-Stabilizing Supervised Publish-Subscribe Systems
"""

from fractions import Fraction
from itertools import pairwise

import networkx
import pytest
from msgspec.structs import replace

from gomboc.checker.evidence.skip_ring.experiments.ring import levels, members
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.labels import index_of, label_of, shortcut_chain
from gomboc.spec.protocols.skip_ring.state import Entry, Subscriber
from gomboc.spec.protocols.skip_ring.subscriber import references
from tests.paper.rounds import number, play_round
from tests.sampling import THOROUGH
from tests.spec.protocols.skip_ring.starts import right_states


def stored_edges(nodes):
    """Every directed edge between labels that some subscriber of a legitimate state stores, once for each variable."""
    return [(u.label, claim.label) for u in members(nodes).values() for claim in references(u)]


def stored_graph(nodes):
    """SR(nodes) as the legitimate state of the specification has it."""
    graph = networkx.Graph()
    graph.add_nodes_from(u.label for u in members(nodes).values())
    graph.add_edges_from(stored_edges(nodes))
    return graph


def sorted_ring(labels):
    """The edges of the sorted ring over these labels."""
    ordered = sorted(labels, key=number)
    return [(one, other) for one, other in pairwise([*ordered, ordered[0]]) if one != other]


def defined_graph(nodes):
    """SR(nodes) word for word as Definition 2 has it."""
    labels = [label_of(index) for index in range(nodes)]
    graph = networkx.Graph()
    graph.add_nodes_from(labels)
    graph.add_edges_from(sorted_ring(labels))
    for level in range(1, levels(nodes)):
        graph.add_edges_from(sorted_ring([label for label in labels if len(label) <= level]))
    return graph


# Section 2.1: the skip ring


def test_labels_are_generated_in_the_order_of_the_paper():
    """Labels are generated in the order: 0, 1, 01, 11, 001, 011, 101, 111, 0001, ... Source: Section 2.1."""
    assert [label_of(x) for x in range(9)] == ["0", "1", "01", "11", "001", "011", "101", "111", "0001"]


def test_the_label_function_is_invertible():
    """Note that l is invertible. Source: Section 2.1."""
    assert [index_of(label_of(x)) for x in range(5000)] == list(range(5000))


@pytest.mark.parametrize("d", range(9))
def test_new_labels_lie_midway_between_the_old_ones(d):
    """For all x in 2^d .. 2^(d+1)-1 the values r(l(x)) are uniformly spread in between old values r(l(y)).

    Source: Section 2.1
    """
    old = sorted(number(label_of(y)) for y in range(2**d))
    new = sorted(number(label_of(x)) for x in range(2**d, 2 ** (d + 1)))
    assert new == [(one + other) / 2 for one, other in pairwise([*old, Fraction(1)])]


def test_figure_1_has_sixteen_ring_edges_and_eight_four_and_one_shortcuts():
    """Black edges are ring edges (k = 4), green edges shortcuts for k = 3, red for k = 2, the blue one for k = 1.

    Source: Figure 1
    """
    graph = stored_graph(16)
    at_level = [sum(max(map(len, edge)) == level for edge in graph.edges) for level in (4, 3, 2, 1)]
    assert at_level == [16, 8, 4, 1]
    assert {frozenset(edge) for edge in graph.edges if max(map(len, edge)) == 4} == {
        frozenset(edge) for edge in sorted_ring(graph.nodes)
    }


def test_the_legitimate_state_is_the_graph_of_definition_2():
    """E_R: consecutive in the ordering induced by r. E_S: part of the sorted ring over K_i, for i below ceil(log n).

    Source: Definition 2
    """
    for nodes in (*range(1, 130), 255, 256, 257, 512) if not THOROUGH else range(1, 513):
        assert networkx.utils.graphs_equal(stored_graph(nodes), defined_graph(nodes)), nodes


def test_every_edge_is_stored_at_both_ends():
    """All nodes with label of length at most k form a bidirected sorted ring. Source: Section 2.1."""
    for nodes in (*range(1, 40), 100, 512):
        edges = set(stored_edges(nodes))
        assert edges == {(other, one) for one, other in edges}, nodes


def test_shortcuts_stay_on_ones_own_semicircle():
    """A subscriber has only shortcuts to subscribers on the same semicircle, where the 1 is represented by label 0.

    Source: Section 3.2.2
    """
    half = Fraction(1, 2)
    for nodes in range(1, 130):
        for one, other in stored_edges(nodes):
            a, b = sorted((number(one), number(other)))
            assert (a <= half and b <= half) or (a >= half and b >= half) or (a == 0 and b >= half)


def test_the_longer_a_node_takes_part_the_more_shortcuts_it_has():
    """This implies that the longer a node is a participant of the system, the more shortcuts it has.

    Source: Section 2.1
    """
    for nodes in (2, 4, 8, 16, 64):
        held = [len(u.shortcuts) for u in members(nodes).values()]
        top = levels(nodes)
        assert held == [2 * (top - max(len(label_of(x)), 1)) - (x < 2 and top > 1) for x in range(nodes)]
        assert held[2:] == sorted(held[2:], reverse=True)


# Section 3.2.2: computing shortcuts


def test_a_quarter_computes_its_shortcuts_from_its_neighbours():
    """Node 1/4 with neighbours 3/16 and 5/16 computes the shortcuts 1/8, 0 and 3/8, 1/2. Source: Section 3.2.2."""
    before, after = shortcut_chain("01", "0011"), shortcut_chain("01", "0101")
    assert list(map(number, before)) == [Fraction(1, 8), 0]
    assert list(map(number, after)) == [Fraction(3, 8), Fraction(1, 2)]
    (quarter,) = (u for u in members(16).values() if u.label == "01")
    assert [entry.label for entry in quarter.shortcuts] == sorted(before + after)


def without_shortcuts(nodes):
    """SR(nodes), in which no shortcut's node is known."""
    return {
        node: replace(local, shortcuts=tuple(Entry(entry.label, None) for entry in local.shortcuts))
        if isinstance(local, Subscriber)
        else local
        for node, local in right_states(nodes).items()
    }


def rounds_to_shortcuts(protocol, nodes, most=10):
    """The rounds until every shortcut is right, starting from none; None if it takes more than `most`."""
    states, in_flight = without_shortcuts(nodes), []
    for rounds in range(most):
        if all(states[node] == u for node, u in members(nodes).items()):
            return rounds
        in_flight = play_round(protocol, states, in_flight)
    return None


def test_shortcuts_are_established_bottom_up_one_level_a_round():
    """Once the ring is right, all correct shortcut links will eventually be established. Source: Lemma 12."""
    for nodes in range(1, 66):
        assert rounds_to_shortcuts(PROTOCOL, nodes) <= max(levels(nodes), 1), nodes
