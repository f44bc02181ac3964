"""Hash tables for pairs of numbers, looked up for whole arrays at once."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from gomboc.checker.distinct.arrays import Array, distinct_pairs

UNKNOWN = -1
MIX, STIR = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
"""Odd constants that spread keys over a table."""

BITS = 12
"""A table begins with 2^BITS slots."""

Evaluate = Callable[[int, int], int]
"""Evaluates one pair: a number from 0 to 127."""


class Pairs:
    """A number for each of many pairs of numbers.

    A hash table with open addressing, half empty at least. Keys are compared, so equal hashes do no harm. `keys` and
    `values` are the types in which they are held.
    """

    def __init__(self, keys: npt.DTypeLike, values: npt.DTypeLike) -> None:
        self._keys, self._values = keys, values
        self._count = 0
        self._make(BITS)

    def __len__(self) -> int:
        return self._count

    def _make(self, bits: int) -> None:
        self._bits = bits
        self._first, self._second = np.zeros((2, 1 << bits), self._keys)
        self._value = np.full(1 << bits, UNKNOWN, self._values)

    def look_up(self, first: Array, second: Array) -> Array:
        """The number of each pair, or UNKNOWN."""
        values: Array = self._value[self._find(first, second)]
        return values

    def enter(self, first: Array, second: Array, values: Array) -> None:
        """Enter pairs that are not in the table yet, each once."""
        self._make_room(len(first))
        self._count += len(first)
        self._put(first, second, values)

    def _make_room(self, pairs: int) -> None:
        """Widen the table for that many more."""
        bits = self._bits
        while 1 << bits < 2 * (self._count + pairs):
            bits += 1
        if bits > self._bits:
            here = self._value != UNKNOWN
            held = self._first[here], self._second[here], self._value[here]
            self._make(bits)
            self._put(*held)

    def _find(self, first: Array, second: Array) -> Array:
        """The slot of each pair, or the empty slot where it belongs."""
        mixed = (first.astype(np.uint64, copy=False) * MIX) ^ (second.astype(np.uint64, copy=False) * STIR)
        places: Array = ((mixed ^ (mixed >> np.uint64(29))) * MIX >> np.uint64(64 - self._bits)).astype(np.int64)
        todo = self._elsewhere(places, first, second)
        while len(todo):
            places[todo] = (places[todo] + 1) & ((1 << self._bits) - 1)
            todo = todo[self._elsewhere(places[todo], first[todo], second[todo])]
        return places

    def _elsewhere(self, places: Array, first: Array, second: Array) -> Array:
        """The indices of pairs with another pair in their slot."""
        others = (self._first[places] != first) | (self._second[places] != second)
        others &= self._value[places] != UNKNOWN
        indices: Array = np.flatnonzero(others)
        return indices

    def _put(self, first: Array, second: Array, values: Array) -> None:
        """Put pairs into their slots. Of the pairs that need the same empty slot, one gets it at a time."""
        claims = np.empty(1 << self._bits, np.int64)
        while len(first):
            places, claimants = self._find(first, second), np.arange(len(first))
            claims[places] = claimants
            lucky = claims[places] == claimants
            self._first[places[lucky]], self._second[places[lucky]] = first[lucky], second[lucky]
            self._value[places[lucky]] = values[lucky]
            first, second, values = first[~lucky], second[~lucky], values[~lucky]


class Memo(Pairs):
    """A function of pairs of numbers, evaluated once for each pair."""

    def __init__(self, evaluate: Evaluate) -> None:
        super().__init__(np.int64, np.int8)
        self._evaluate = evaluate

    def __call__(self, first: Array, second: Array) -> Array:
        """The value of each pair."""
        values = self.look_up(first, second)
        lacking = np.flatnonzero(values == UNKNOWN)
        if len(lacking):
            self._learn(*distinct_pairs(first[lacking], second[lacking]))
            values[lacking] = self.look_up(first[lacking], second[lacking])
        return values

    def _learn(self, first: Array, second: Array) -> None:
        pairs = zip(first.tolist(), second.tolist(), strict=True)
        values = np.fromiter((self._evaluate(one, other) for one, other in pairs), np.int8, len(first))
        self.enter(first, second, values)


class Interned(Pairs):
    """Numbers pairs of 64 bits each from 0 on, in the order in which they are met."""

    def __init__(self) -> None:
        super().__init__(np.uint64, np.int32)

    def __call__(self, first: Array, second: Array) -> Array:
        """The number of each pair, a new one for a new pair."""
        numbers = self.look_up(first, second)
        lacking = np.flatnonzero(numbers == UNKNOWN)
        self._make_room(len(lacking))
        left = lacking
        while len(left):
            places = self._find(first[left], second[left])
            vacant = self._value[places] == UNKNOWN
            left, places = left[vacant], places[vacant]
            left = left[~self._number(places, first[left], second[left])]
        numbers[lacking] = self.look_up(first[lacking], second[lacking])
        return numbers

    def _number(self, places: Array, first: Array, second: Array) -> Array:
        """Put pairs into empty slots, one into each, with the next numbers. Returns a mask of those that got theirs."""
        claims = np.arange(len(places))
        self._value[places] = claims
        lucky: Array = self._value[places] == claims
        places, count = places[lucky], self._count
        self._count += len(places)
        self._first[places], self._second[places] = first[lucky], second[lucky]
        self._value[places] = np.arange(count, self._count)
        return lucky
