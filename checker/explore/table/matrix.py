"""The whole graph of an instance as columns, and the worlds behind its numbers."""

import numpy as np
from msgspec.structs import replace

from gomboc.checker.explore.graph.graph import BEYOND
from gomboc.checker.explore.questions.bounds import BoundReachedError, BoundWatch
from gomboc.checker.explore.symmetry import canonical_world
from gomboc.checker.explore.table.columns import ABSENT, Column, Transitions
from gomboc.checker.explore.table.expand import COMMAND, TIMEOUT
from gomboc.checker.explore.table.holding import Holding
from gomboc.checker.explore.table.search import CHUNK, Explored
from gomboc.checker.explore.table.sorted_set import Array, place_of
from gomboc.spec.core.model import Model, Promise
from gomboc.spec.core.network import World


class Matrix(Transitions):
    """The graph over the indices of the explored states.

    Where the search was stopped by a bound, a transition to a state that was not explored counts as BEYOND.
    """

    def __init__(self, explored: Explored, columns: list[Column], beyond: int, leaving: int) -> None:
        starts = place_of(explored.starts, explored.keys)
        super().__init__(replace(explored.extent, beyond=beyond, leaving=leaving), starts, columns)
        self._explored, self._tables = explored, explored.expander.tables
        self._holding = Holding(explored)
        self.tosses = any(column.way for column in columns)
        self.symmetric = len(self._tables.instance.alike) > 1

    def model(self) -> Model:
        """The plain model of the same system."""
        return self._tables.model()

    def state(self, number: int) -> World:
        """The world that a state represents."""
        return canonical_world(self._tables.instance, self._explored.expander.world(int(self._explored.keys[number])))

    def holding(self, promise: Promise) -> Array:
        """For each state, whether a promise holds."""
        return self._holding.of(promise)

    def slots(self, chosen: Array) -> list[Array]:
        """The messages in flight in the chosen states, slot by slot."""
        return self._explored.expander.layout.unpack(self._explored.keys[chosen]).slots

    def turns(self, column: Column, chosen: Array, slots: list[Array]) -> Array:
        """The fairness class of a column's transition in each chosen state: a timeout, a message, or a command."""
        tables, commands = self._tables, self._explored.expander.commands
        nodes = len(tables.names)
        if column.kind == TIMEOUT:
            return np.full(len(chosen), column.place, np.int64)
        if column.kind == COMMAND:
            turn = nodes + len(tables.messages) + commands.turn(column.place)
            return np.full(len(chosen), turn, np.int64)
        return slots[column.place].astype(np.int64) + nodes


def matrix(explored: Explored, watch: BoundWatch) -> Matrix:
    """The graph of the explored states. Raises BoundReachedError if a bound is reached before it is built."""
    keys, commands = explored.keys, explored.expander.commands
    columns_by_kind: dict[tuple[int, int, int], Array] = {}
    beyond = leaving = 0
    # Expanded a second time instead of kept from the search: only now are the indices of all targets known, and the
    # search needs no room for transitions.
    for first in range(0, len(keys), CHUNK):
        leads = np.zeros(min(CHUNK, len(keys) - first), bool)
        for block in explored.expander.blocks(keys[first : first + CHUNK]):
            kind = block.kind, block.place, block.way
            if kind not in columns_by_kind:
                columns_by_kind[kind] = np.full(len(keys), ABSENT, np.int32)
            targets = place_of(block.keys, keys)
            over = targets == BEYOND
            beyond += int(over.sum())
            leads[block.sources[over]] = True
            columns_by_kind[kind][first + block.sources] = targets
        leaving += int(leads.sum())
        why = watch.why_stop(first, len(keys), explored.extent.transitions)
        if why:
            raise BoundReachedError(why)
    columns = []
    for kind, targets in sorted(columns_by_kind.items()):
        offer = commands.offers[kind[1]] if kind[0] == COMMAND else None
        owed, disturbs = offer is None or offer.owed, offer is not None and commands.disturbs(kind[1])
        columns.append(Column(*kind, targets, owed, disturbs))
    return Matrix(explored, columns, beyond, leaving)
