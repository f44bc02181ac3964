"""Reads of nodes are recorded, and reading a node without a state raises the request for it."""

import pytest

from gomboc.checker.core.dependency_tracker import Looked, MissingRead, answered


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


def swallowing(states):
    """The state of "b", or that of "a" if anything is wrong with it."""
    try:
        return states["b"]
    except:  # noqa: E722
        return states["a"]


def insisting(states):
    try:
        return states["b"]
    except BaseException as error:
        raise ValueError("no b") from error


@pytest.mark.parametrize("question", [swallowing, insisting, lambda states: sorted(states) and states["c"]])
def test_a_request_that_user_code_catches_is_made_in_the_end(question):
    with pytest.raises(MissingRead) as asked:
        answered(question, Looked({"a": 1}, ("a", "b")))
    assert asked.value.names == ("b",)


def test_an_answer_without_missing_reads_is_given():
    assert answered(swallowing, Looked({"a": 1, "b": 2}, ("a", "b"))) == 2
    with pytest.raises(KeyError):
        answered(lambda states: states["x"], Looked({"a": 1}, ("a", "b")))


def test_an_answer_that_reads_on_later_is_at_fault():
    late = answered(lambda states: lambda: states["b"], Looked({"a": 1}, ("a", "b")))
    with pytest.raises(ValueError, match="the state of b is read after the anchor was made from the others"):
        late()
