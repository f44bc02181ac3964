"""Index of filters: finds those that match a publication without trying each one.

A filter is indexed by one of its predicates only, the most selective one: an equation, else a prefix, else the interval
that its comparisons leave, else the existence of the attribute. Candidates are then tried. So matching takes time for
each filter with its one predicate satisfied, and a logarithm of the others. Filters with only one-sided bounds on two
attributes or more have no such predicate: see `bounds.py`.
"""

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Mapping
from math import isqrt
from typing import Generic, TypeVar

from gomboc.impl.protocols.delta_fault_tolerance.bounds import Bounds
from gomboc.impl.protocols.delta_fault_tolerance.filters import Filter, Kind, Predicate, Value, kind, matches

Key = TypeVar("Key", bound=Hashable)

FRESH = 32
"""The number of new intervals that are tried one by one before all are laid out anew; at least the root of all."""


class Intervals(Generic[Key]):
    """Intervals of values of one kind, laid out in a segment tree, which finds the intervals around a value.

    An interval is stored at the nodes that together make it up; a value visits the nodes from its leaf to the root.
    Leaves are the bounds, in order, and the gaps between them. Removed intervals stay until the next layout.
    """

    def __init__(self) -> None:
        self._of: dict[Key, tuple[Value | None, Value | None]] = {}
        self._fresh: dict[Key, None] = {}
        self._bounds: list[Value] = []
        self._leaves = 1
        self._tree: dict[int, list[Key]] = {}

    def add(self, key: Key, least: Value | None, greatest: Value | None) -> None:
        """Add a closed interval; None is no bound."""
        self._of[key] = least, greatest
        self._fresh[key] = None

    def remove(self, key: Key) -> None:
        """Remove an interval that exists."""
        del self._of[key]
        self._fresh.pop(key, None)

    def around(self, value: Value) -> Iterator[Key]:
        """Candidates for the intervals around a value: all that contain it, and some fresh or removed ones."""
        if len(self._fresh) > max(FRESH, isqrt(len(self._of))):
            self._lay_out()
        yield from self._fresh
        node = self._leaves + self._leaf(value)
        while node:
            yield from self._tree.get(node, ())
            node //= 2

    def _leaf(self, value: Value) -> int:
        position = bisect_left(self._bounds, value)
        on_it = position < len(self._bounds) and self._bounds[position] == value
        return 2 * position + on_it

    def _lay_out(self) -> None:
        self._bounds = sorted({bound for ends in self._of.values() for bound in ends if bound is not None})
        self._leaves = 2 * len(self._bounds) + 1
        self._tree.clear()
        self._fresh.clear()
        for key, (least, greatest) in self._of.items():
            left = self._leaves + (0 if least is None else self._leaf(least))
            right = self._leaves + (self._leaves - 1 if greatest is None else self._leaf(greatest)) + 1
            while left < right:
                if left % 2:
                    self._tree.setdefault(left, []).append(key)
                    left += 1
                if right % 2:
                    right -= 1
                    self._tree.setdefault(right, []).append(key)
                left, right = left // 2, right // 2


