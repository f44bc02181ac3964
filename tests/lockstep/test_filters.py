"""Filters and attributes as JSON: specification and implementation accept the same, and match the same."""

from decimal import Decimal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomboc.impl.protocols.delta_fault_tolerance import filters as built
from gomboc.impl.protocols.delta_fault_tolerance.index import Index
from gomboc.spec.protocols.delta_fault_tolerance import filters as specified

LARGEST = 2**53
NUMBERS = st.one_of(
    st.integers(-3, 3),
    st.sampled_from([-2.5, -0.5, 0.5, 1.5, 1e300, -1e300, 5e-324, 1.0, -0.0, float(LARGEST), LARGEST - 1.5]),
    st.sampled_from([LARGEST - 1, 1 - LARGEST]),
)
TRUTHS = st.booleans().map(lambda side: [side])
VALUES = NUMBERS | TRUTHS | st.text("ab", max_size=2)
NAMES = st.sampled_from(["x", "y"])
OPERATORS = st.sampled_from(["=", "!=", "<", "<=", ">", ">=", "prefix", "exists"])
FILTERS = st.lists(st.tuples(NAMES, OPERATORS, VALUES | st.none()), max_size=3).map(
    lambda side: sorted(side, key=msgspec.json.encode)
)
ATTRIBUTES = st.dictionaries(NAMES, VALUES, max_size=2).map(lambda side: sorted(side.items()))


def as_specified(predicates):
    read = msgspec.json.decode(msgspec.json.encode(predicates), type=specified.Filter)
    return None if specified.ill_formed(read) else read


def as_built(predicates):
    read = msgspec.json.decode(msgspec.json.encode(predicates), type=built.Filter)
    return None if built.wrong_filter(read) else read


@given(FILTERS, ATTRIBUTES)
def test_both_accept_the_same_filters_and_attributes_and_match_the_same(predicates, attributes):
    ours, theirs = as_specified(predicates), as_built(predicates)
    assert (ours is None) == (theirs is None)
    text = msgspec.json.encode(attributes)
    published, taken = (msgspec.json.decode(text, type=side.Attributes) for side in (specified, built))
    assert (specified.ill_valued(published) is None) == (built.wrong_attributes(taken) is None)
    if ours is None or specified.ill_valued(published) is not None:
        return
    index = Index()
    index.add("it", theirs)
    matches = specified.matches(published, ours)
    assert built.matches(dict(taken), theirs) == matches
    assert list(index.matching(dict(taken))) == ["it"] * matches


@given(NUMBERS, NUMBERS, st.sampled_from(["=", "<", ">"]))
def test_numbers_are_in_one_order_which_is_that_of_their_exact_values(one, other, operator):
    exactly = {"=": Decimal.__eq__, "<": Decimal.__lt__, ">": Decimal.__gt__}[operator](Decimal(one), Decimal(other))
    assert specified.matches((("x", one),), (specified.Predicate("x", operator, other),)) == exactly
    assert built.satisfies(one, built.Predicate("x", operator, other)) == exactly


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 1.0, -0.0, 2.0**52])
def test_what_is_not_finite_or_is_whole_and_written_with_a_fraction_is_no_number(value):
    assert specified.ill_valued((("x", value),))
    assert built.wrong_attributes((("x", value),))


@pytest.mark.parametrize("value", [True, False])
def test_a_boolean_by_itself_is_no_value(value):
    for side in (specified, built):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(msgspec.json.encode([["x", value]]), type=side.Attributes)


def test_a_boolean_and_a_number_are_two_filters():
    for side in (as_specified, as_built):
        assert side([["x", "=", [True]]]) != side([["x", "=", 1]])
