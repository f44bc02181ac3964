"""A number for each value in the tables, which a function of the value computes once."""

from collections.abc import Callable
from typing import Any

import numpy as np

from gomboc.checker.explore.table.model.layout import States
from gomboc.checker.explore.table.model.numbering import Numbering
from gomboc.checker.explore.table.sorted_set import Array

Contents = tuple[tuple[str, Any], ...]
"""Messages with their targets: none, one, or those of a bundle."""


class ValueTable:
    """What two functions say of every local state and of every message, as arrays by number."""

    def __init__(
        self,
        tables: Numbering,
        of_local: Callable[[int, Any], int],
        of_message: Callable[[Contents], int],
        kind: type[np.generic] = np.int64,
    ) -> None:
        self._tables, self._of_local, self._of_message, self._kind = tables, of_local, of_message, kind
        self._locals = [np.empty(0, kind) for _ in tables.names]
        self._messages = np.empty(0, kind)

    def local(self, node: int) -> Array:
        """The numbers of a node's local states."""
        known, values = self._locals[node], self._tables.nodes[node].values
        if len(known) < len(values):
            more = [self._of_local(node, value) for value in values[len(known) :]]
            known = self._locals[node] = np.concatenate((known, np.array(more, self._kind)))
        return known

    def messages(self) -> Array:
        """The numbers of the messages."""
        known, numbers = self._messages, range(len(self._messages), len(self._tables.messages))
        if numbers:
            more = [self._of_message(self._tables.contents(number)) for number in numbers]
            known = self._messages = np.concatenate((known, np.array(more, self._kind)))
        return known

    def columns(self, states: States) -> tuple[list[Array], list[Array]]:
        """For some states, the numbers of their local states, node by node, and of their messages, slot by slot."""
        messages = self.messages()
        locals_ = [self.local(node)[numbers] for node, numbers in enumerate(states.locals)]
        return locals_, [messages[slot] for slot in states.slots]
