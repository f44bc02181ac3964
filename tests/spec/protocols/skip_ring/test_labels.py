from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomboc.spec.protocols.skip_ring.labels import (
    CIRCLE,
    LONGEST,
    clockwise,
    distance,
    index_of,
    is_canonical,
    label_at,
    label_of,
    position,
    shortcut_chain,
)
from tests.spec.protocols.skip_ring.starts import EXAMPLES

indices = st.one_of(st.integers(0, 200), st.integers(0, 2**LONGEST - 1))
labels = indices.map(label_of)


def number(label):
    """r(label), as the paper defines it."""
    return sum(Fraction(int(bit), 2**index) for index, bit in enumerate(label, 1))


def test_labels_begin_as_the_paper_lists_them():
    assert [label_of(index) for index in range(9)] == ["0", "1", "01", "11", "001", "011", "101", "111", "0001"]


@given(indices)
@EXAMPLES
def test_every_index_has_a_label_of_its_own(index):
    assert is_canonical(label_of(index))
    assert index_of(label_of(index)) == index


@pytest.mark.parametrize("index", [2 ** (LONGEST - 1), 2**LONGEST - 1])
def test_the_longest_labels_are_canonical(index):
    assert len(label_of(index)) == LONGEST
    assert is_canonical(label_of(index))


@pytest.mark.parametrize("label", ["", "10", "00", "2", "01 ", "0b1", "-1", "٠1", "0" * 64 + "1", "1_1"])
def test_what_the_supervisor_never_gives_out_is_not_canonical(label):
    assert not is_canonical(label)


@given(st.text("01", max_size=6))
@EXAMPLES
def test_a_bit_string_is_canonical_if_and_only_if_some_index_has_it(bits):
    assert is_canonical(bits) == (bits in {label_of(index) for index in range(64)})


@given(labels, labels)
@EXAMPLES
def test_the_order_of_the_strings_is_that_of_the_numbers(one, other):
    assert (one < other) == (number(one) < number(other))
    assert (one == other) == (number(one) == number(other))


@given(labels)
@EXAMPLES
def test_a_position_is_the_number_in_parts_of_the_circle(label):
    assert Fraction(position(label), CIRCLE) == number(label)
    assert label_at(position(label)) == label


@given(labels, labels)
@EXAMPLES
def test_distances_are_exact(one, other):
    assert Fraction(distance(one, other), CIRCLE) == abs(number(one) - number(other))
    assert Fraction(clockwise(one, other), CIRCLE) == (number(other) - number(one)) % 1


@given(labels, labels)
@EXAMPLES
def test_a_chain_gets_shorter_down_to_ones_own_length_and_never_reaches_oneself(label, neighbour):
    chain = shortcut_chain(label, neighbour)
    assert all(is_canonical(reached) for reached in chain)
    assert label not in chain
    lengths = [len(neighbour), *map(len, chain)]
    assert lengths == sorted(set(lengths), reverse=True)
    assert lengths[-1] <= max(len(label), len(neighbour))
    assert not chain or lengths[-1] <= len(label) < lengths[-2]


def test_a_neighbour_with_a_label_no_longer_than_ones_own_has_no_chain():
    assert shortcut_chain("01", "1") == ()
    assert shortcut_chain("01", "11") == ()


def test_the_chain_of_label_0_goes_through_the_end_of_the_circle():
    assert shortcut_chain("0", "1111") == ("111", "11", "1")
    assert shortcut_chain("0", "0001") == ("001", "01", "1")
