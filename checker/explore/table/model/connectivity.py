"""Weak connectivity of states: computed once for each set of edges that occurs, not once for each state."""

from functools import cache, reduce
from operator import or_
from typing import Any

import numpy as np

from gomboc.checker.explore.table.model.checked_calls import asked
from gomboc.checker.explore.table.model.layout import MOST_BITS, States, TooWideError
from gomboc.checker.explore.table.model.numbering import Numbering
from gomboc.checker.explore.table.model.value_table import Contents, ValueTable
from gomboc.checker.explore.table.sorted_set import Array
from gomboc.spec.core.connection import Edge, is_connected


class Links:
    """The edges that values create, as sets of bits: one bit for each pair of nodes, and below them one for each node.

    A node's own bit means that it is awake: only nodes that are awake have to be connected.
    """

    def __init__(self, tables: Numbering) -> None:
        self._tables = tables
        self._bits: dict[Edge, int] = {}
        self._values = ValueTable(tables, self._of_local, self._of_message)
        self._connects = cache(self._is_connected)

    def connected(self, states: States) -> Array:
        """For each state, whether the nodes that are awake are connected."""
        locals_, slots = self._values.columns(states)
        linked: Array = np.bitwise_or.reduce([*locals_, *slots])
        distinct, numbers_of_state = np.unique(linked, return_inverse=True)
        connected: Array = np.array([self._connects(edges) for edges in distinct.tolist()], bool)[numbers_of_state]
        return connected

    def _of_local(self, node: int, value: Any) -> int:
        protocol = self._tables.instance.protocol
        awake = not asked(protocol, "asleep", lambda: protocol.environment.asleep(value), value)
        return self.of(self._tables.names[node], value) | awake << node

    def _of_message(self, contents: Contents) -> int:
        return reduce(or_, (self.of(*sent) for sent in contents), 0)

    def of(self, node: str, value: Any) -> int:
        """The edges created by a local state of a node, or by a message to it. Raises TooWideError beyond 63 bits."""
        edges, names, protocol = 0, self._tables.names, self._tables.instance.protocol
        for one, other in asked(protocol, "edges", lambda: protocol.promises.edges(node, value), value):
            pair = min(one, other), max(one, other)
            edges |= 1 << self._bits.setdefault(pair, len(names) + len(self._bits))
        if len(names) + len(self._bits) > MOST_BITS:
            raise TooWideError(f"there are edges between more than {MOST_BITS - len(names)} pairs of nodes")
        return edges

    def _is_connected(self, linked: int) -> bool:
        edges = [pair for pair, bit in self._bits.items() if linked >> bit & 1]
        awake = tuple(name for index, name in enumerate(self._tables.names) if linked >> index & 1)
        return is_connected(awake, edges)
