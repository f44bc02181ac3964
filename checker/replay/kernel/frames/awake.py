"""Awake and asleep nodes over time: rounds and channels wait neither for a sleeping node nor for messages to it."""

from dataclasses import dataclass

import numpy as np

from gomboc.checker.distinct.arrays import Array, spread
from gomboc.checker.distinct.distinct import NONE
from gomboc.checker.distinct.spelling import PackValues
from gomboc.checker.replay.kernel.frames.frame import Frame
from gomboc.checker.replay.kernel.frames.turns import Intervals
from gomboc.spec.core.protocol import Protocol, never_asleep


@dataclass(frozen=True)
class Stays:
    """Stretches in which a slot is awake, or asleep: from position `start` to before `end`; by slot, then by time.

    `keys` has slot and end in one number, so that one search finds the stretch of a slot that contains a position.
    """

    slot: Array
    start: Array
    end: Array
    keys: Array

    def following(self, width: int, slot: Array, position: Array) -> tuple[Array, Array, Array]:
        """Start and end of the first of a slot's stretches that ends after a position, and whether there is one."""
        if not len(self.keys):
            return position, position, np.zeros(len(slot), bool)
        following = np.searchsorted(self.keys, slot * width + position, "right")
        index = np.minimum(following, len(self.keys) - 1)
        return self.start[index], self.end[index], (following < len(self.keys)) & (self.slot[index] == slot)


@dataclass(frozen=True)
class Sleep:
    """The positions at which the nodes of a block are awake, and asleep; at least one node is ever asleep."""

    frame: Frame
    awake: Stays
    asleep: Stays

    @property
    def _width(self) -> int:
        return self.frame.size + 1

    def since(self, slot: Array, position: Array) -> Array:
        """The first position from `position` on at which the slot is asleep, or the first after its trace.

        No slot (-1) is never asleep.
        """
        never = np.append(self.frame.base[1:], np.iinfo(np.int64).max)
        start, _, there = self.asleep.following(self._width, slot, position)
        until = never[np.where(slot == NONE, self.frame.traces, self.frame.slot_trace[slot])]
        return np.where(there & (slot != NONE), np.maximum(start, position), until)

    def at(self, slot: Array, position: Array) -> Array:
        """Whether the slot is asleep at that position."""
        asleep: Array = self.since(slot, position) == position
        return asleep

    def while_awake(self, slot: Array, start: Array, end: Array) -> tuple[Array, Array, Array]:
        """Spans of time, as far as the slot of each is awake: start, end, and the index of the span."""
        awake, width = self.awake, self._width
        first = np.searchsorted(awake.keys, slot * width + start, "right")
        upto = np.searchsorted(awake.slot * width + awake.start, slot * width + end)
        counts = np.maximum(upto - first, 0) * (slot != NONE)
        stretch, owner = spread(first, counts), np.repeat(np.arange(len(slot)), counts)
        return np.maximum(start[owner], awake.start[stretch]), np.minimum(end[owner], awake.end[stretch]), owner

    def falls_before(self, slot: Array, position: Array) -> Array:
        """How often the slot fell asleep before that position; being asleep at the start does not count."""
        first = self.frame.base[self.frame.slot_trace[self.asleep.slot]]
        fell = self.asleep.start > first
        keys = (self.asleep.slot * self._width + self.asleep.start)[fell]
        return np.searchsorted(keys, slot * self._width + position) - np.searchsorted(keys, slot * self._width)

    def waking(self) -> tuple[Array, Array]:
        """The positions without an awake node, and for each the position where one wakes up, or the next
        trace begins.
        """
        changes = np.zeros(self._width, np.int64)
        np.add.at(changes, self.awake.start, 1)
        np.add.at(changes, self.awake.end, -1)
        nobody = np.flatnonzero(np.cumsum(changes)[:-1] == 0)
        following = np.setdiff1d(np.arange(self._width), nobody)
        wakes = following[np.searchsorted(following, nobody)]
        return nobody, np.minimum(wakes, self.frame.base[1:][self.frame.trace_at(nobody)])

    def traces(self) -> Array:
        """The traces in which a node is ever asleep."""
        return np.unique(self.frame.slot_trace[self.asleep.slot])


def sleep_of(protocol: Protocol, intervals: Intervals, values: PackValues, unfit: Array) -> Sleep | None:
    """The positions at which nodes are asleep; None if no node ever is, as in nearly all blocks.

    `unfit` states are skipped: no judgement goes beyond them.
    """
    if protocol.environment.asleep is never_asleep:
        return None
    numbers, places = np.unique(intervals.state, return_inverse=True)
    fit = ~unfit[numbers]
    values.read_states(numbers[fit])
    known = np.zeros(len(numbers), bool)
    known[fit] = [protocol.environment.asleep(values.state(number)) for number in numbers[fit].tolist()]
    asleep = known[places]
    if not asleep.any():
        return None
    # States change more often than whether a node is awake: only where that changes does a stretch begin.
    stays = intervals.merged(asleep)
    columns = stays.slot, stays.start, stays.end, stays.slot * (intervals.frame.size + 1) + stays.end
    both = ~stays.state, stays.state
    return Sleep(intervals.frame, *(Stays(*(column[chosen] for column in columns)) for chosen in both))
