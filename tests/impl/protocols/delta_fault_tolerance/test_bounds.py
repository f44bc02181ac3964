"""Filters of one-sided bounds: matching by bits gives the same as trying each."""

from random import Random

import pytest

from gomboc.impl.protocols.delta_fault_tolerance import bounds
from gomboc.impl.protocols.delta_fault_tolerance.bounds import FRESH, Bounds
from gomboc.impl.protocols.delta_fault_tolerance.filters import Predicate, matches

VALUES = ([-2, -1, 0, 1, 2], ["", "a", "ab", "b"])


def open_filter(random):
    """One or two bounds in one direction, and of one type, on each of some attributes."""
    predicates = []
    for attribute in random.sample("xyz", random.choice([1, 2, 2, 3])):
        operators, values = random.choice([["<", "<="], [">", ">="]]), random.choice(VALUES)
        count = random.choice([1, 1, 2])
        predicates += [Predicate(attribute, random.choice(operators), random.choice(values)) for _ in range(count)]
    return tuple(predicates)


def publication(random):
    return {attribute: random.choice(random.choice(VALUES)) for attribute in "xyz" if random.random() < 0.9}


@pytest.mark.parametrize("seed", range(20))
def test_what_is_found_is_what_trying_each_finds_whatever_was_removed_and_added_again(seed):
    random, there, indexed = Random(seed), {}, Bounds()
    for key in range(FRESH + 1 + seed):
        there[key] = open_filter(random)
        indexed.add(key, there[key])
    for _ in range(40):
        attributes = publication(random)
        assert sorted(indexed.matching(attributes)) == sorted(key for key in there if matches(attributes, there[key]))
        key = random.randrange(FRESH + 1 + seed)
        if key in there:
            del there[key]
            indexed.remove(key)
        else:
            there[key] = open_filter(random)
            indexed.add(key, there[key])


def test_no_filter_is_looked_at_that_is_laid_out(monkeypatch):
    indexed = Bounds()
    for key in range(1_000):
        indexed.add(key, (Predicate("x", ">", key), Predicate("y", "<=", key)))
    first = list(indexed.matching({"x": 500, "y": 400}))
    monkeypatch.setattr(bounds, "matches", None)
    assert list(indexed.matching({"x": 500, "y": 400})) == first == list(range(400, 500))
    assert list(indexed.matching({"x": 500})) == []
    assert list(indexed.matching({"x": 500, "y": "400"})) == []
