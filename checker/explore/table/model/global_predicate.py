"""Functions of a whole state: computed once for each distinct combination of the projections that they can depend on.

There is one projection for each local state and each message. Combinations are numbered, so answers are looked up.
"""

from collections.abc import Callable
from typing import Any, Generic

import msgspec
import numpy as np

from gomboc.checker.core.bad_models import BadModelError
from gomboc.checker.explore.table.model.checked_calls import Answer, asked, hashed
from gomboc.checker.explore.table.model.tables import ASKED_AGAIN, Array, Tables

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
    states: list[Array]


def combinations(columns: list[Array], states: list[Array]) -> Combined:
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

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._locals: list[list[int]] = [[] for _ in tables.names]
        self._messages: list[int] = [NOTHING]
        self._numbers: dict[Any, int] = {}

    def combined(self, locals_: list[Array], slots: list[Array]) -> Combined:
        """The combinations that occur in states given by their local states and messages."""
        messages = self._of_messages()
        columns = [self._of_locals(node)[numbers] for node, numbers in enumerate(locals_)]
        # The slot of a message depends on its number, so the classes of messages are sorted again.
        columns += list(np.sort(np.stack([messages[slot] for slot in slots]), axis=0)) if slots else []
        return combinations(columns, [*locals_, *slots])

    def _number(self, value: Any) -> int:
        return self._numbers.setdefault(value, len(self._numbers) + 1)

    def _projection(self, value: Any) -> Any:
        protocol = self._tables.instance.protocol
        return hashed(protocol, asked(protocol, "projection", lambda: protocol.promises.projection(value), value))

    def _of_locals(self, node: int) -> Array:
        known = self._locals[node]
        for value in self._tables.locals[node][len(known) :]:
            known.append(self._number(("a local state", self._projection(value))))
        return np.array(known, np.int64)

    def _of_messages(self) -> Array:
        tables, known = self._tables, self._messages
        for number in range(len(known), len(tables.messages)):
            projections = [(target, self._projection(message)) for target, message in tables.contents(number)]
            seen = tuple(projection for projection in projections if projection[1] is not None)
            known.append(self._number(seen) if seen else NOTHING)
        return np.array(known, np.int64)


class Whole(Generic[Answer]):
    """The answers of a function of whole states, `function(states, in_flight)`, by the number of each answer."""

    def __init__(self, tables: Tables, name: str, function: Callable[[Any, Any], Answer]) -> None:
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
        names, numbers = self._tables.names, [int(column[state]) for column in combined.states]
        states = {name: self._tables.locals[node][numbers[node]] for node, name in enumerate(names)}
        in_flight = (sent for number in numbers[len(names) :] for sent in self._tables.contents(number))
        return states, tuple(in_flight)
