"""Legitimate states: computed once for each anchor, local state and message."""

from collections import deque
from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import numpy as np

from gomboc.checker.core.dependency_tracker import Looked, MissingRead, answered
from gomboc.checker.explore.table.model.checked_calls import asked, hashed, is_faultless
from gomboc.checker.explore.table.model.global_predicate import Contents, ValueTable
from gomboc.checker.explore.table.model.layout import States
from gomboc.checker.explore.table.model.numbering import Numbering
from gomboc.checker.explore.table.search import Explored, chunks
from gomboc.checker.explore.table.sorted_set import Array
from gomboc.spec.core.faults import anchor_of

FAULTY = -1
"""Represents every anchor that has faults."""

Chosen = tuple[tuple[int, int], ...]
"""The local states of some nodes: the number of each node, and that of its state."""


def legitimate(explored: Explored) -> Array:
    """For each state, whether it has no fault."""
    expander = explored.expander
    judge = LegitimacyJudge(expander.tables)
    parts = [judge.legitimate(expander.layout.unpack(chunk)) for chunk in chunks(explored.keys)]
    return np.concatenate([np.empty(0, bool), *parts])


class LegitimacyJudge:
    """Caches, for each value of the anchor, the legitimate local states and messages.

    - `ask(known)`: the number of the anchor of those local states, FAULTY, or the name of another node that it reads.
    - `right(anchor)`: the local states and the messages that are not at fault under an anchor.
    - `alike(node)`: for each local state of a node, the first one that the anchor cannot tell from it.
    """

    def __init__(self, tables: Numbering) -> None:
        self._tables = tables
        self._numbers: dict[Any, int] = {}
        self._values: list[Any] = []
        self.ask = cache(self._asked)
        self.right = cache(self._right_values)
        self.alike = cache(self._sharing)

    def legitimate(self, states: States) -> Array:
        """For each state, whether it has no fault."""
        right = np.zeros(len(states.keys), bool)
        for anchor, chosen in self._anchored(states.locals):
            right[self._narrowed(anchor, chosen, states)] = True
        return right

    def _anchored(self, locals_: list[Array]) -> Iterator[tuple[int, Array]]:
        """The states under each faultless anchor: divided, node after node, by the local states that it reads."""
        # The anchor is asked with no state, and with one more for each that it reads: a supervised protocol reads one
        # node of many, and its anchor is computed once for each state of that node.
        left: deque[tuple[Chosen, Array]] = deque([((), np.arange(len(locals_[0])))])
        while left:
            known, chosen = left.popleft()
            answer = self.ask(known)
            if isinstance(answer, str):
                node = self._tables.names.index(answer)
                left += (
                    ((*known, (node, number)), part)
                    for number, part in _divided(self.alike(node)[locals_[node]], chosen)
                )
            elif answer != FAULTY:
                yield answer, chosen

    def _sharing(self, node: int) -> Array:
        """For each local state of a node, the first one with the same share, as seen by the anchor."""
        protocol, first = self._tables.instance.protocol, dict[Any, int]()
        shares = (
            hashed(protocol, asked(protocol, "share", partial(protocol.legitimacy.share, value), value))
            for value in self._tables.nodes[node].values
        )
        return np.array([first.setdefault(share, number) for number, share in enumerate(shares)])

    def _asked(self, known: Chosen) -> int | str:
        """The number of the anchor of those local states, FAULTY, or the name of another node that it depends on."""
        tables, protocol = self._tables, self._tables.instance.protocol

        def anchor_in(states: dict[str, Any]) -> Any:
            return answered(partial(anchor_of, protocol), Looked(states, tables.names))

        def faults(states: dict[str, Any]) -> object:
            return protocol.legitimacy.anchor_faults(anchor_in(states))

        states = {tables.names[node]: tables.nodes[node].values[number] for node, number in known}
        try:
            if not is_faultless(protocol, "anchor_faults", faults, states):
                return FAULTY
        except MissingRead as more:
            return more.names[0]
        anchor = anchor_in(states)
        if anchor not in self._numbers:
            self._numbers[anchor] = len(self._values)
            self._values.append(anchor)
        return self._numbers[anchor]

    def _narrowed(self, anchor: int, chosen: Array, states: States) -> Array:
        """The chosen states in which no node and no message is at fault."""
        right = self.right(anchor)
        for node, numbers in enumerate(states.locals):
            # Narrowed node by node: most states are wrong at the first node, and are not looked at again.
            chosen = chosen[right.local(node)[numbers[chosen]]]
        for slot in states.slots:
            holding = right.messages()[slot[chosen]]
            if self._tables.sleeps:
                holding |= self._to_sleepers(chosen, states, slot[chosen])
            chosen = chosen[holding]
        return chosen

    def _to_sleepers(self, chosen: Array, states: States, messages: Array) -> Array:
        """Mask of the messages to nodes that are asleep: they are not at fault."""
        both = zip(self._tables.nodes, states.locals, strict=True)
        asleep = np.stack([node.asleep[numbers[chosen]] for node, numbers in both])
        to_sleepers: Array = asleep[self._tables.target[messages], np.arange(len(chosen))]
        return to_sleepers

    def _right_values(self, anchor: int) -> ValueTable:
        """The local states and the messages that are not at fault under an anchor."""
        protocol, value, names = self._tables.instance.protocol, self._values[anchor], self._tables.names

        def is_right_node(node: int, local: Any) -> bool:
            return is_faultless(protocol, "node_faults", protocol.legitimacy.node_faults, value, names[node], local)

        def is_right_message(contents: Contents) -> bool:
            faults = protocol.legitimacy.message_faults
            return all(is_faultless(protocol, "message_faults", faults, value, *sent) for sent in contents)

        return ValueTable(self._tables, is_right_node, is_right_message, np.bool_)


def _divided(numbers: Array, chosen: Array) -> Iterator[tuple[int, Array]]:
    """The chosen indices, grouped by the number at each."""
    order = chosen[np.argsort(numbers[chosen], kind="stable")]
    begins = np.flatnonzero(np.diff(numbers[order])) + 1
    for part in np.split(order, begins) if len(order) else ():
        yield int(numbers[part[0]]), part