class Index(Generic[Key]):
    """Filters by key, each indexed by one predicate."""

    def __init__(self) -> None:
        self._filters: dict[Key, Filter] = {}
        self._always: dict[Key, None] = {}
        self._equal: dict[tuple[str, Value], dict[Key, None]] = {}
        self._prefixes: dict[str, dict[str, dict[Key, None]]] = {}
        self._between: dict[tuple[str, Kind], Intervals[Key]] = {}
        self._there: dict[str, dict[Key, None]] = {}
        self._open: Bounds[Key] = Bounds()

    def __len__(self) -> int:
        return len(self._filters)

    def add(self, key: Key, predicates: Filter) -> None:
        """Add a filter under a key that is not there."""
        self._filters[key] = predicates
        if _is_open(predicates):
            self._open.add(key, predicates)
            return
        access = _access(predicates)
        if isinstance(access, tuple):
            attribute, least, greatest = access
            self._between.setdefault((attribute, _kind_of(least, greatest)), Intervals()).add(key, least, greatest)
        else:
            self._place(access).setdefault(key)

    def remove(self, key: Key) -> None:
        """Remove the filter under a key that is there."""
        predicates = self._filters.pop(key)
        if _is_open(predicates):
            self._open.remove(key)
            return
        access = _access(predicates)
        if isinstance(access, tuple):
            attribute, least, greatest = access
            self._between[attribute, _kind_of(least, greatest)].remove(key)
        else:
            del self._place(access)[key]

    def matching(self, attributes: Mapping[str, Value]) -> Iterator[Key]:
        """The keys of the filters that a publication with these attributes matches, in no order."""
        yield from self._open.matching(attributes)
        filters = self._filters
        for key in self._candidates(attributes):
            predicates = filters.get(key)
            if predicates is not None and matches(attributes, predicates):
                yield key

    def _candidates(self, attributes: Mapping[str, Value]) -> Iterator[Key]:
        yield from self._always
        for attribute, value in attributes.items():
            yield from self._equal.get((attribute, value), ())
            yield from self._there.get(attribute, ())
            between = self._between.get((attribute, kind(value)))
            if between is not None:
                yield from between.around(value)
            prefixes = self._prefixes.get(attribute)
            if prefixes is not None and isinstance(value, str):
                for length in range(len(value) + 1):
                    yield from prefixes.get(value[:length], ())

    def _place(self, access: Predicate | None) -> dict[Key, None]:
        """The keys of the filters that are indexed by a predicate, or that have none."""
        match access:
            case None:
                return self._always
            case Predicate(attribute, "=", value) if value is not None:
                return self._equal.setdefault((attribute, value), {})
            case Predicate(attribute, "prefix", str(value)):
                return self._prefixes.setdefault(attribute, {}).setdefault(value, {})
            case Predicate(attribute):
                return self._there.setdefault(attribute, {})


def _kind_of(least: Value | None, greatest: Value | None) -> Kind:
    """The kind of the bounds of an interval, which has at least one."""
    bound = greatest if least is None else least
    assert bound is not None, "an interval has a bound"
    return kind(bound)


def _is_open(predicates: Filter) -> bool:
    """Whether a filter has only one-sided bounds, on two attributes or more."""
    intervals = _intervals(predicates)
    return (
        len(intervals) > 1
        and all(None in ends for ends in intervals.values())
        and all(predicate.operator in ("<", "<=", ">", ">=") for predicate in predicates)
    )


def _access(predicates: Filter) -> Predicate | tuple[str, Value | None, Value | None] | None:
    """The key of a filter in the index: a predicate, or an attribute with the interval of its value."""
    for predicate in predicates:
        if predicate.operator == "=":
            return predicate
    prefixes = [predicate for predicate in predicates if predicate.operator == "prefix"]
    if prefixes:
        return max(prefixes, key=lambda predicate: len(str(predicate.value)))
    bounds = _intervals(predicates)
    if bounds:
        attribute = min(bounds, key=lambda attribute: bounds[attribute].count(None))
        least, greatest = bounds[attribute]
        # An empty interval would be no stretch of leaves: its filter matches nothing, but stays a candidate.
        empty = least is not None and greatest is not None and least > greatest  # type: ignore[operator]
        return attribute, least, None if empty else greatest
    return predicates[0] if predicates else None


def _intervals(predicates: Filter) -> dict[str, tuple[Value | None, Value | None]]:
    """For each attribute with comparisons the closed interval that they leave."""
    intervals: dict[str, tuple[Value | None, Value | None]] = {}
    for predicate in predicates:
        least, greatest = intervals.get(predicate.attribute, (None, None))
        value = predicate.value
        if predicate.operator in (">", ">="):
            # Bounds of one attribute are all of one kind.
            intervals[predicate.attribute] = value if least is None else max(least, value), greatest  # type: ignore[type-var]
        elif predicate.operator in ("<", "<="):
            intervals[predicate.attribute] = least, value if greatest is None else min(greatest, value)  # type: ignore[type-var]
    return intervals
