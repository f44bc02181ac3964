"""The tree of brokers is in their names: paths, distances, and names that form a tree.

Source: Section 4.1, topology path
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomboc.spec.protocols.delta_fault_tolerance.names import direction, distance, lies_on, path, within

NAMES = ("a", "a.b", "a.b.c", "a.b.d", "a.e", "a.e.f")
some = st.sampled_from(NAMES)


def test_a_path_goes_up_to_where_both_meet_and_down_again():
    assert path("a.b.c", "a.e.f") == ("a.b.c", "a.b", "a", "a.e", "a.e.f")
    assert path("a.b.c", "a.b.d") == ("a.b.c", "a.b", "a.b.d")
    assert path("a", "a") == ("a",)


@given(some, some, some)
def test_distance_is_one_of_a_tree(one, way, other):
    assert path(one, other) == path(other, one)[::-1]
    assert (distance(one, way) + distance(way, other) == distance(one, other)) == lies_on(way, one, other)


def test_a_label_that_begins_alike_is_another_one():
    assert path("a.b", "a.bc") == ("a.b", "a", "a.bc")


def test_the_direction_is_the_first_hop_and_a_node_that_is_near_is_known():
    assert direction("a.b", "a.e.f") == "a"
    assert within(NAMES, "a.b", 1) == ("a", "a.b.c", "a.b.d")
    assert within(NAMES, "a.b", 2) == ("a", "a.b.c", "a.b.d", "a.e")


def test_nothing_comes_to_a_broker_from_itself():
    with pytest.raises(ValueError, match=r"^nothing comes to 'a\.b' from itself$"):
        direction("a.b", "a.b")
