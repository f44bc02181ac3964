"""A domain as a strategy draws values of the domain, all of them, and shrinks to the simplest."""

import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from gomboc.checker.testing.strategies import strategy
from gomboc.spec.core.domain import Bag, OneOf, Record, Table, Union, enumerate_values, optional, pair

LETTER = OneOf(("x", "y"))
NOTHING = OneOf(())
QUIET = settings(database=None, max_examples=2_000, suppress_health_check=list(HealthCheck))

DOMAINS = {
    "one of": LETTER,
    "union": optional(LETTER),
    "record": pair(lambda one, other: (one, other), LETTER, OneOf((1, 2))),
    "table": Table(lambda key, value: (key, value), (1, 2, 3), LETTER, 2),
    "bag": Bag(LETTER, 2),
    "table of nothing": Table(lambda key, value: (key, value), (1, 2), NOTHING, 2),
    "bag of nothing": Bag(NOTHING, 2),
    "union with nothing": Union((NOTHING, LETTER)),
}


def canonical(domain, value):
    """The value, without the order that means nothing."""
    return tuple(sorted(value)) if isinstance(domain, Bag) else value


@pytest.mark.parametrize("domain", DOMAINS.values(), ids=DOMAINS)
def test_exactly_the_values_of_the_domain_are_drawn(domain):
    values = set(enumerate_values(domain))

    @settings(QUIET, max_examples=100)
    @given(strategy(domain))
    def belongs(value):
        assert canonical(domain, value) in values

    belongs()
    for wanted in values:
        find(strategy(domain), lambda value, wanted=wanted: canonical(domain, value) == wanted, settings=QUIET)


@pytest.mark.parametrize(
    "domain", [NOTHING, Union((NOTHING, NOTHING)), Record(lambda one, other: one, (LETTER, NOTHING))]
)
def test_nothing_is_drawn_from_an_empty_domain(domain):
    with pytest.raises(Unsatisfiable, match="empty strategy"):
        find(strategy(domain), lambda value: True, settings=QUIET)


def test_a_value_shrinks_to_small_sizes_and_the_first_values():
    domain = pair(lambda one, other: (one, other), optional(LETTER), Bag(OneOf((1, 2, 3)), 9))
    assert find(strategy(domain), lambda value: True, settings=QUIET) == (None, ())
    assert find(strategy(domain), lambda value: len(value[1]) >= 2, settings=QUIET) == (None, (1, 1))
    assert find(strategy(domain), lambda value: value[0] is not None and 2 in value[1], settings=QUIET) == ("x", (2,))


@given(st.data())
def test_the_keys_of_a_table_ascend_and_occur_once(data):
    keys = (5, 3, 8, 1)
    drawn = data.draw(strategy(Table(lambda key, value: key, keys, LETTER, 3)))
    places = [keys.index(key) for key in drawn]
    assert places == sorted(set(places))
    assert len(places) <= 3
