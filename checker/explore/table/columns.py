"""A graph as columns of numbers: for each kind of transition, its target from every state."""

from typing import Any, Protocol

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


class Transitions(Protocol):
    """A graph over the indices of its states: the input of judgement, for any type of state."""

    @property
    def extent(self) -> Extent:
        """The part of the model that was explored."""

    @property
    def count(self) -> int:
        """The number of states that were explored."""

    @property
    def starts(self) -> Array:
        """The indices of the initial states."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """The transitions."""

    @property
    def tosses(self) -> bool:
        """Whether coins are tossed."""

    @property
    def symmetric(self) -> bool:
        """Whether states that differ by names were taken as one."""

    @property
    def model(self) -> Model:
        """The plain model of the same system."""

    @property
    def largest(self) -> int:
        """The maximal number of states of a component in which a lasso is searched."""

    def state(self, number: int) -> Any:
        """The state of that index, as the plain model knows it."""

    def holding(self, promise: Promise) -> Array:
        """For each state, whether a promise holds."""

    def slots(self, chosen: Array) -> list[Array]:
        """The messages in flight in the chosen states, slot by slot."""

    def turns(self, column: Column, chosen: Array, slots: list[Array]) -> Array:
        """The fairness class of a column's transition in each chosen state; only for a column that is owed."""


def picks(built: Transitions) -> list[list[int]]:
    """The indices of columns, grouped by the scheduler's pick: those of a group differ only by the results of coins."""
    groups: dict[tuple[int, int], list[int]] = {}
    for number, column in enumerate(built.columns):
        groups.setdefault((column.kind, column.place), []).append(number)
    return list(groups.values())
