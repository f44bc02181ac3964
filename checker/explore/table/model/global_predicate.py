"""Functions of a whole state: computed once for each distinct combination of the projections that they can depend on.

There is one projection for each local state and each message. Combinations are numbered, so answers are looked up.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Generic

import msgspec
import numpy as np

from gomboc.checker.core.bad_models import BadModelError
from gomboc.checker.explore.table.model.checked_calls import Answer, asked, hashed, is_faultless
from gomboc.checker.explore.table.model.layout import States
from gomboc.checker.explore.table.model.numbering import Numbering
from gomboc.checker.explore.table.model.tables import ASKED_AGAIN
from gomboc.checker.explore.table.sorted_set import Array
from gomboc.spec.core.protocol import Protocol

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


NOTHING = 0
"""The class of messages without a projection, and of an empty slot."""

MOST = 1 << 62
"""Exclusive bound on the numbers of combinations."""


class Combined(msgspec.Struct, frozen=True):
    """Many states, each as the number of its combination; for each combination its classes, and examples of states.

    `shown` is a state with that combination, and `other` is one too: a different one, if there is one.
    """

    rows: list[tuple[int, ...]]
    shown: list[int]
    other: list[int]
    of_state: Array
    states: States


def combinations(columns: list[Array], states: States) -> Combined:
    """The combinations of some columns, each with the states that have it."""
    codes, size = np.zeros(len(columns[0]), np.int64), 1
    for column in columns:
        values = int(column.max(initial=0)) + 1
        # Renumbered only when the product of ranges no longer fits: `unique` is the costly part.
        if size * values > MOST:
            distinct, codes = np.unique(codes, return_inverse=True)
            size = len(distinct)
        codes, size = codes * values + column, size * values
    _, shown, of_state = np.unique(codes, return_index=True, return_inverse=True)
    other = np.zeros(len(shown), np.int64)
    other[of_state] = np.arange(len(of_state))
    rows = [tuple(row) for row in np.stack(columns, axis=1)[shown].tolist()]
    return Combined(rows, shown.tolist(), other.tolist(), of_state, states)


class Classes:
    """The classes of equal projections: of the local states of each node, and of messages, by their number."""

    def __init__(self, tables: Numbering) -> None:
        self._protocol = tables.instance.protocol
        self._numbers: dict[Any, int] = {}
        self._values = ValueTable(tables, self._of_local, self._of_message)

    def combined(self, states: States) -> Combined:
        """The combinations that occur in some states."""
        locals_, slots = self._values.columns(states)
        # The slot of a message depends on its number, so the classes of messages are sorted again.
        seen = bool(slots) and self._values.messages().any()
        return combinations([*locals_, *(np.sort(np.stack(slots), axis=0) if seen else [])], states)

    def _number(self, value: Any) -> int:
        return self._numbers.setdefault(value, len(self._numbers) + 1)

    def _projection(self, value: Any) -> Any:
        protocol = self._protocol
        return hashed(protocol, asked(protocol, "projection", lambda: protocol.promises.projection(value), value))

    def _of_local(self, node: int, value: Any) -> int:
        del node
        return self._number(("a local state", self._projection(value)))

    def _of_message(self, contents: Contents) -> int:
        projections = [(target, self._projection(message)) for target, message in contents]
        seen = tuple(projection for projection in projections if projection[1] is not None)
        return self._number(seen) if seen else NOTHING


class Whole(Generic[Answer]):
    """The answers of a function of whole states, `function(states, in_flight)`, by the number of each answer."""

    def __init__(self, tables: Numbering, name: str, function: Callable[[Any, Any], Answer]) -> None:
        self._tables = tables
        self._name = name
        self._function = function
        self._known: dict[tuple[int, ...], int] = {}
        self._numbers: dict[Answer, int] = {}
        self._asked_again = 0
        self.answers: list[Answer] = []

    def of(self, combined: Combined) -> Array:
        """For each state, the number of the answer. Raises BadModelError if it depends on more than projections."""
        numbers = [self._of(combined, index) for index in range(len(combined.rows))]
        answers: Array = np.array(numbers, np.int64)[combined.of_state]
        return answers

    def says(self, answer: Answer, combined: Combined) -> Array:
        """For each state, whether that is the answer."""
        numbers = self.of(combined)
        equal: Array = numbers == self._numbers.get(answer, -1)
        return equal

    def _of(self, combined: Combined, index: int) -> int:
        row, shown, other = combined.rows[index], combined.shown[index], combined.other[index]
        if row not in self._known:
            self._known[row] = self._number(combined, shown)
        # A projection is the user's claim. It is sampled, as checking it for all states would cost what it saves.
        if self._asked_again < ASKED_AGAIN:
            self._asked_again += 1
            if self._number(combined, other) != self._known[row]:
                states, _ = self._contents(combined, other)
                problem = f"has a projection that leaves out what {self._name} looks at"
                raise BadModelError(self._tables.instance.protocol.name, problem, states)
        return self._known[row]

    def _number(self, combined: Combined, state: int) -> int:
        states, in_flight = self._contents(combined, state)
        protocol = self._tables.instance.protocol
        answer = asked(protocol, self._name, lambda: self._function(states, in_flight), states)
        number = self._numbers.setdefault(hashed(protocol, answer), len(self.answers))
        if number == len(self.answers):
            self.answers.append(answer)
        return number

    def _contents(self, combined: Combined, state: int) -> tuple[dict[str, Any], tuple[tuple[str, Any], ...]]:
        both = zip(self._tables.nodes, combined.states.locals, strict=True)
        in_flight = (sent for slot in combined.states.slots for sent in self._tables.contents(int(slot[state])))
        return {node.name: node.values[int(numbers[state])] for node, numbers in both}, tuple(in_flight)


def faultless(protocol: Protocol, name: str, faults: Callable[..., object]) -> Callable[[Any, Any], bool]:
    """The function of whole states that says whether a predicate of a protocol finds no fault."""
    return partial(is_faultless, protocol, name, faults)
