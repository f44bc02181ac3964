"""Awake and asleep nodes over time: rounds and channels wait neither for a sleeping node nor for messages to it."""

from dataclasses import dataclass

import numpy as np

from gomboc.checker.distinct.arrays import Array, changes, last_of_runs
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


def awake_traces(frame: Frame, sleep: Sleep | None) -> Array:
    """Whether some node is ever awake, for each trace."""
    if sleep is None:
        return np.ones(frame.traces, bool)
    awake = np.zeros(frame.traces, bool)
    awake[frame.slot_trace[sleep.awake.slot]] = True
    return awake


def awake_in_the_end(frame: Frame, sleep: Sleep | None, last: Array) -> Array:
    """Whether some node is awake after the last step that is judged, for each trace."""
    if sleep is None:
        return np.ones(frame.traces, bool)
    awake, trace = np.zeros(frame.traces, bool), frame.slot_trace[sleep.awake.slot]
    awake[trace[(sleep.awake.start <= last[trace]) & (last[trace] < sleep.awake.end)]] = True
    return awake


def sleep_of(protocol: Protocol, frame: Frame, intervals: Intervals, values: PackValues, unfit: Array) -> Sleep | None:
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
    begins = np.flatnonzero(changes(intervals.slot) | changes(asleep))
    slot, start, sleeps = intervals.slot[begins], intervals.start[begins], asleep[begins]
    end = intervals.end[last_of_runs(begins, len(asleep))]
    width = frame.size + 1
    return Sleep(frame, *(Stays(slot[of], start[of], end[of], slot[of] * width + end[of]) for of in (~sleeps, sleeps)))
