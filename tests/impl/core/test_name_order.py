"""Routing and broadcasting over right graphs: owners, distances, and no node told twice."""

from math import ceil, log2
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomboc.impl.core.name_order import parts, responsible, route
from tests.impl.protocols.skip_plus.systems import drawn, named, right_graph
from tests.sampling import THOROUGH

LETTERS = st.text("abcd", min_size=1, max_size=3)
GRAPHS = [drawn(nodes, max(1, 2 * ceil(log2(nodes))), Random(seed)) for nodes in (2, 5, 8, 13) for seed in range(2)]


def way(graph, me, key):
    """All nodes that are asked, from this node on."""
    asked = [me]
    while (following := route(asked[-1], graph[asked[-1]], key)) is not None:
        asked.append(following)
        assert len(asked) <= 2 * len(graph)
    return asked


def depths(graph, publisher):
    """The hops to each node in a broadcast; no node is told twice."""
    depth_of, waiting = {publisher: 0}, [(publisher, None, None)]
    for me, low, high in waiting:
        for part in parts(me, graph[me], low, high):
            assert part.node not in depth_of
            depth_of[part.node] = depth_of[me] + 1
            waiting.append(part)
    return depth_of


@pytest.mark.parametrize("names", GRAPHS)
def test_every_way_in_a_right_graph_ends_at_the_one_that_is_responsible_after_a_logarithm_of_hops(names):
    graph = right_graph(names)
    for key in ["", "~", *(f"{name.split(':')[0]}{more}" for name in names for more in ("", "~"))]:
        for name in names:
            asked = way(graph, name, key)
            assert asked[-1] == responsible(names, key)
            assert len(asked) - 1 <= 2 * ceil(log2(len(names)))


@pytest.mark.parametrize("seed", range(10 if THOROUGH else 1))
def test_a_broadcast_in_a_right_graph_reaches_each_node_once_within_the_logarithm_and_one_hop(seed):
    """So it costs n - 1 messages."""
    for nodes in (*range(2, 33), 40, 48, 64):
        names = drawn(nodes, 2 * ceil(log2(nodes)), Random(f"{nodes} {seed}"))
        graph = right_graph(names)
        for name in names[:: ceil(nodes / 16)]:
            reached = depths(graph, name)
            assert sorted(reached) == names
            assert max(reached.values()) <= ceil(log2(nodes)) + 1


def test_with_strings_of_one_bit_a_broadcast_may_be_deeper():
    """Neighbours are nodes up to two places away, so that the depth grows with the number of nodes."""
    names = named(["0", "1"] * 6)
    assert max(max(depths(right_graph(names), name).values()) for name in names) == 6 > ceil(log2(12)) + 1


@given(st.dictionaries(LETTERS, st.sets(LETTERS), min_size=1), LETTERS)
def test_whatever_the_neighbours_are_every_way_ends(graph, key):
    graph = {me: sorted(neighbours & graph.keys()) for me, neighbours in graph.items()}
    for me in graph:
        assert way(graph, me, key)


@given(LETTERS, st.sets(LETTERS), st.none() | LETTERS, st.none() | LETTERS)
def test_parts_lie_within_the_interval_and_apart(me, neighbours, low, high):
    def places(part):
        return {name for name in every if (part[1] or "") < name < (part[2] or "~")}

    every = {a + b + c for a in "abcd" for b in " abcd" for c in " abcd"}
    divided = [*parts(me, neighbours, low, high)]
    for number, part in enumerate(divided):
        assert part.node in neighbours - {me}
        assert places(part) | {part.node} <= places((me, low, high)) | neighbours
        for other in divided[:number]:
            assert not places(part) & places(other)
            assert other.node not in places(part)


def test_responsible_is_the_greatest_name_up_to_the_key_or_the_least_of_all():
    assert responsible(["b", "d", "f"], "e") == "d"
    assert responsible(["b", "d", "f"], "d") == "d"
    assert responsible(["b", "d", "f"], "a") == "b"
    with pytest.raises(ValueError, match="empty"):
        responsible([], "a")
