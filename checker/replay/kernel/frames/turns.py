"""The steps of each node, one after another: whether they chain, when its state changed, and when it had a timeout."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gomboc.checker.distinct.arrays import NOTHING, Array, changes
from gomboc.checker.distinct.distinct import NONE, TIMEOUT
from gomboc.checker.replay.kernel.frames.frame import Frame
from gomboc.checker.replay.kernel.memo import Memo

FEW_SLOTS = 1 << 16
"""With fewer slots than this, their numbers have 16 bits."""


@dataclass(frozen=True)
class Intervals:
    """Stretches in which a slot has the same state: from position `start` to before `end`; by slot, then by time."""

    frame: Frame
    slot: Array
    state: Array
    start: Array
    end: Array

    @cached_property
    def times(self) -> Array:
        """Slot and start of each stretch in one number, so that one search finds the stretch at a position."""
        return self.slot * (self.frame.size + 1) + self.start

    def upto(self, last: Array) -> "Intervals":
        """Those that begin at the position `last` of their trace, or before."""
        within = self.start <= last[self.frame.slot_trace[self.slot]]
        return Intervals(self.frame, self.slot[within], self.state[within], self.start[within], self.end[within])

    def merged(self, values: Array) -> "Intervals":
        """Stretches in which a slot keeps the same value, of those that the intervals have instead of their states."""
        begins = np.flatnonzero(changes(self.slot) | changes(values))
        ends = self.end[np.append(begins[1:], len(values))[: len(begins)] - 1]
        return Intervals(self.frame, self.slot[begins], values[begins], self.start[begins], ends)


@dataclass(frozen=True)
class Timeouts:
    """The timeouts of all slots, by slot and then by time: the position of each, and that of the slot's next one.

    `first` is the position of each slot's first timeout. An event that never comes is at the first position after the
    trace.
    """

    slot: Array
    position: Array
    following: Array
    first: Array


@dataclass(frozen=True)
class Turns:
    """The steps of known nodes, by slot and then by time.

    In a `broken` step the line claims another state before than the node had; in an `unchained` step only the pack
    does, and not the line: its local step is not the one that was taken.
    """

    intervals: Intervals
    timeouts: Timeouts
    broken: Array
    unchained: Array


def turns_of(frame: Frame, same_state: Memo) -> Turns:
    """Sort the steps of a block by node, and compare each with the one before it."""
    order = _by_slot(frame)
    slot, step = frame.slot[order], frame.step[order]
    after = frame.distinct.after[step]
    previous = frame.first[slot]
    np.copyto(previous[1:], after[:-1], where=slot[1:] == slot[:-1])
    unchained = _unequal(frame.distinct.before[step], previous, same_state)
    broken = NOTHING
    if frame.batch.claimed is not None:
        claimed = frame.batch.claimed.values[order]
        broken = np.flatnonzero(_unequal(np.where(claimed == NONE, previous, claimed), previous, same_state))
    position = frame.position[order]
    changed = after != previous
    return Turns(
        _intervals(frame, slot[changed], after[changed], position[changed]),
        _timeouts(frame, slot, position, frame.took[order] == TIMEOUT),
        order[broken],
        order[unchained],
    )


def _by_slot(frame: Frame) -> Array:
    """The steps of known nodes in the order of their slots, and each slot's in the order of time."""
    slots, there = frame.slot, None
    if len(slots) and slots.min() == NONE:
        there = np.flatnonzero(slots != NONE)
        slots = slots[there]
    # A stable sort of numbers of 16 bits is a radix sort, which is linear; blocks are so large that this suffices.
    few = len(frame.first) < FEW_SLOTS
    order = np.argsort(slots.astype(np.uint16) if few else slots, kind="stable")
    return order if there is None else there[order]


def _unequal(states: Array, wanted: Array, same: Memo) -> Array:
    """A mask of the rows where two columns of states differ, in their numbers and in their values."""
    unequal: Array = states != wanted
    places = np.flatnonzero(unequal)
    comparable = places[(states[places] != NONE) & (wanted[places] != NONE)]
    if len(comparable):
        unequal[comparable] = same(states[comparable], wanted[comparable]) == 0
    return unequal


def _intervals(frame: Frame, slot: Array, state: Array, position: Array) -> Intervals:
    """The first interval of each slot, and one more for each change; changes are sorted by slot, then by time."""
    slots = len(frame.first)
    at_change = np.arange(len(slot)) + slot + 1
    counts = np.bincount(slot, minlength=slots) + 1
    at_first = np.cumsum(counts) - counts
    owner = np.repeat(np.arange(slots), counts)
    states, start = np.empty((2, len(owner)), np.int64)
    states[at_first], states[at_change] = frame.first, state
    start[at_first], start[at_change] = frame.base[frame.slot_trace], position
    end = np.empty_like(start)
    end[:-1] = start[1:]
    end[at_first + counts - 1] = frame.base[frame.slot_trace + 1]
    return Intervals(frame, owner, states, start, end)


def _timeouts(frame: Frame, slot: Array, position: Array, timeout: Array) -> Timeouts:
    slot, position = slot[timeout], position[timeout]
    never = frame.base[frame.slot_trace + 1]
    following = never[slot]
    again = slot[1:] == slot[:-1]
    following[:-1][again] = position[1:][again]
    first = never.copy()
    # Backwards, so that the first one stays.
    first[slot[::-1]] = position[::-1]
    return Timeouts(slot, position, following, first)
