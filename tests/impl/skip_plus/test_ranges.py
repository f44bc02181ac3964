from random import Random

import pytest

from gomboc.impl.skip_plus.names import common, prefixes
from gomboc.impl.skip_plus.ranges import classes_of, ranges_of, within
from tests.impl.skip_plus.systems import drawn, named, right_graph


def ranges(me, names):
    return ranges_of(me, classes_of(set(names) - {me}))


def neighbours(me, names):
    classes = classes_of(set(names) - {me})
    return sorted(within(me, ranges_of(me, classes), classes))


def test_a_string_is_what_follows_the_last_colon():
    assert prefixes("a:b:01") == ("", "0", "01")


def test_the_common_prefix_of_equal_strings_is_the_whole_string():
    assert [common("1:0110", "2:0101"), common("1:01", "2:11"), common("1:01", "2:01")] == [2, 0, 2]


def test_a_range_ends_at_the_farther_of_the_two_nearest_nodes_that_differ_in_the_next_bit():
    names = named("0100101")
    assert ranges("03:0", names) == (("01:1", "05:0"),)


def test_a_side_on_which_a_bit_is_missing_is_unbounded():
    assert ranges("00:0", named("001")) == ((None, "02:1"),)
    assert ranges("02:1", named("001")) == ((None, None),)


def test_a_level_looks_only_at_those_with_the_same_prefix():
    names = ["1:00", "2:10", "3:01", "4:00", "5:01", "6:00", "7:11"]
    assert ranges("4:00", names) == (("2:10", "7:11"), ("1:00", "6:00"))


def test_ranges_of_three_nodes_are_symmetric_although_one_bit_is_rare():
    names = named("001")
    assert {me: neighbours(me, names) for me in names} == right_graph(names)


def test_a_node_that_is_in_a_range_has_the_prefix_of_its_level():
    names = ["1:00", "2:10", "3:01", "4:11"]
    classes = classes_of(names)
    nobody, all_of_them = ("9:00", "0:00"), (None, None)
    assert within("1:00", (nobody, all_of_them), classes) == {"3:01"}
    assert within("1:00", (("2:10", "3:01"), nobody), classes) == {"2:10", "3:01"}
    assert within("1:00", (nobody, nobody), classes) == set()


@pytest.mark.parametrize("seed", range(60))
def test_any_node_that_knows_every_node_finds_its_neighbours_in_the_right_graph(seed):
    random = Random(seed)
    names = drawn(random.randint(1, 12), random.randint(1, 5), random)
    assert {me: neighbours(me, names) for me in names} == right_graph(names)
