"""A set of numbers as a few sorted arrays, each more than twice as long as the next."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def distinct(keys: Array) -> Array:
    """The distinct numbers, ascending. Sorts its argument in place."""
    keys.sort()
    if len(keys) < 2:
        return keys
    fresh = np.empty(len(keys), bool)
    fresh[0] = True
    np.not_equal(keys[1:], keys[:-1], out=fresh[1:])
    return keys[fresh]


class Seen:
    """The states discovered so far."""

    def __init__(self) -> None:
        self._runs: list[Array] = []

    def __len__(self) -> int:
        return sum(map(len, self._runs))

    def unseen(self, keys: Array) -> Array:
        """The elements of the ascending `keys` that are not in the set."""
        for run in self._runs:
            if len(keys):
                keys = keys[~is_in(keys, run)]
        return keys

    def add(self, keys: Array) -> None:
        """Add ascending numbers, none of which is in the set."""
        self._runs.append(keys)
        # Runs at least double in size towards the front: a number is merged O(log n) times, and few runs are searched.
        while len(self._runs) > 1 and len(self._runs[-2]) < 2 * len(self._runs[-1]):
            merged = np.concatenate((self._runs.pop(), self._runs.pop()))
            merged.sort(kind="stable")
            self._runs.append(merged)

    def recode(self, recode: Callable[[Array], Array]) -> None:
        """Apply a function that keeps the order to every number."""
        self._runs = [recode(run) for run in self._runs]

    def all(self) -> Array:
        """Every number, ascending."""
        merged = np.concatenate([np.empty(0, np.int64), *self._runs])
        merged.sort(kind="stable")
        return merged


def is_in(keys: Array, run: Array) -> Array:
    """For each of some ascending numbers, whether it is in an ascending array."""
    if not len(run):
        return np.zeros(len(keys), bool)
    indices = np.searchsorted(run, keys)
    indices[indices == len(run)] = 0
    contained: Array = run[indices] == keys
    return contained


def place_of(keys: Array, run: Array) -> Array:
    """The index of each number in an ascending array; -1 if it is not in the array."""
    indices = np.searchsorted(run, keys)
    indices[indices == len(run)] = 0
    return np.where(run[indices] == keys, indices, -1).astype(np.int32)
