"""The initial states of an instance as numbers: the product of its domains, without building each start."""

from collections.abc import Iterable, Iterator
from math import prod

import numpy as np

from gomboc.checker.core.phrases import counted
from gomboc.checker.explore.questions.bounds import BoundWatch
from gomboc.checker.explore.table.expand import Expander
from gomboc.checker.explore.table.model.checked_calls import hashed, some_starts
from gomboc.checker.explore.table.model.demands import Demands, is_asked
from gomboc.checker.explore.table.model.global_predicate import Classes
from gomboc.checker.explore.table.model.layout import TooWideError
from gomboc.checker.explore.table.sorted_set import Array, distinct
from gomboc.spec.core.domain import count, enumerate_values
from gomboc.spec.core.instance import any_start, contents, starts

MOST = (1 << 31) - 1
"""Maximal number of states: the graph numbers them with 31 bits."""

BATCH = 1 << 14
"""Number of starts that are built before they become numbers."""


def starting_states(expander: Expander, watch: BoundWatch) -> tuple[Array, str]:
    """Every initial state, ascending; or those up to a bound, with the bound that was reached as text.

    Raises TooWideError if there are more than MOST.
    """
    every = Starts(expander)
    parts, why = [np.empty(0, np.int64)], ""
    for part in every.batches():
        parts.append(part)
        found = sum(map(len, parts))
        why = watch.why_stop(0, found, 0)
        if why:
            break
        # Said before the arrays are joined, since that is where memory would run out.
        if found > MOST:
            raise TooWideError(f"there are more starts than the {MOST:,} that the table-driven explorer has room for")
    return distinct(expander.canonical(np.concatenate(parts))), why


class Starts:
    """The starts of an instance; its local states and messages are numbered first."""

    def __init__(self, expander: Expander) -> None:
        self._tables, self._instance = expander.tables, expander.tables.instance
        self._domains = [domain for _, _, domain in self._instance.locals]
        self._number()
        expander.refit()
        self._layout = expander.layout
        self._first = self._tables.outer.first

    def _number(self) -> None:
        for node, domain in enumerate(self._domains):
            for value in enumerate_values(domain):
                self._tables.local(node, hashed(self._instance.protocol, value))
        for _, message in enumerate_values(self._instance.messages) if self._instance.in_flight else ():
            hashed(self._instance.protocol, message)
        for content in contents(self._instance):
            self._tables.in_slots(content)

    def batches(self) -> Iterator[Array]:
        """The starts that the instance admits, and that satisfy premise and assumption, in batches."""
        if self._instance.admits is not any_start:
            yield from self._admitted()
        elif not is_asked(self._instance.protocol):
            yield from self._every()
        else:
            demands = Demands(self._tables, Classes(self._tables))
            for packed in _in_batches(self._every()):
                yield packed[demands.hold(self._layout.unpack(packed))]

    def _every(self) -> Iterator[Array]:
        """For each content of the channels, the starts with it."""
        locals_, in_flight = self._locals(), list(contents(self._instance))
        for packed in self._slots(in_flight):
            yield locals_ | packed

    def _locals(self) -> Array:
        """Every combination of local states, packed."""
        ways = prod(map(count, self._domains))
        if ways > MOST:
            raise TooWideError(
                f"there are {counted(ways, 'start')}, and the table-driven explorer has room for {MOST:,} states"
            )
        packed = np.full(1, self._first << self._layout.outer_shift, np.int64)
        for node, domain in enumerate(self._domains):
            numbers = np.array([self._tables.local(node, value) for value in enumerate_values(domain)], np.int64)
            packed = (packed[:, None] | (numbers << self._layout.shifts[node])[None, :]).ravel()
        return packed

    def _slots(self, in_flight: Iterable[tuple[tuple[str, object], ...]]) -> Array:
        """The part of states that contains the messages in flight, for each content of the channels."""
        slots = self._layout.slots
        rows = [self._tables.in_slots(content) for content in in_flight]
        filled = np.array([row + [0] * (slots - len(row)) for row in rows], self._layout.slot_type)
        columns = list(filled.reshape(len(rows), slots).T)
        return self._layout.pack_slots(np.zeros(len(rows), np.int64), columns)

    def _admitted(self) -> Iterator[Array]:
        """The starts that the instance admits, one by one."""
        every = starts(self._instance)
        while batch := some_starts(self._instance, every, BATCH):
            columns = [
                np.array([self._tables.local(node, start.locals[node][1]) for start in batch], np.int64)
                for node in range(len(self._domains))
            ]
            yield self._slots(start.in_flight for start in batch) | self._layout.pack(columns, [], self._first)


def _in_batches(parts: Iterator[Array]) -> Iterator[Array]:
    """The same numbers, in batches of about BATCH."""
    waiting: list[Array] = []
    for part in parts:
        for first in range(0, len(part), BATCH):
            waiting.append(part[first : first + BATCH])
            if sum(map(len, waiting)) >= BATCH:
                yield np.concatenate(waiting)
                waiting = []
    if waiting:
        yield np.concatenate(waiting)
