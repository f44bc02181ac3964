"""The whole graph as columns of numbers: for each kind of transition, its target from every state."""

from typing import Protocol

import msgspec
import numpy as np

from gomboc.checker.explore.bounds import BoundWatch
from gomboc.checker.explore.graph.graph import BEYOND
from gomboc.checker.explore.table.expand import COMMAND, TIMEOUT, Expander
from gomboc.checker.explore.table.search import CHUNK, Explored
from gomboc.checker.explore.table.sorted_set import place_of
from gomboc.checker.explore.table.tables import Array

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
    """A graph over the indices of the states in `keys`: the input of judgement, for any type of state."""

    @property
    def keys(self) -> Array:
        """The states."""

    @property
    def starts(self) -> Array:
        """The indices of the initial states."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """The transitions."""

    @property
    def beyond(self) -> int:
        """The number of transitions that lead beyond the bounds."""

    def slots(self, chosen: Array) -> list[Array]:
        """The messages in flight in the chosen states, slot by slot."""

    def turns(self, column: Column, chosen: Array, slots: list[Array]) -> Array:
        """The fairness class of a column's transition in each chosen state; only for a column that is owed."""


class Matrix(msgspec.Struct, frozen=True):
    """The graph over the indices of the states in `keys`; `starts` are the indices of the initial ones.

    Where the search was stopped by a bound, a transition to a state that was not explored counts as BEYOND.
    """

    explored: Explored
    keys: Array
    starts: Array
    columns: tuple[Column, ...]
    beyond: int

    def slots(self, chosen: Array) -> list[Array]:
        """The messages in flight in the chosen states, slot by slot."""
        return self.explored.expander.layout.unpack(self.keys[chosen])[1]

    def turns(self, column: Column, chosen: Array, slots: list[Array]) -> Array:
        """The fairness class of a column's transition in each chosen state: a timeout, a message, or a command."""
        tables, commands = self.explored.expander.tables, self.explored.expander.commands
        nodes = len(tables.names)
        if column.kind == TIMEOUT:
            return np.full(len(chosen), column.place, np.int64)
        if column.kind == COMMAND:
            turn = nodes + len(tables.messages) + commands.turn(column.place)
            return np.full(len(chosen), turn, np.int64)
        return slots[column.place].astype(np.int64) + nodes


def matrix(explored: Explored, watch: BoundWatch) -> Matrix | str:
    """The graph of the explored states; or the bound that was reached while it was built, as text."""
    keys, expander = explored.keys, explored.expander
    columns_by_kind: dict[tuple[int, int, int], Array] = {}
    beyond = 0
    # Expanded a second time instead of kept from the search: only now are the indices of all targets known, and the
    # search needs no room for transitions.
    for first in range(0, len(keys), CHUNK):
        chunk = keys[first : first + CHUNK]
        for block in expander.blocks(chunk):
            kind = block.kind, block.place, block.way
            if kind not in columns_by_kind:
                columns_by_kind[kind] = np.full(len(keys), ABSENT, np.int32)
            targets = place_of(block.keys, keys)
            beyond += int((targets == BEYOND).sum())
            columns_by_kind[kind][first + block.sources] = targets
        why = watch.why_stop(first, len(keys), explored.transitions)
        if why:
            return why
    columns = tuple(_column(expander, *kind, columns_by_kind[kind]) for kind in sorted(columns_by_kind))
    return Matrix(explored, keys, place_of(explored.starts, keys), columns, beyond)


def _column(expander: Expander, kind: int, index: int, way: int, targets: Array) -> Column:
    if kind != COMMAND:
        return Column(kind, index, way, targets)
    commands = expander.commands
    return Column(kind, index, way, targets, commands.offers[index].owed, commands.disturbs(index))


def picks(built: Transitions) -> list[list[Column]]:
    """The columns grouped by the scheduler's pick: columns of a group differ only by the results of coins."""
    groups: dict[tuple[int, int], list[Column]] = {}
    for column in built.columns:
        groups.setdefault((column.kind, column.place), []).append(column)
    return list(groups.values())
