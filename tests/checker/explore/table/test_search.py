"""The search by tables: the same states for any size of pieces, and bounds that report their coverage."""

from unittest.mock import patch

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gomboc.checker.core.phrases import counted
from gomboc.checker.explore.graph.graph import BEYOND
from gomboc.checker.explore.questions.bounds import Bounds, BoundWatch
from gomboc.checker.explore.table import matrix as matrix_module
from gomboc.checker.explore.table import search as search_module
from gomboc.checker.explore.table.examine import examine
from gomboc.checker.explore.table.matrix import matrix
from gomboc.checker.explore.table.model import layout as layout_module
from gomboc.checker.explore.table.model.layout import Layout, TooWideError
from gomboc.checker.explore.table.search import chunks, search
from tests.checker.explore.table.protocols import instance_of, instances, tabled
from tests.sampling import share

COUNT = {("a", state, None): ((state + 1, ()),) for state in range(30)}


@settings(max_examples=share(60))
@given(instance=instances(), size=st.integers(1, 5))
def test_the_size_of_the_pieces_makes_no_difference(instance, size):
    whole = examine(instance)
    with patch.object(search_module, "CHUNK", size), patch.object(matrix_module, "CHUNK", size):
        pieces = examine(instance)
    assert (whole.extent, whole.legitimate) == (pieces.extent, pieces.legitimate)
    assert whole.findings == pieces.findings


@settings(max_examples=share(120))
@given(instance=instances(), most=st.integers(0, 12))
def test_contents_with_a_bit_for_each_message_make_no_difference(instance, most):
    """Slots are refused above a width, at first or as soon as there are more messages."""

    def narrow(local_bits, slots, slot_bits, *others):
        if len(others) < 2 and slots * slot_bits > most:
            raise TooWideError("no more slots")
        return Layout(local_bits, slots, slot_bits, *others)

    whole = examine(instance)
    with patch.object(layout_module, "Layout", narrow):
        bits = examine(instance)
    assume(bits.extent.stopped != "no more slots")
    assert (whole.extent, whole.legitimate) == (bits.extent, bits.legitimate)
    assert whole.findings == bits.findings


def worlds(explored):
    built = matrix(explored, BoundWatch(Bounds()))
    return {built.state(index) for index in range(built.count)}


@settings(max_examples=share(60))
@given(instance=instances(), most=st.integers(1, 40))
def test_what_was_explored_up_to_a_bound_is_part_of_the_whole(instance, most):
    whole, part = search(instance), search(instance, BoundWatch(Bounds(most_states=most)))
    assert worlds(part) <= worlds(whole)
    bound = f"the bound of {counted(most, 'state')} was reached"
    assert part.extent.stopped == ("" if len(part.keys) == whole.extent.states else bound)
    assert part.extent.states <= whole.extent.states
    assert not part.extent.stopped or part.extent.states > most


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_states_that_two_pieces_find_do_not_reach_a_bound_twice(size):
    diamond = {("a", 0, None): ((1, ()),), ("b", 0, None): ((1, ()),)}
    with patch.object(search_module, "CHUNK", size):
        explored = search(instance_of(tabled(diamond), locals_=(0, 1)), BoundWatch(Bounds(most_states=4)))
    assert (explored.extent.states, explored.extent.stopped) == (4, "")


def test_a_model_that_is_as_large_as_the_bound_is_explored_to_its_end():
    assert search(instance_of(tabled(COUNT)), BoundWatch(Bounds(most_states=31))).extent.stopped == ""
    cut = search(instance_of(tabled(COUNT)), BoundWatch(Bounds(most_states=30)))
    assert (cut.extent.stopped, cut.extent.states, len(cut.keys)) == ("the bound of 30 states was reached", 31, 30)


@pytest.mark.parametrize("most", [4, 5, 7, 8])
def test_a_bound_that_is_reached_between_two_pieces_leaves_the_rest_unexplored(most):
    steps = {(me, state, None): ((state + 1, ()),) for me in "ab" for state in range(6)}
    with patch.object(search_module, "CHUNK", 1):
        explored = search(instance_of(tabled(steps), locals_=(0, 1)), BoundWatch(Bounds(most_states=most)))
    built = matrix(explored, BoundWatch(Bounds()))
    taken = sum(int((column.targets >= BEYOND).sum()) for column in built.columns)
    assert explored.extent.stopped
    assert 0 < len(explored.keys) < explored.extent.states
    assert taken == explored.extent.transitions, "just those of the states that were explored"


def test_pieces_put_together_are_the_whole():
    assert [list(piece) for piece in chunks(range(7), 3)] == [[0, 1, 2], [3, 4, 5], [6]]
    assert not list(chunks([], 3))


def test_progress_is_reported_level_by_level():
    calls = []
    search(instance_of(tabled(COUNT)), BoundWatch(Bounds(), lambda *numbers: calls.append(numbers)))
    assert calls[1:4] == [(1, 2, 1), (2, 3, 2), (3, 4, 3)]
    assert calls[-1] == (31, 31, 30)
