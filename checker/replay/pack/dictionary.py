"""The distinct states, messages and local steps of one pack, each with its number: an index, never a hash."""

from typing import TypeVar, get_args

from gomboc.checker.core.arrow import pa
from gomboc.checker.replay.pack.format import MESSAGES, NAMES, NOTHING_GIVEN, STATES, STEPS, Given, LocalStep

Key = TypeVar("Key")

State = tuple[str | None, bytes]
"""A role and the text of a local state; the role is None for an unknown node."""

NOTHING = 0
"""The number of NOTHING_GIVEN."""

BYTES_OF_A_STEP = 500
"""Approximate memory of a local step, with its share of the index."""

BYTES_OF_A_TEXT = 200
"""Approximate memory of a state or a message, apart from the text itself."""


class Numbers(dict[Key, int]):
    """An index of keys: `numbers[key]` is a key's number, a new one for a new key; `in_order[number]` is the key."""

    def __init__(self) -> None:
        super().__init__()
        self.in_order: list[Key] = []

    def __missing__(self, key: Key) -> int:
        number = self[key] = len(self)
        self.in_order.append(key)
        return number


class Dictionary:
    """The dictionary of a pack; it grows as traces are recorded. The content of a message or command is its text.

    `given` are the last columns of local steps.
    """

    def __init__(self) -> None:
        self.states: Numbers[State] = Numbers()
        self.messages: Numbers[bytes] = Numbers()
        self.given: Numbers[Given] = Numbers()
        assert self.given[NOTHING_GIVEN] == NOTHING, "it is the first"
        self.steps: Numbers[LocalStep] = Numbers()
        self._measured = 0, 0
        self._text = 0

    def size(self) -> int:
        """Approximate memory of the dictionary in bytes."""
        states, messages = self.states.in_order, self.messages.in_order
        self._text += sum(len(text) for _, text in states[self._measured[0] :])
        self._text += sum(len(text) for text in messages[self._measured[1] :])
        self._measured = len(states), len(messages)
        return self._text + BYTES_OF_A_TEXT * sum(self._measured) + BYTES_OF_A_STEP * len(self.steps)

    def tables(self) -> tuple[pa.Table, pa.Table, pa.Table]:
        """The states, the contents and the local steps, each in the order of their numbers."""
        states = self.states.in_order
        columns = pa.array([role for role, _ in states], NAMES), pa.array([text for _, text in states], pa.binary())
        contents = pa.array(self.messages.in_order, pa.binary())
        return pa.table([*columns], schema=STATES), pa.table([contents], schema=MESSAGES), self._steps()

    def _steps(self) -> pa.Table:
        *columns, last = list(zip(*self.steps.in_order, strict=True)) or [()] * len(get_args(LocalStep))
        rows = list(map(self.given.in_order.__getitem__, last))
        sends, *others = list(zip(*rows, strict=True)) or [()] * len(get_args(Given))
        targets, contents = ([[send[part] for send in sent] for sent in sends] for part in range(2))
        whole = [*columns, targets, contents, *others]
        arrays = [pa.array(column, field.type) for column, field in zip(whole, STEPS, strict=True)]
        return pa.table(arrays, schema=STEPS)
