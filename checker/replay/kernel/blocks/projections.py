"""Whole systems reduced to the projections that a promise depends on: equal projections count as one."""

from collections.abc import Callable, Hashable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from gomboc.checker.core.errors import UsageError
from gomboc.checker.distinct.arrays import Array
from gomboc.checker.distinct.distinct import NONE
from gomboc.checker.distinct.spelling import PackValues
from gomboc.checker.replay.kernel.frames.block import Block, Snapshot
from gomboc.spec.core.protocol import whole

UNASKED = -2

NAME_BITS = 32
"""A target and a content make one number: the target stands above the bits of the content."""

GONE, GIVEN, STATE = range(3)
"""Kinds of changes at one position, in the order in which they happen."""


class UnfitProjectionError(UsageError):
    """A protocol declares a projection that omits something that a promise reads: a sentence."""


class Projections:
    """For each state and content of a pack, the number of the first one that was met with an equal projection.

    -1 stands for a content without a projection, which no promise reads.
    """

    def __init__(self, projection: Callable[[Any], Any], values: PackValues) -> None:
        self._projection, self._values = projection, values
        self._states = np.full(len(values.distinct.state_texts), UNASKED)
        self._messages = np.full(len(values.distinct.message_texts), UNASKED)
        self._first: dict[Hashable, int] = {}

    def of_states(self, numbers: Array) -> Array:
        """The first state of an equal projection, for each."""
        new = self._unasked(numbers, self._states)
        self._values.read_states(new)
        for number in new.tolist():
            value = self._values.state(number)
            self._states[number] = self._first.setdefault((type(value), self._projection(value)), number)
        return self._projected(numbers, self._states)

    def of_messages(self, numbers: Array) -> Array:
        """The same for contents of messages."""
        new = self._unasked(numbers, self._messages)
        self._values.read_messages(new)
        for number in new.tolist():
            projection = self._projection(self._values.message(number))
            self._messages[number] = (
                NONE if projection is None else self._first.setdefault(("a message", projection), number)
            )
        return self._projected(numbers, self._messages)

    def _unasked(self, numbers: Array, known: Array) -> Array:
        return numbers[:0] if self._projection is whole else np.unique(numbers[known[numbers] == UNASKED])

    def _projected(self, numbers: Array, known: Array) -> Array:
        projected: Array = numbers if self._projection is whole else known[numbers]
        return projected


class Look(NamedTuple):
    """The projections of a whole system: a state of each node, and each message in flight, its target above NAME_BITS
    of content.

    The numbers are those of the first value with an equal projection. `shape` identifies the nodes.
    """

    shape: int
    states: tuple[int, ...]
    in_flight: tuple[int, ...]


class Looks:
    """The systems of one block in projections, up to the position `last` of each trace."""

    def __init__(self, block: Block, projections: Projections, last: Array) -> None:
        self._block, self._last = block, last.tolist()
        parts = [self._of_nodes(projections, last), *self._of_messages(projections, last)]
        position, kind, owner, number = (np.concatenate(column) for column in zip(*parts, strict=True))
        order = np.lexsort((owner, kind, position))
        self._bounds = np.searchsorted(position[order], block.frame.base).tolist()
        self._events = position[order], kind[order], owner[order], number[order]

    def _of_nodes(self, projections: Projections, last: Array) -> tuple[Array, ...]:
        """The positions at which nodes come to a state of another projection than before."""
        frame, intervals = self._block.frame, self._block.turns.intervals.upto(last)
        looked = intervals.merged(projections.of_states(intervals.state))
        node = looked.slot - frame.node_starts[frame.slot_trace[looked.slot]]
        return looked.start, np.full(len(node), STATE), node, looked.state

    def _of_messages(self, projections: Projections, last: Array) -> Iterator[tuple[Array, ...]]:
        """The positions at which messages with a projection are given, and at which they are gone."""
        messages = self._block.messages
        # What is lost in the step that sends it is never in flight.
        there = np.flatnonzero((messages.position <= last[messages.trace]) & (messages.end > messages.position))
        contents = projections.of_messages(messages.content[there])
        there, contents = there[contents != NONE], contents[contents != NONE]
        looked = (messages.target[there] << NAME_BITS) + contents
        yield messages.position[there], np.full(len(there), GIVEN), there, looked
        ended = messages.end[there] <= last[messages.trace[there]]
        yield messages.end[there][ended], np.full(int(ended.sum()), GONE), there[ended], looked[ended]

    def walk(self, trace: int) -> Iterator[tuple[int, int, Look]]:
        """Each stretch of a trace with constant projections: its first position, its last one, and the projections."""
        frame = self._block.frame
        low, high = self._bounds[trace : trace + 2]
        shape, states = int(frame.shape[trace]), [NONE] * len(frame.shapes.known[int(frame.shape[trace])].names)
        in_flight: dict[int, int] = {}
        events = zip(*(column[low:high].tolist() for column in self._events), strict=True)
        pending: tuple[int, Look] | None = None
        for position, changed in groupby(events, itemgetter(0)):
            if pending is not None:
                yield pending[0], position - 1, pending[1]
            for _, kind, owner, number in changed:
                if kind == STATE:
                    states[owner] = number
                elif kind == GIVEN:
                    in_flight[owner] = number
                else:
                    del in_flight[owner]
            pending = position, Look(shape, tuple(states), tuple(in_flight.values()))
        if pending is not None:
            yield pending[0], self._last[trace], pending[1]

    def spelled(self, look: Look) -> Snapshot:
        """A system with those projections."""
        frame, values = self._block.frame, self._block.pack.values
        names, known = frame.shapes.known[look.shape].names, frame.distinct.names.known
        apart = (divmod(number, 1 << NAME_BITS) for number in look.in_flight)
        return Snapshot(
            dict(zip(names, map(values.state, look.states), strict=True)),
            tuple((known[target], values.message(content)) for target, content in apart),
        )
