"""An index finds exactly the filters that a publication matches, after any additions and removals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomboc.impl.protocols.delta_fault_tolerance.filters import Predicate, matches, text, wrong_filter
from gomboc.impl.protocols.delta_fault_tolerance.index import FRESH, Index, Intervals
from gomboc.impl.publishing.port import Truth

ATTRIBUTES = st.sampled_from(["price", "name", "size"])
NUMBERS = st.integers(-3, 3) | st.sampled_from([-2.5, -0.5, 0.5, 1.5, 2.5])
TRUTHS = st.builds(Truth, st.booleans())
TEXTS = st.text("ab", max_size=3)
COMPARED = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])
PREDICATES = st.one_of(
    st.builds(Predicate, ATTRIBUTES, COMPARED, NUMBERS | TEXTS | TRUTHS),
    st.builds(Predicate, ATTRIBUTES, st.just("prefix"), TEXTS),
    st.builds(Predicate, ATTRIBUTES, st.just("exists"), st.none()),
)
FILTERS = (
    st.lists(PREDICATES, max_size=3, unique=True)
    .map(lambda predicates: tuple(sorted(predicates, key=lambda predicate: text((predicate,)))))
    .filter(lambda predicates: wrong_filter(predicates) is None)
)
PUBLICATIONS = st.dictionaries(ATTRIBUTES, NUMBERS | TEXTS | TRUTHS, max_size=3)


@given(st.lists(FILTERS, max_size=60), st.sets(st.integers(0, 59)), st.lists(PUBLICATIONS, min_size=1, max_size=5))
def test_an_index_finds_what_trying_each_finds(filters, removed, publications):
    index = Index()
    for key, predicates in enumerate(filters):
        index.add(key, predicates)
    there = dict(enumerate(filters))
    for key in removed & there.keys():
        index.remove(key)
        del there[key]
    assert len(index) == len(there)
    for attributes in publications:
        matching = sorted(index.matching(attributes))
        assert matching == [key for key, predicates in there.items() if matches(attributes, predicates)]


@given(
    st.lists(st.tuples(st.none() | NUMBERS, st.none() | NUMBERS), min_size=FRESH + 1, max_size=3 * FRESH),
    st.integers(-5, 5),
)
def test_a_value_finds_the_intervals_that_it_lies_in(ends, value):
    ends = [
        (least, greatest) if None in (least, greatest) else (min(least, greatest), max(least, greatest))
        for least, greatest in ends
    ]
    intervals = Intervals()
    for key, (least, greatest) in enumerate(ends):
        intervals.add(key, least, greatest)
    inside = {
        key
        for key, (least, greatest) in enumerate(ends)
        if (least is None or least <= value) and (greatest is None or value <= greatest)
    }
    candidates = list(intervals.around(value))
    assert len(candidates) == len(set(candidates))
    assert inside <= set(candidates)
    assert len(set(candidates) - inside) <= FRESH


def test_intervals_that_are_laid_out_again_are_found_once():
    index = Index()
    for key in range(6 * FRESH):
        index.add(key, (Predicate("price", ">=", key), Predicate("price", "<=", key + 9)))
        assert list(index.matching({"price": 0})) == [0]
    assert sorted(index.matching({"price": 100})) == [*range(91, 101)]


def test_a_prefix_beside_bounds_on_several_attributes_counts():
    index = Index()
    for key in range(2 * FRESH):
        index.add(key, (Predicate("name", "prefix", "a"), Predicate("price", "<", key), Predicate("size", ">", 1)))
    assert sorted(index.matching({"name": "ab", "price": 2, "size": 2})) == [*range(3, 2 * FRESH)]
    assert list(index.matching({"name": "b", "price": 2, "size": 2})) == []


def test_of_several_prefixes_the_longest_leaves_the_fewest_to_be_tried(tried):
    index = Index()
    index.add("key", (Predicate("name", "prefix", "a"), Predicate("name", "prefix", "ab")))
    assert list(index.matching({"name": "ac"})) == []
    assert tried == []
    assert list(index.matching({"name": "abc"})) == ["key"]


def test_only_what_the_access_predicate_leaves_is_tried(tried):
    index = Index()
    for key in range(1_000):
        index.add(key, (Predicate("price", ">=", 10 * key), Predicate("price", "<", 10 * key + 10)))
    assert list(index.matching({"price": 4_321})) == [432]
    assert len(tried) <= FRESH + 1


@pytest.mark.parametrize(("value", "expected"), [(1, "number"), ("1", "text"), (Truth(True), "truth"), (1.5, "more")])
def test_equations_of_all_kinds_stay_apart(value, expected):
    index = Index()
    index.add("number", (Predicate("size", "=", 1),))
    index.add("more", (Predicate("size", "=", 1.5),))
    index.add("text", (Predicate("size", "=", "1"),))
    index.add("truth", (Predicate("size", "=", Truth(True)),))
    assert list(index.matching({"size": value})) == [expected]
