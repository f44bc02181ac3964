"""Fields of a state besides local states and messages: remaining budgets, and the observers that found a fault."""

import numpy as np

from gomboc.checker.explore.table.sorted_set import Array
from gomboc.spec.core.instance import Instance


class Outer:
    """The fields on top of a state: one for each budget, and below them a bit for each observer."""

    def __init__(self, instance: Instance) -> None:
        self.observers = tuple(observer.name for observer in instance.protocol.promises.observers)
        self._budgets = tuple(sorted(instance.budget))
        self._shifts: dict[str, int] = {}
        self.bits = len(self.observers)
        for name, times in self._budgets:
            self._shifts[name] = self.bits
            self.bits += times.bit_length()

    @property
    def first(self) -> int:
        """The fields of an initial state."""
        return sum(times << self._shifts[name] for name, times in self._budgets)

    def left(self, name: str, outer: Array) -> Array:
        """The remainder of that budget, for each state."""
        times = dict(self._budgets).get(name, 0)
        if not times:
            return np.zeros(len(outer), np.int64)
        remaining: Array = outer >> self._shifts[name] & (1 << times.bit_length()) - 1
        return remaining

    def spent(self, name: str) -> int:
        """The number to subtract from the fields when that budget is used once."""
        return 1 << self._shifts[name]

    def unbroken(self, observer: str, outer: Array) -> Array:
        """For each state, whether that observer has found no fault."""
        unbroken: Array = outer >> self.observers.index(observer) & 1 == 0
        return unbroken

    def budget(self, outer: int) -> tuple[tuple[str, int], ...]:
        """The remainder of each budget, by name."""
        return tuple((name, int(self.left(name, np.array([outer]))[0])) for name, _ in self._budgets)

    def broken(self, outer: int) -> tuple[str, ...]:
        """The observers that have found a fault, by name."""
        return tuple(sorted(name for index, name in enumerate(self.observers) if outer >> index & 1))
