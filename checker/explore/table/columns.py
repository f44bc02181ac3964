"""A graph as columns of numbers: for each kind of transition, its target from every state."""

from abc import ABC, abstractmethod
from typing import Any

import msgspec

from gomboc.checker.explore.results.finding import Extent
from gomboc.checker.explore.table.sorted_set import Array
from gomboc.spec.core.model import Model, Promise

ABSENT = -2
"""In a column: the transition is not enabled in that state. It is in another state, or there is no such column."""


class Column(msgspec.Struct, frozen=True):
    """The transitions of one kind: the timeout of a node, the delivery from a slot, or a command; for one coin result.

    `owed`: whether a run may not stop where it is enabled. `disturbs`: whether it is a command that may end legitimacy.
    """

    kind: int
    place: int
    way: int
    targets: Array
    owed: bool = True
    disturbs: bool = False


class Transitions(ABC):
    """A graph over the indices of its states: the input of judgement, for any type of state.

    - `starts`: the indices of the initial states; `count`: the number of states.
    - `tosses`: whether coins are tossed. `symmetric`: whether states that differ by names were taken as one.
    - `largest`: the maximal number of states of a component in which a lasso is searched.
    """

    tosses = symmetric = False
    largest = 20_000

    def __init__(self, extent: Extent, starts: Array, columns: list[Column]) -> None:
        self.extent, self.starts, self.columns = extent, starts, tuple(columns)
        self.count = extent.explored

    @abstractmethod
    def model(self) -> Model:
        """The plain model of the same system."""

    @abstractmethod
    def state(self, number: int) -> Any:
        """The state of that index, as the plain model knows it."""

    @abstractmethod
    def holding(self, promise: Promise) -> Array:
        """For each state, whether a promise holds."""

    @abstractmethod
    def slots(self, chosen: Array) -> list[Array]:
        """The messages in flight in the chosen states, slot by slot."""

    @abstractmethod
    def turns(self, column: Column, chosen: Array, slots: list[Array]) -> Array:
        """The fairness class of a column's transition in each chosen state; only for a column that is owed."""


def picks(built: Transitions) -> list[list[int]]:
    """The indices of columns, grouped by the scheduler's pick: those of a group differ only by the results of coins."""
    groups: dict[tuple[int, int], list[int]] = {}
    for number, column in enumerate(built.columns):
        groups.setdefault((column.kind, column.place), []).append(number)
    return list(groups.values())
