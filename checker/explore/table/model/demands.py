"""Demands on states: operating assumption and premise, and connectivity, computed once for each set of edges."""

from functools import cache, reduce
from operator import or_
from typing import Any

import numpy as np

from gomboc.checker.explore.table.model.checked_calls import asked
from gomboc.checker.explore.table.model.global_predicate import Classes, Contents, ValueTable, Whole, faultless
from gomboc.checker.explore.table.model.layout import MOST_BITS, States, TooWideError
from gomboc.checker.explore.table.model.numbering import Numbering
from gomboc.checker.explore.table.sorted_set import Array
from gomboc.spec.core.connection import Edge, is_connected, no_edges
from gomboc.spec.core.faults import has_assumption
from gomboc.spec.core.protocol import Protocol, nothing_lacks


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


class Demands:
    """Demands on starts, and on states after commands: the operating assumption, and the premise."""

    def __init__(self, tables: Numbering, classes: Classes) -> None:
        self._classes = classes
        protocol = tables.instance.protocol
        self._links = None if protocol.promises.edges is no_edges else Links(tables)
        self._premise, self._assumption, self._of_commands = (
            None if faults is nothing_lacks else Whole(tables, name, faultless(protocol, name, faults))
            for name, faults in (
                ("premise", protocol.promises.premise),
                ("assumption", protocol.promises.assumption),
                ("commands_assumption", protocol.promises.commands_assumption),
            )
        )

    def hold(self, states: States, premise: bool = True, commanded: bool = False) -> Array:
        """For each state, whether all demands hold; `premise`: whether it counts.

        The states are starts, or have been `commanded`. Raises TooWideError if there are too many edges.
        """
        holding = np.ones(len(states.keys), bool)
        demanded = [self._assumption, self._premise if premise else None, self._of_commands if commanded else None]
        if any(demanded) and len(holding):
            combined = self._classes.combined(states)
            for condition in demanded:
                holding &= True if condition is None else condition.says(True, combined)
        if premise and self._links is not None:
            holding &= self._links.connected(states)
        return holding


def is_asked(protocol: Protocol) -> bool:
    """Whether a protocol makes any demands on states."""
    return (
        protocol.promises.edges is not no_edges
        or protocol.promises.premise is not nothing_lacks
        or has_assumption(protocol)
    )
