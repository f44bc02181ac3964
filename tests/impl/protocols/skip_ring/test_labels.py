from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomboc.impl.core.errors import PeerError
from gomboc.impl.protocols.skip_ring import labels
from tests.impl.refusing import refusing

TEXTS = st.one_of(st.just("0"), st.text("01", max_size=63).map(lambda bits: bits + "1"))


def value(text):
    return Fraction(int(text, 2), 2 ** len(text))


def text_of(value):
    bits = max(1, value.denominator.bit_length() - 1)
    return f"{value.numerator * 2**bits // value.denominator:0{bits}b}"


def test_labels_are_given_out_in_the_order_of_the_paper():
    given_out = [labels.to_text(labels.from_index(index)) for index in range(9)]
    assert given_out == ["0", "1", "01", "11", "001", "011", "101", "111", "0001"]


@given(st.integers(0, 2**64 - 1))
def test_every_index_has_its_own_label(index):
    assert labels.index_of(labels.from_index(index)) == index


@given(TEXTS)
def test_a_label_reads_back_as_it_was_written(text):
    assert labels.to_text(labels.from_text(text)) == text
    assert labels.length(labels.from_text(text)) == len(text)


@given(TEXTS, TEXTS)
def test_labels_are_ordered_as_their_numbers_and_as_their_texts(one, other):
    first, second = labels.from_text(one), labels.from_text(other)
    assert (first < second) == (value(one) < value(other)) == (one < other)


@given(TEXTS, TEXTS)
def test_clockwise_distance_wraps_at_one(one, other):
    distance = labels.clockwise(labels.from_text(one), labels.from_text(other))
    assert Fraction(distance, 2**64) == (value(other) - value(one)) % 1


@pytest.mark.parametrize("text", ["", "00", "10", "0110", "1\n", "2", "0b1", "1" * 65])
def test_what_is_not_canonical_is_refused(text):
    with refusing(f'{text!r} is not a label: it is neither "0" nor up to 64 bits that end in 1.', PeerError):
        labels.from_text(text)


def test_the_node_at_a_quarter_has_the_chains_that_the_paper_gives_it():
    quarter = labels.from_text("01")
    before = labels.chain(quarter, labels.from_text("0011"))
    after = labels.chain(quarter, labels.from_text("0101"))
    assert list(map(labels.to_text, before)) == ["001", "0"]
    assert list(map(labels.to_text, after)) == ["011", "1"]


def test_a_chain_may_pass_zero():
    assert [*map(labels.to_text, labels.chain(0, labels.from_text("1111")))] == ["111", "11", "1"]


@given(TEXTS, TEXTS)
def test_a_chain_reflects_the_own_label_until_it_is_no_longer_than_it(own, neighbour):
    expected, reached = [], neighbour
    while len(reached) > len(own):
        reached = text_of((2 * value(reached) - value(own)) % 1)
        expected.append(reached)
    chain = labels.chain(labels.from_text(own), labels.from_text(neighbour))
    assert [labels.to_text(label) for label in chain] == expected
