"""Filters of one-sided bounds on two attributes or more: many of them match any publication.

The output itself is long then, and an index over one attribute gains nothing. Here each filter has one bit of a long
integer. Bounds of each attribute are sorted: those that a value misses are a prefix or a suffix, and so are their bits
of the integer. A filter that no attribute rules out matches, without a look at the filter itself.
"""

from bisect import bisect_right
from collections.abc import Hashable, Iterator, Mapping
from itertools import chain, compress
from math import isqrt
from typing import Generic, TypeVar

from gomboc.impl.protocols.delta_fault_tolerance.filters import Filter, Kind, Value, kind, matches

Key = TypeVar("Key", bound=Hashable)

FRESH = 32
"""The number of new filters that are tried one by one before all are laid out anew; at least the root of all."""

STEPS = 128
"""The number of prefixes computed in advance for each attribute; the rest of a prefix is added on request."""

_BITS = bytes(digit == ord("1") for digit in range(256))
"""Translation from the digits of a binary number to the bytes 0 and 1."""

Bound = tuple[Value, bool]
"""A value of an attribute, and whether the bound lies right behind it: that of `<= 3` and `> 3` lies behind 3."""


class BoundSide:
    """The bounds of one attribute, one kind and one direction; each filter has the bit of its position."""

    __slots__ = ("_all", "_bounds", "_is_least", "_places", "_prefixes", "_step")

    def __init__(self, bounds: list[tuple[Bound, int]], *, is_least: bool) -> None:
        bounds.sort()
        self._is_least = is_least
        self._bounds = [bound for bound, _ in bounds]
        self._places = [position for _, position in bounds]
        self._step = 1 + len(bounds) // STEPS
        self._prefixes = [0]
        for first in range(0, len(bounds), self._step):
            self._prefixes.append(self._prefixes[-1] | _with_bits(self._places[first : first + self._step]))
        self._all = self._prefixes[-1]

    def missed(self, value: Value | None) -> int:
        """The bits of the filters that this value does not match; of all for None, which is no value of this kind."""
        if value is None:
            return self._all
        # Bounds up to the value itself come first: as least bounds they are met, and as greatest ones missed.
        position = bisect_right(self._bounds, (value, False))
        whole = position // self._step
        before = self._prefixes[whole] | _with_bits(self._places[whole * self._step : position])
        return self._all ^ before if self._is_least else before


class Bounds(Generic[Key]):
    """Filters of one-sided bounds, by key. `_there` has the bits of those laid out and not removed since."""

    def __init__(self) -> None:
        self._filters: dict[Key, Filter] = {}
        self._fresh: dict[Key, None] = {}
        self._keys: list[Key] = []
        self._places: dict[Key, int] = {}
        self._there = 0
        self._sides: dict[tuple[str, Kind], list[BoundSide]] = {}

    def add(self, key: Key, predicates: Filter) -> None:
        """Add a filter under a key that is not there."""
        self._filters[key] = predicates
        self._fresh[key] = None

    def remove(self, key: Key) -> None:
        """Remove the filter under a key that is there."""
        del self._filters[key]
        self._fresh.pop(key, None)
        position = self._places.pop(key, None)
        if position is not None:
            self._there ^= 1 << position

    def matching(self, attributes: Mapping[str, Value]) -> Iterator[Key]:
        """The keys of the filters that a publication with these attributes matches, in no order."""
        if len(self._fresh) > max(FRESH, isqrt(len(self._filters))):
            self._lay_out()
        tried = [key for key in self._fresh if matches(attributes, self._filters[key])]
        missed = 0
        for (attribute, of), sides in self._sides.items():
            value = attributes.get(attribute)
            for side in sides:
                missed |= side.missed(value if value is not None and kind(value) == of else None)
        return chain(tried, compress(self._keys, _bits(self._there & ~missed, len(self._keys))))

    def _lay_out(self) -> None:
        self._fresh.clear()
        self._keys = list(self._filters)
        self._places = {key: position for position, key in enumerate(self._keys)}
        self._there = (1 << len(self._keys)) - 1
        bounds: dict[tuple[str, Kind, bool], list[tuple[Bound, int]]] = {}
        for position, predicates in enumerate(self._filters.values()):
            for (attribute, is_least), bound in _strictest(predicates).items():
                bounds.setdefault((attribute, kind(bound[0]), is_least), []).append((bound, position))
        self._sides.clear()
        for (attribute, of, is_least), side_bounds in bounds.items():
            self._sides.setdefault((attribute, of), []).append(BoundSide(side_bounds, is_least=is_least))


def _strictest(predicates: Filter) -> dict[tuple[str, bool], Bound]:
    """The strictest bound of each attribute and direction (True: a least bound)."""
    strictest: dict[tuple[str, bool], Bound] = {}
    for predicate in predicates:
        assert predicate.value is not None, "a bound has a value"
        is_least = predicate.operator in (">", ">=")
        bound, former = (
            (predicate.value, predicate.operator in (">", "<=")),
            strictest.get((predicate.attribute, is_least)),
        )
        if former is None or (bound > former) == is_least:
            strictest[predicate.attribute, is_least] = bound
    return strictest


def _with_bits(places: list[int]) -> int:
    """The number with these bits."""
    if not places:
        return 0
    bits = bytearray(max(places) // 8 + 1)
    for position in places:
        bits[position // 8] |= 1 << position % 8
    return int.from_bytes(bits, "little")


def _bits(number: int, length: int) -> bytes:
    """The bits of a number, the lowest first, a byte each."""
    return f"{number:0{length}b}"[::-1].encode("ascii").translate(_BITS)
