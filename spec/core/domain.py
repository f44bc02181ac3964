"""The arbitrary initial state as data: a small algebra of finite domains, and the operations on them.

A domain is a value. This module counts, enumerates, and samples it by seed; the checker reads it as a Hypothesis
strategy. Nothing in a domain depends on a value drawn from another, so every count is exact.
"""

from collections.abc import Callable, Iterator
from itertools import combinations, combinations_with_replacement, product
from math import comb, prod
from random import Random
from typing import Any

import msgspec


class OneOf(msgspec.Struct, frozen=True):
    """One of some distinct values; the simplest first, since shrinking prefers earlier values."""

    values: tuple[Any, ...]


class Union(msgspec.Struct, frozen=True):
    """A value of one of some domains that have no value in common."""

    domains: tuple["Domain", ...]


class Record(msgspec.Struct, frozen=True):
    """`build(*fields)`, with one value from each domain; `build` maps distinct fields to distinct values."""

    build: Callable[..., Any]
    fields: tuple["Domain", ...]


class Table(msgspec.Struct, frozen=True):
    """A tuple of `build(key, value)`, ascending by key, for a subset of at most `most` of the keys."""

    build: Callable[[Any, Any], Any]
    keys: tuple[Any, ...]
    values: "Domain"
    most: int


class Bag(msgspec.Struct, frozen=True):
    """A multiset of at most `most` elements, as a tuple in an order without meaning."""

    elements: "Domain"
    most: int


Domain = OneOf | Union | Record | Table | Bag


def optional(domain: Domain) -> Union:
    """None, or a value of `domain`."""
    return Union((OneOf((None,)), domain))


def pair(build: Callable[..., Any], one: Domain, other: Domain) -> Record:
    """`build(x, y)` for x in `one` and y in `other`."""
    return Record(build, (one, other))


def several(*domains: Domain) -> Record:
    """A tuple with one value from each of some domains."""
    return Record(_as_tuple, domains)


def _as_tuple(*values: Any) -> tuple[Any, ...]:
    return values


def subset(keys: tuple[Any, ...], most: int | None = None) -> Table:
    """Any of those keys, at most `most` of them, in their order."""
    return Table(_key, keys, OneOf((None,)), len(keys) if most is None else most)


def _key(key: Any, value: None) -> Any:
    del value
    return key


def count(domain: Domain) -> int:
    """The number of values of `domain`."""
    match domain:
        case OneOf(values):
            return len(values)
        case Union(domains):
            return sum(map(count, domains))
        case Record(_, fields):
            return prod(map(count, fields))
        case Table(_, keys, values, most):
            choices = count(values)
            return sum(comb(len(keys), size) * choices**size for size in range(min(most, len(keys)) + 1))
        case Bag(elements, most):
            return comb(count(elements) + most, most)


def is_empty(domain: Domain) -> bool:
    """Whether `domain` has no value at all."""
    match domain:
        case OneOf(values):
            return not values
        case Union(domains):
            return all(map(is_empty, domains))
        case Record(_, fields):
            return any(map(is_empty, fields))
        case Table() | Bag():
            return False


def enumerate_values(domain: Domain) -> Iterator[Any]:
    """Every value of `domain` once, the smallest first."""
    match domain:
        case OneOf(values):
            yield from values
        case Union(domains):
            for part in domains:
                yield from enumerate_values(part)
        case Record(build, fields):
            for chosen in product(*map(_all_values, fields)):
                yield build(*chosen)
        case Table():
            yield from _enumerate_table(domain)
        case Bag(elements, most):
            values = _all_values(elements)
            for size in range(most + 1):
                yield from combinations_with_replacement(values, size)


def _all_values(domain: Domain) -> tuple[Any, ...]:
    return tuple(enumerate_values(domain))


def _enumerate_table(table: Table) -> Iterator[Any]:
    values = _all_values(table.values)
    for size in range(min(table.most, len(table.keys)) + 1):
        for keys in combinations(table.keys, size):
            for chosen in product(values, repeat=size):
                yield tuple(map(table.build, keys, chosen))


Sampler = Callable[[Random], Any]
"""Draws a value of a domain, decided by the random numbers alone."""


def sample(domain: Domain, random: Random) -> Any:
    """A value of `domain`, decided by `random` alone; small and large sizes are equally likely, alternatives too.

    Raises IndexError if `domain` is empty.
    """
    return sampler(domain)(random)


def sampler(domain: Domain) -> Sampler:
    """A function that draws values as `sample` does; faster where many values of one domain are drawn."""
    match domain:
        case OneOf(values):
            return lambda random: random.choice(values)
        case Union(domains):
            return _union_sampler([part for part in domains if not is_empty(part)])
        case Record(build, fields):
            samplers = [sampler(field) for field in fields]
            return lambda random: build(*[field(random) for field in samplers])
        case Table():
            return _table_sampler(domain)
        case Bag(elements, most):
            element, size = sampler(elements), _sizes(elements, most)
            return lambda random: tuple([element(random) for _ in range(size(random))])


def _union_sampler(parts: list[Domain]) -> Sampler:
    """Build the sampler of a part when it is first drawn: some spaces have thousands of parts."""
    indices, samplers = range(len(parts)), dict[int, Sampler]()

    def draw(random: Random) -> Any:
        index = random.choice(indices)
        if index not in samplers:
            samplers[index] = sampler(parts[index])
        return samplers[index](random)

    return draw


def _table_sampler(table: Table) -> Sampler:
    build, keys, value = table.build, table.keys, sampler(table.values)
    size = _sizes(table.values, min(table.most, len(keys)))

    def draw(random: Random) -> Any:
        chosen = sorted(random.sample(range(len(keys)), size(random)))
        return tuple([build(keys[index], value(random)) for index in chosen])

    return draw


def _sizes(elements: Domain, most: int) -> Callable[[Random], int]:
    """Draws the number of elements; 0 if the domain of elements is empty."""
    if is_empty(elements):
        return lambda _: 0
    return lambda random: random.randint(0, most)
