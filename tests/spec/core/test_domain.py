from random import Random

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from gomboc.checker.testing.strategies import strategy
from gomboc.spec.core.domain import (
    Bag,
    OneOf,
    Record,
    Table,
    Union,
    count,
    enumerate_values,
    optional,
    pair,
    sample,
    sampler,
)

EXAMPLES = settings(max_examples=80, deadline=None, derandomize=True)


def build_row(key, value):
    return key, value


def build_tuple(*fields):
    return fields


def build_pile(elements):
    """A bag as a value of its own: the order of its elements means nothing."""
    return "pile", tuple(sorted(elements, key=repr))


def tagged(domains):
    """Alternatives that have no value in common."""
    return Union(tuple(Record(lambda value, tag=tag: (tag, value), (part,)) for tag, part in enumerate(domains)))


def larger(smaller):
    few = st.lists(smaller, max_size=2)
    return st.one_of(
        few.map(tagged),
        few.map(lambda fields: Record(build_tuple, tuple(fields))),
        st.builds(
            Table, st.just(build_row), st.sampled_from([(), (1,), (1, 2), (1, 2, 3)]), smaller, st.integers(0, 2)
        ),
        st.builds(lambda part, most: Record(build_pile, (Bag(part, most),)), smaller, st.integers(0, 2)),
    )


atoms = st.integers(0, 3).map(lambda size: OneOf(tuple(range(size))))
domains = st.recursive(atoms, larger, max_leaves=4).filter(lambda domain: count(domain) <= 300)


@given(domains)
@EXAMPLES
def test_a_domain_has_as_many_values_as_it_counts_and_none_twice(domain):
    values = list(enumerate_values(domain))
    assert len(values) == len(set(values)) == count(domain)


def has_values(domain):
    """Whether every part of `domain` has a value, so that a sample never meets an empty one."""
    match domain:
        case OneOf(values):
            return bool(values)
        case Union(parts) | Record(_, parts):
            return all(map(has_values, parts)) and (bool(parts) or isinstance(domain, Record))
        case Table(_, _, part, _) | Bag(part, _):
            return has_values(part)


@given(domains.filter(has_values), st.integers(0, 99))
@EXAMPLES
def test_every_sample_lies_in_the_domain(domain, seed):
    assert sample(domain, Random(seed)) in set(enumerate_values(domain))


@given(st.data())
@EXAMPLES
def test_everything_the_strategy_draws_lies_in_the_domain(data):
    domain = data.draw(domains.filter(count))
    assert data.draw(strategy(domain)) in set(enumerate_values(domain))


@pytest.mark.parametrize(
    "domain",
    [
        OneOf((3, 1, 2)),
        optional(OneOf((1, 2))),
        pair(build_row, OneOf((1, 2)), OneOf((3, 4))),
        Table(build_row, (1, 2, 3), OneOf((False, True)), 2),
        Record(build_pile, (Bag(OneOf((1, 2, 3)), 2),)),
    ],
)
def test_samples_reach_every_value(domain):
    random = Random(1)
    assert {sample(domain, random) for _ in range(1000)} == set(enumerate_values(domain))


def test_a_sample_is_decided_by_its_seed():
    domain = Table(build_row, tuple(range(9)), OneOf(tuple(range(9))), 9)
    first, again, other = (sample(domain, Random(seed)) for seed in (1, 1, 2))
    assert first == again != other


def test_the_smallest_values_come_first():
    assert next(enumerate_values(Bag(OneOf((1, 2)), 3))) == ()
    assert next(enumerate_values(Table(build_row, (1, 2), OneOf((1,)), 2))) == ()
    assert list(enumerate_values(optional(OneOf((2, 1))))) == [None, 2, 1]


def test_a_table_is_ascending_by_key_with_each_key_once():
    tables = list(enumerate_values(Table(build_row, ("a", "b", "c"), OneOf((0, 1)), 2)))
    assert len(tables) == 1 + 3 * 2 + 3 * 4
    for table in tables:
        keys = [key for key, _ in table]
        assert keys == sorted(set(keys))


def test_a_bag_holds_each_multiset_once():
    assert list(enumerate_values(Bag(OneOf("ab"), 2))) == [(), ("a",), ("b",), ("a", "a"), ("a", "b"), ("b", "b")]


def minimal(domain, condition):
    """The value that Hypothesis shrinks to."""
    return find(strategy(domain), condition, settings=settings(EXAMPLES, max_examples=500, database=None))


def test_the_strategy_shrinks_to_small_sizes_and_first_values():
    numbers = OneOf(tuple(range(10)))
    assert minimal(Bag(numbers, 5), lambda bag: len(bag) >= 2) == (0, 0)
    assert minimal(Table(build_row, (7, 8, 9), numbers, 3), bool) == ((7, 0),)
    assert minimal(optional(numbers), lambda value: True) is None
    assert minimal(pair(build_row, numbers, numbers), lambda row: row[1] > 3) == (0, 4)


def test_nothing_can_be_drawn_from_an_empty_domain():
    with pytest.raises(Unsatisfiable, match="empty strategy"):
        minimal(OneOf(()), lambda value: True)
    assert minimal(optional(OneOf(())), lambda value: True) is None
    assert minimal(Table(build_row, (1, 2), OneOf(()), 2), lambda value: True) == ()
    assert minimal(Bag(OneOf(()), 2), lambda value: True) == ()


def test_a_sample_avoids_alternatives_without_a_value():
    empty = OneOf(())
    for domain, only in ((optional(empty), None), (Bag(empty, 3), ()), (Table(build_row, (1, 2), empty, 2), ())):
        assert [sample(domain, Random(seed)) for seed in range(20)] == [only] * 20


@given(domains.filter(has_values), st.integers(0, 99))
def test_a_sampler_draws_one_value_after_another_as_samples_do(domain, seed):
    one, other = Random(seed), Random(seed)
    draw = sampler(domain)
    assert [draw(one) for _ in range(5)] == [sample(domain, other) for _ in range(5)]
