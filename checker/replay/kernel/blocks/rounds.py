"""Rounds as jumps along an array, all traces at once."""

from typing import NamedTuple

import numpy as np

from gomboc.checker.replay.kernel.arrays import Array, spread
from gomboc.checker.replay.kernel.blocks.awake import Sleep
from gomboc.checker.replay.kernel.blocks.frame import Frame
from gomboc.checker.replay.kernel.blocks.messages import Messages
from gomboc.checker.replay.kernel.blocks.turns import Timeouts, Turns
from gomboc.checker.replay.kernel.values.distinct import NONE

FEW = 16
"""Of so many traces or fewer, rounds are counted one trace at a time."""


def ends_of_rounds(frame: Frame, turns: Turns, messages: Messages, sleep: Sleep | None) -> Array:
    """For each position, where a round ends that begins there.

    Of a round from s on it is demanded that each node has its next timeout, and that each message in flight at s is
    taken. So at the position of every timeout stands that of the node's next one, and at the position from which on a
    message is in flight stands where it is taken. What is demanded at s is the largest number at s or before: a demand
    that was met before s stands for a position at or before s, and does not count. Those of earlier traces do not
    either, since what never comes stands for the next trace's first position.
    """
    ends = np.arange(1, frame.size + 1)
    if sleep is None:
        timeouts = turns.timeouts
        np.maximum.at(ends, frame.base[frame.slot_trace], timeouts.first)
        ends[timeouts.position] = timeouts.following
        np.maximum.at(ends, messages.position, messages.next_take)
    else:
        _demand_of_nodes(ends, sleep, turns.timeouts)
        _demand_of_messages(ends, frame, messages, sleep)
        asleep, wakes = sleep.waking()
        ends[asleep] = np.maximum(ends[asleep], wakes)
    return np.maximum.accumulate(ends)


def _demand_of_nodes(ends: Array, sleep: Sleep, timeouts: Timeouts) -> None:
    """The same where nodes sleep: who falls asleep is waited for no more, and who is awake from w on, from w on."""
    awake, width = sleep.awake, sleep.frame.size + 1
    keys = np.append(timeouts.slot * width + timeouts.position, np.iinfo(np.int64).max)
    position = np.append(timeouts.position, np.iinfo(np.int64).max)
    following = np.searchsorted(keys, awake.slot * width + awake.start, "right")
    # The next timeout after waking up may be another slot's; then this one has none, and its stretch ends earlier.
    within = keys[following] < awake.slot * width + awake.end
    np.maximum.at(ends, awake.start, np.where(within, position[following], awake.end))
    start, end, there = awake.following(width, timeouts.slot, timeouts.position)
    there &= start <= timeouts.position
    until = np.minimum(timeouts.following, end)[there]
    np.maximum.at(ends, timeouts.position[there], until)


def _demand_of_messages(ends: Array, frame: Frame, messages: Messages, sleep: Sleep) -> None:
    """A message is waited for while its target is awake, until it is taken or lost."""
    until = np.minimum(messages.next_take, messages.lost)
    slot = slots_of_targets(frame, messages)
    strange = slot == NONE
    np.maximum.at(ends, messages.position[strange], until[strange])
    known = np.flatnonzero(~strange)
    awake, width = sleep.awake, frame.size + 1
    slot, since, until = slot[known], messages.position[known], until[known]
    first = np.searchsorted(awake.keys, slot * width + since, "right")
    starts = awake.slot * width + awake.start
    counts = np.maximum(np.searchsorted(starts, slot * width + until) - first, 0)
    place, owner = spread(first, counts), np.repeat(np.arange(len(known)), counts)
    np.maximum.at(ends, np.maximum(since[owner], awake.start[place]), np.minimum(until[owner], awake.end[place]))


def slots_of_targets(frame: Frame, messages: Messages) -> Array:
    """The slot to which each message goes; -1 for one that its trace lacks."""
    node = frame.shapes.places()[frame.shape[messages.trace], messages.target]
    return np.where(node == NONE, NONE, node + frame.node_starts[messages.trace])


class Counted(NamedTuple):
    """Of each stretch of a trace: rounds `completed`, those of them that were over `before` it converged, and where as
    many as the bound were over (-1 for never). `longest` has the positions of the longest round, and `running` is where
    the round began that did not end.
    """

    completed: Array
    before: Array
    late: Array
    longest: Array
    running: Array


def count_rounds(ends: Array, began: Array, last: Array, converged: Array, bounds: Array) -> Counted:
    """Rounds from `began` to `last`, of so many stretches."""
    completed, before, longest = np.zeros((3, len(began)), np.int64)
    found = Counted(completed, before, np.full(len(began), NONE), longest, began.copy())
    active, at = np.arange(len(began)), began
    while len(active) > FEW:
        following = ends[at]
        going = following <= last[active]
        active, at, length = active[going], following[going], (following - at)[going]
        completed[active] += 1
        before[active] += at < converged[active]
        longest[active] = np.maximum(longest[active], length)
        found.running[active] = at
        due = completed[active] == bounds[active]
        found.late[active[due]] = at[due]
    for stretch in active.tolist():
        _follow(ends, stretch, last, converged, bounds, found)
    return found


def _follow(ends: Array, stretch: int, last: Array, converged: Array, bounds: Array, found: Counted) -> None:
    """The same for the rest of one stretch, without arrays."""
    rounds, upto = int(found.completed[stretch]), int(converged[stretch])
    bound, limit = int(bounds[stretch]), int(last[stretch])
    before, longest, running = int(found.before[stretch]), int(found.longest[stretch]), int(found.running[stretch])
    follow = memoryview(ends)  # type: ignore[arg-type]
    position = follow[running]
    while position <= limit:
        rounds += 1
        before += position < upto
        if rounds == bound:
            found.late[stretch] = position
        if position - running > longest:
            longest = position - running
        running, position = position, follow[position]
    found.completed[stretch], found.before[stretch] = rounds, before
    found.longest[stretch], found.running[stretch] = longest, running
