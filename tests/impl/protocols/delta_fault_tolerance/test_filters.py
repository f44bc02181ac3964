"""Predicates on values, and invalid filters."""

import pytest

from gomboc.impl.protocols.delta_fault_tolerance.filters import Predicate, matches, satisfies, wrong_filter


@pytest.mark.parametrize(
    ("operator", "asked", "satisfying", "other"),
    [
        ("=", 3, [3], [2, 4, "3"]),
        ("!=", 3, [2, 4], [3, "3", "x"]),
        ("<", 3, [2], [3, 4, "2"]),
        ("<=", 3, [2, 3], [4, "2"]),
        (">", 3, [4], [3, 2, "4"]),
        (">=", 3, [3, 4], [2, "4"]),
        ("=", "ab", ["ab"], ["a", "abc", 1]),
        ("<", "b", ["a", "ab", ""], ["b", "ba", 0]),
        ("prefix", "ab", ["ab", "abc"], ["a", "b", 12]),
        ("prefix", "", ["", "x"], [0]),
        ("exists", None, [0, "", 7], []),
    ],
)
def test_a_predicate_says_something_of_values_of_its_type_only(operator, asked, satisfying, other):
    predicate = Predicate("x", operator, asked)
    assert [satisfies(value, predicate) for value in satisfying] == [True] * len(satisfying)
    assert [satisfies(value, predicate) for value in other] == [False] * len(other)


def test_every_predicate_has_to_be_satisfied():
    both = (Predicate("price", ">", 1), Predicate("name", "prefix", "a"))
    assert matches({"price": 2, "name": "abc", "size": 0}, both)
    assert not matches({"price": 1, "name": "abc"}, both)
    assert matches({}, ())


@pytest.mark.parametrize("operator", ["=", "!=", "<", "<=", ">", ">="])
def test_a_publication_without_the_attribute_does_not_match(operator):
    assert not matches({"size": 1}, (Predicate("price", operator, 1),))


def test_a_publication_without_the_attribute_does_not_have_it():
    assert not matches({"size": 1}, (Predicate("price", "exists", None),))


def test_an_attribute_may_be_compared_and_have_to_exist():
    """Sequences of predicates that are no filters are rows of `vocabulary.jsonl`."""
    assert wrong_filter([Predicate("x", "<", 1), Predicate("x", "exists", None), Predicate("y", "=", "a")]) is None
