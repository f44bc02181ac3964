"""Weak connectivity of states: computed once for each set of edges that occurs, not once for each state."""

from functools import reduce
from operator import or_
from typing import Any

import numpy as np

from gomboc.checker.explore.table.model.checked_calls import edges_of, is_asleep
from gomboc.checker.explore.table.model.layout import MOST_BITS, TooWideError
from gomboc.checker.explore.table.model.tables import Array, Tables
from gomboc.spec.core.connection import Edge, is_connected


class Links:
    """The edges that values create, as sets of bits: one bit for each pair of nodes, and below them one for each node.

    A node's own bit means that it is awake: only nodes that are awake have to be connected.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._bits: dict[Edge, int] = {}
        self._of_locals: list[list[int]] = [[] for _ in tables.names]
        self._of_messages: list[int] = [0]
        self._connected: dict[int, bool] = {}

    def connected(self, locals_: list[Array], slots: list[Array]) -> Array:
        """For states given by their local states and messages, whether the nodes that are awake are connected."""
        linked = np.zeros(len(locals_[0]), np.int64)
        for node, numbers in enumerate(locals_):
            linked |= self._locals(node)[numbers]
        messages = self._messages()
        for slot in slots:
            linked |= messages[slot]
        distinct, numbers_of_state = np.unique(linked, return_inverse=True)
        connected: Array = np.array([self._connects(edges) for edges in distinct.tolist()], bool)[numbers_of_state]
        return connected

    def _locals(self, node: int) -> Array:
        tables, known = self._tables, self._of_locals[node]
        for value in tables.locals[node][len(known) :]:
            known.append(self.of(tables.names[node], value) | (not is_asleep(tables.instance.protocol, value)) << node)
        return np.array(known, np.int64)

    def _messages(self) -> Array:
        tables, known = self._tables, self._of_messages
        for number in range(len(known), len(tables.messages)):
            known.append(reduce(or_, (self.of(*sent) for sent in tables.contents(number)), 0))
        return np.array(known, np.int64)

    def of(self, node: str, value: Any) -> int:
        """The edges created by a local state of a node, or by a message to it. Raises TooWideError beyond 63 bits."""
        edges, names = 0, self._tables.names
        for one, other in edges_of(self._tables.instance.protocol, node, value):
            pair = min(one, other), max(one, other)
            edges |= 1 << self._bits.setdefault(pair, len(names) + len(self._bits))
        if len(names) + len(self._bits) > MOST_BITS:
            raise TooWideError(f"there are edges between more than {MOST_BITS - len(names)} pairs of nodes")
        return edges

    def _connects(self, linked: int) -> bool:
        if linked not in self._connected:
            edges = [pair for pair, bit in self._bits.items() if linked >> bit & 1]
            awake = tuple(name for index, name in enumerate(self._tables.names) if linked >> index & 1)
            self._connected[linked] = is_connected(awake, edges)
        return self._connected[linked]
