"""Reads of nodes are recorded, and reading a node without a state raises the request for it."""

import pytest

from gomboc.checker.core.dependency_tracker import Looked, MissingRead


def test_iterating_over_all_nodes_requests_all_missing_ones_at_once():
    states = Looked({"a": 1}, ("a", "b", "c"))
    with pytest.raises(MissingRead) as asked:
        list(states.items())
    assert asked.value.names == ("b", "c")
    assert len(states) == 3
    assert states["a"] == 1
    with pytest.raises(MissingRead) as asked:
        states["b"]
    assert asked.value.names == ("b",)


def test_nodes_that_were_read_are_known_in_order_without_unknown_ones():
    states = Looked({"a": 1, "b": 2, "c": 3}, ("a", "b", "c"))
    assert (states["c"], states["a"], states["c"]) == (3, 1, 3)
    with pytest.raises(KeyError):
        states["x"]
    assert (len(states), "x" in states) == (3, False)
    assert states.at == ("c", "a")
    assert max(states.values()) == 3
    assert states.at == ("c", "a", "b")
