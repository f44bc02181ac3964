"""Routes from a layer below: one owner, and every way ends there."""

import pytest

from gomboc.spec.layers.routing import route_faults, way

RIGHT = {"a": "b", "b": "c", "c": "c", "d": "b"}


def test_a_way_leads_from_hop_to_hop_to_the_owner():
    assert way(RIGHT, "a") == ("a", "b", "c")
    assert way(RIGHT, "c") == ("c",)


def test_a_way_ends_before_it_repeats_a_node_and_where_no_route_is():
    assert way({"a": "b", "b": "a"}, "a") == ("a", "b")
    assert way({"a": "b", "b": None}, "a") == ("a", "b")
    assert way({"a": "gone"}, "a") == ("a", "gone")


@pytest.mark.parametrize("routes", [RIGHT, {}, {"a": None}, {"a": "a"}, {**RIGHT, "e": None}])
def test_nothing_is_wrong_with_one_owner_where_all_ways_end_nor_with_no_routes(routes):
    assert route_faults(routes) == ()


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"a": "a"}, [("one_owner", "a"), ("one_owner", "c")]),
        ({"c": "a"}, [("ways_end_at_owner", node) for node in "abcd"]),
        ({"b": "a"}, [("ways_end_at_owner", node) for node in "abd"]),
        ({"b": None}, [("ways_end_at_owner", node) for node in "ad"]),
        ({"b": "gone"}, [("ways_end_at_owner", node) for node in "abd"]),
    ],
)
def test_two_owners_circles_and_ways_that_end_elsewhere_are_faults(changes, wrong):
    assert [(fault.rule, fault.node) for fault in route_faults({**RIGHT, **changes})] == wrong


@pytest.mark.parametrize(("needed", "wrong"), [("", []), ("bc", []), ("abc", ["a"]), ("d", ["d"])])
def test_only_ways_that_are_needed_count(needed, wrong):
    assert [fault.node for fault in route_faults({**RIGHT, "b": None}, needed)] == wrong
