"""Legitimate states: computed once for each anchor, local state and message."""

from collections import deque
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from gomboc.checker.core.dependency_tracker import Looked, MissingRead
from gomboc.checker.explore.table.model.checked_calls import asked, hashed, is_faultless
from gomboc.checker.explore.table.model.tables import Array, Tables
from gomboc.checker.explore.table.search import Explored, chunks
from gomboc.spec.core.faults import anchor_of

FAULTY = -1
"""Represents every anchor that has faults."""

Chosen = tuple[tuple[int, int], ...]
"""The local states of some nodes: the number of each node, and that of its state."""


def legitimate(explored: Explored) -> Array:
    """For each state, whether it has no fault."""
    expander = explored.expander
    judge = _Judge(expander.tables)
    parts = [judge.legitimate(*expander.layout.unpack(chunk)) for chunk in chunks(explored.keys)]
    return np.concatenate([np.empty(0, bool), *parts])


class _Judge:
    """Caches, for each value of the anchor, the legitimate local states and messages."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._numbers: dict[Any, int] = {}
        self._values: list[Any] = []
        self._answers: dict[Chosen, int | str] = {}
        self._right: dict[tuple[int, int], Array] = {}
        self._sharing: dict[int, Array] = {}

    def legitimate(self, locals_: list[Array], slots: list[Array]) -> Array:
        """For states given by their local states and messages, whether they have no fault."""
        right = np.zeros(len(locals_[0]), bool)
        for anchor, chosen in self._anchored(locals_):
            right[self._narrowed(anchor, chosen, locals_, slots)] = True
        return right

    def _anchored(self, locals_: list[Array]) -> Iterator[tuple[int, Array]]:
        """The states under each faultless anchor: divided, node after node, by the local states that it reads."""
        # The anchor is asked with no state, and with one more for each that it reads: a supervised protocol reads one
        # node of many, and its anchor is computed once for each state of that node.
        left: deque[tuple[Chosen, Array]] = deque([((), np.arange(len(locals_[0])))])
        while left:
            known, chosen = left.popleft()
            if known not in self._answers:
                self._answers[known] = self._ask(known)
            answer = self._answers[known]
            if isinstance(answer, str):
                node = self._tables.names.index(answer)
                left += (
                    ((*known, (node, number)), part)
                    for number, part in _divided(self._alike(node)[locals_[node]], chosen)
                )
            elif answer != FAULTY:
                yield answer, chosen

    def _alike(self, node: int) -> Array:
        """For each local state of a node, the first one with the same share, as seen by the anchor."""
        if node not in self._sharing:
            protocol, first = self._tables.instance.protocol, dict[Any, int]()
            shares = (
                hashed(protocol, asked(protocol, "share", partial(protocol.legitimacy.share, value), value))
                for value in self._tables.locals[node]
            )
            self._sharing[node] = np.array([first.setdefault(share, number) for number, share in enumerate(shares)])
        return self._sharing[node]

    def _ask(self, known: Chosen) -> int | str:
        """The number of the anchor of those local states, FAULTY, or the name of another node that it depends on."""
        tables, protocol = self._tables, self._tables.instance.protocol

        def faults(states: dict[str, Any]) -> object:
            return protocol.legitimacy.anchor_faults(anchor_of(protocol, Looked(states, tables.names)))

        states = {tables.names[node]: tables.locals[node][number] for node, number in known}
        try:
            if not is_faultless(protocol, "anchor_faults", faults, states):
                return FAULTY
        except MissingRead as more:
            return more.names[0]
        anchor = anchor_of(protocol, Looked(states, tables.names))
        if anchor not in self._numbers:
            self._numbers[anchor] = len(self._values)
            self._values.append(anchor)
        return self._numbers[anchor]

    def _narrowed(self, anchor: int, chosen: Array, locals_: list[Array], slots: list[Array]) -> Array:
        """The chosen states in which no node and no message is at fault."""
        for node, numbers in enumerate(locals_):
            # Narrowed node by node: most states are wrong at the first node, and are not looked at again.
            chosen = chosen[self._right_nodes(anchor, node)[numbers[chosen]]]
        for slot in slots:
            right = self._right_messages(anchor)[slot[chosen]]
            if self._tables.sleeps:
                right |= self._to_sleepers(chosen, locals_, slot[chosen])
            chosen = chosen[right]
        return chosen

    def _to_sleepers(self, chosen: Array, locals_: list[Array], messages: Array) -> Array:
        """Mask of the messages to nodes that are asleep: they are not at fault."""
        asleep = np.stack([self._tables.asleep[node][numbers[chosen]] for node, numbers in enumerate(locals_)])
        to_sleepers: Array = asleep[self._tables.target[messages], np.arange(len(chosen))]
        return to_sleepers

    def _right_nodes(self, anchor: int, node: int) -> Array:
        if (anchor, node) not in self._right:
            protocol, name = self._tables.instance.protocol, self._tables.names[node]
            asked = ((self._values[anchor], name, value) for value in self._tables.locals[node])
            right = [
                is_faultless(protocol, "node_faults", protocol.legitimacy.node_faults, *arguments)
                for arguments in asked
            ]
            self._right[anchor, node] = np.array(right)
        return self._right[anchor, node]

    def _right_messages(self, anchor: int) -> Array:
        if (anchor, -1) not in self._right:
            protocol = self._tables.instance.protocol

            def is_right(number: int) -> bool:
                sent = ((self._values[anchor], *arguments) for arguments in self._tables.contents(number))
                return all(
                    is_faultless(protocol, "message_faults", protocol.legitimacy.message_faults, *arguments)
                    for arguments in sent
                )

            self._right[anchor, -1] = np.array([is_right(number) for number in range(len(self._tables.messages))])
        return self._right[anchor, -1]


def _divided(numbers: Array, chosen: Array) -> Iterator[tuple[int, Array]]:
    """The chosen indices, grouped by the number at each."""
    order = chosen[np.argsort(numbers[chosen], kind="stable")]
    begins = np.flatnonzero(np.diff(numbers[order])) + 1
    for part in np.split(order, begins) if len(order) else ():
        yield int(numbers[part[0]]), part
