"""Ranges reach to the farther of the extended neighbours, and each node in one is a neighbour."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from gomboc.spec.protocols.skip_plus.models import every_naming, named
from gomboc.spec.protocols.skip_plus.names import prefix_length, string_of
from gomboc.spec.protocols.skip_plus.ranges import contains, neighbours, predecessor, range_at, successor

SYSTEMS = st.lists(st.text("01", min_size=3, max_size=3), min_size=1, max_size=9).map(lambda strings: named(*strings))


def test_extended_predecessors_and_successors_look_at_the_next_bit():
    a, b, c, d = names = named("00", "01", "00", "10")
    assert predecessor(c, names, 0, "0") == b
    assert predecessor(c, names, 1, "0") == a
    assert successor(c, names, 0, "0") is None
    assert successor(c, names, 0, "1") == d


def test_a_range_reaches_to_the_farther_one_on_either_side():
    a, b, c, d, e = names = named("1", "0", "0", "0", "1")
    assert range_at(c, names, 0) == (a, e)
    assert neighbours(c, names) == (a, b, d, e)


def test_a_side_that_lacks_one_of_the_two_is_unbounded():
    names = named("0", "0", "1")
    assert range_at(names[0], names, 0) == (None, names[2])
    assert contains((None, names[1]), names[0])
    assert not contains((None, names[1]), names[2])


def test_a_neighbour_at_a_level_shares_the_first_bits():
    a, b, c = names = named("00", "10", "01")
    assert predecessor(c, names, 1, "0") == a
    assert range_at(c, names, 1) == (None, None)
    assert neighbours(c, names) == (a, b)


def between_with_the_same_next_bit(one, other, names):
    """Whether at some common level all strictly between that share the first bits have the same next bit."""
    low, high = sorted((one, other))
    for level in range(min(prefix_length(one, other) + 1, len(string_of(one)))):
        beginning = string_of(one)[:level]
        inner = [name for name in names if low < name < high and string_of(name).startswith(beginning)]
        if len({string_of(name)[level] for name in inner}) <= 1:
            return True
    return False


@given(SYSTEMS)
def test_neighbours_are_those_with_one_next_bit_between_them(names):
    """Source: Slide 15; this characterisation says it without ranges."""
    for me in names:
        result = [other for other in names if other != me and between_with_the_same_next_bit(me, other, names)]
        assert list(neighbours(me, names)) == result


@given(SYSTEMS)
def test_neighbours_are_symmetric_and_include_the_nearest_ids(names):
    around = {name: neighbours(name, names) for name in names}
    assert all(me in around[other] for me in names for other in around[me])
    assert all(after in around[before] for before, after in pairwise(names))


def test_neighbours_of_every_small_system_are_symmetric():
    for names in every_naming(4, 2):
        around = {name: neighbours(name, names) for name in names}
        assert all(me in around[other] for me in names for other in around[me]), names
