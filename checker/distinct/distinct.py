"""The dictionary of one pack in columns: its distinct local steps, states and messages, by number."""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pyarrow.compute as pc

from gomboc.checker.core.arrow import pa
from gomboc.checker.core.errors import UsageError
from gomboc.checker.distinct.arrays import Array, numbers, starts_of

TIMEOUT, DELIVERY, COMMAND = 0, 1, 2
"""Values of the column `took`: the kinds of input of a step."""

NONE = -1
"""Stands for "no id" in a column of ids."""


class Names:
    """The names of nodes that occur in a pack, numbered."""

    def __init__(self) -> None:
        self.known: list[str] = []
        self._numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        """The number of a name, a new one for a new name."""
        number = self._numbers.setdefault(name, len(self.known))
        if number == len(self.known):
            self.known.append(name)
        return number

    def column(self, column: pa.ChunkedArray | pa.Array) -> Array:
        """The numbers of a column of names."""
        encoded = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
        if not pa.types.is_dictionary(encoded.type):
            encoded = pc.dictionary_encode(encoded)
        translated = [self.number(name) for name in encoded.dictionary.to_pylist()]
        return np.array(translated or [NONE])[numbers(encoded.indices)]


class Distinct:
    """The three tables of a pack, ready to be indexed by whole arrays. The tables must have the format of packs."""

    def __init__(self, states: pa.Table, messages: pa.Table, steps: pa.Table) -> None:
        self.names = Names()
        self._states, self._messages, self._steps = states, messages, steps
        self.node = self.names.column(steps["node"])
        self.before, self.after, self.input, self.took = (
            numbers(steps[name].combine_chunks()) for name in ("before", "after", "input", "took")
        )
        self._number_roles()
        self.received = numbers(pc.fill_null(steps["received"], NONE).combine_chunks())
        self.any_received = bool((self.received != NONE).any())
        targets, contents = steps["targets"].combine_chunks(), steps["contents"].combine_chunks()
        self.sends = numbers(pc.list_value_length(targets))
        self.send_starts = starts_of(self.sends)
        self.send_target = self.names.column(targets.flatten())
        self.send_content = numbers(contents.flatten())

    def __len__(self) -> int:
        return len(self.node)

    def _number_roles(self) -> None:
        encoded = self._states["role"].combine_chunks()
        self._roles = {role: number for number, role in enumerate(encoded.dictionary.to_pylist())}
        self.state_role = numbers(pc.fill_null(encoded.indices, NONE))
        acting = self.before != NONE
        kept = np.where(acting, self.state_role[self.before], NONE)
        wrong = np.flatnonzero(kept != self.state_role[self.after])
        if len(wrong):
            raise UsageError(f"local step {wrong[0]}: the states before and after it are of different roles")

    def role_number(self, role: str) -> int:
        """The number of a role in `state_role`; -2 if no state has it."""
        return self._roles.get(role, -2)

    @property
    def contents(self) -> int:
        """The number of contents."""
        return len(self._messages)

    @cached_property
    def state_texts(self) -> list[bytes]:
        """The JSON text of each state."""
        texts: list[bytes] = self._states["state"].to_pylist()
        return texts

    @cached_property
    def state_roles(self) -> list[str | None]:
        """The role of each state's node; None for an unknown node."""
        roles: list[str | None] = [*self._roles, None]
        return [roles[number] for number in self.state_role.tolist()]

    @cached_property
    def message_texts(self) -> list[bytes]:
        """The JSON text of each content."""
        texts: list[bytes] = self._messages["message"].to_pylist()
        return texts

    @cached_property
    def beginnings(self) -> Array:
        """A number for each content, the same for texts that begin alike: most are of one kind then."""
        known: dict[bytes, int] = {}
        texts = (text.partition(b",")[0] for text in self.message_texts)
        return np.fromiter((known.setdefault(text, len(known)) for text in texts), np.int64, self.contents)

    @cached_property
    def commands(self) -> Array:
        """A mask of the contents that are commands and no messages, as far as the steps show it."""
        commands = np.zeros(self.contents, bool)
        commands[self.input[self.took == COMMAND]] = True
        commands[self.send_content] = False
        commands[self.received[self.received != NONE]] = False
        return commands

    @cached_property
    def coins(self) -> "Coded":
        """The coins of each step, if it has any."""
        return _coded(self._steps["coin"])

    @cached_property
    def deliveries(self) -> "Coded":
        """The deliveries of each step to its application, as JSON, if there are any."""
        return _coded(self._steps["delivered"])


class Coded(NamedTuple):
    """A column with few different values: these values, and the index of the value of each row."""

    values: list[Any]
    number: Array

    def of(self, rows: Array) -> list[Any]:
        """The values in these rows."""
        return list(map(self.values.__getitem__, self.number[rows].tolist()))


def _coded(column: pa.ChunkedArray) -> Coded:
    encoded = pc.dictionary_encode(column.combine_chunks(), null_encoding="encode")
    return Coded(encoded.dictionary.to_pylist(), numbers(encoded.indices))
