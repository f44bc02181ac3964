import networkx
from hypothesis import given
from hypothesis import strategies as st

from gomboc.spec.core.connection import is_connected, unreached


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd"))))
def test_connected_is_what_networkx_calls_weakly_connected(edges):
    network = networkx.DiGraph(edges)
    network.add_nodes_from("abcd")
    assert is_connected(tuple("abcd"), edges) == networkx.is_weakly_connected(network)


def test_the_nodes_that_are_apart_are_named_in_order():
    assert unreached(("a", "b", "c", "d"), [("d", "a")]) == ("b", "c")
    assert unreached((), []) == ()


def test_an_edge_to_a_node_that_is_not_asked_about_connects_nothing():
    assert unreached(("a", "b"), [("a", "gone"), ("b", "gone"), ("gone", "a")]) == ("b",)
