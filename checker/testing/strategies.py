"""A domain as a Hypothesis strategy: shrinks towards small sizes and the first values."""

from operator import itemgetter
from typing import Any

from hypothesis import strategies
from hypothesis.strategies import SearchStrategy

from gomboc.spec.core.domain import Bag, Domain, OneOf, Record, Table, Union, count


def strategy(domain: Domain) -> SearchStrategy[Any]:
    """Any value of `domain`; nothing can be drawn from an empty one."""
    if count(domain) == 0:
        return strategies.nothing()
    match domain:
        case OneOf(values):
            return strategies.sampled_from(values)
        case Union(domains):
            return strategies.one_of(*map(strategy, domains))
        case Record(build, fields):
            return strategies.builds(build, *map(strategy, fields))
        case Table():
            return _tables(domain)
        case Bag(elements, most):
            return strategies.lists(strategy(elements), max_size=most if count(elements) else 0).map(tuple)


def _tables(table: Table) -> SearchStrategy[tuple[Any, ...]]:
    def built(rows: list[tuple[int, Any]]) -> tuple[Any, ...]:
        return tuple(table.build(table.keys[index], value) for index, value in sorted(rows, key=itemgetter(0)))

    most = min(table.most, len(table.keys)) if count(table.values) else 0
    if most == 0:
        return strategies.just(())
    rows = strategies.tuples(strategies.sampled_from(range(len(table.keys))), strategy(table.values))
    return strategies.lists(rows, max_size=most, unique_by=itemgetter(0)).map(built)
