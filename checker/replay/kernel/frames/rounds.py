"""Rounds as jumps along an array, all traces at once."""

from typing import NamedTuple

import numpy as np

from gomboc.checker.distinct.arrays import Array
from gomboc.checker.distinct.distinct import NONE
from gomboc.checker.replay.kernel.frames.awake import Sleep
from gomboc.checker.replay.kernel.frames.block import Block
from gomboc.checker.replay.kernel.frames.messages import FAR, Messages
from gomboc.checker.replay.kernel.frames.turns import Timeouts

FEW = 16
"""Number of traces up to which rounds are counted one trace at a time."""


def ends_of_rounds(block: Block) -> Array:
    """For each position, the end of a round that begins there.

    A round that begins at s demands the next timeout of each node, and the delivery of each message in flight at s. So
    the array has, at the position of every timeout, the position of the node's next one, and at the position from which
    on a message is in flight, the position of its delivery. The demand at s is the largest number at s or before: a
    demand that was met before s stands for a position at or before s, and does not count. Demands of earlier traces do
    not either, because an event that never comes stands for the next trace's first position.
    """
    frame, messages, timeouts = block.frame, block.messages, block.turns.timeouts
    ends = np.arange(1, frame.size + 1)
    if block.sleep is None:
        np.maximum.at(ends, frame.base[frame.slot_trace], timeouts.first)
        ends[timeouts.position] = timeouts.following
        np.maximum.at(ends, messages.position, messages.matched.next_take)
    else:
        _demand_of_nodes(ends, block.sleep, timeouts)
        _demand_of_messages(ends, messages, block.sleep)
        asleep, wakes = block.sleep.waking()
        ends[asleep] = np.maximum(ends[asleep], wakes)
    return np.maximum.accumulate(ends)


def _demand_of_nodes(ends: Array, sleep: Sleep, timeouts: Timeouts) -> None:
    """The demands of nodes where nodes sleep.

    A node that falls asleep is not waited for any more; a node that is awake from w on is waited for from w on.
    """
    awake, width = sleep.awake, sleep.frame.size + 1
    keys = np.append(timeouts.slot * width + timeouts.position, FAR)
    position = np.append(timeouts.position, FAR)
    following = np.searchsorted(keys, awake.slot * width + awake.start, "right")
    # The next timeout after waking up may be another slot's; then this one has none, and its stretch ends earlier.
    within = keys[following] < awake.slot * width + awake.end
    np.maximum.at(ends, awake.start, np.where(within, position[following], awake.end))
    start, end, there = awake.following(width, timeouts.slot, timeouts.position)
    there &= start <= timeouts.position
    until = np.minimum(timeouts.following, end)[there]
    np.maximum.at(ends, timeouts.position[there], until)


def _demand_of_messages(ends: Array, messages: Messages, sleep: Sleep) -> None:
    """A message is waited for while its target is awake, until it is taken or lost."""
    until = np.minimum(messages.matched.next_take, messages.lost)
    strange = messages.slot == NONE
    np.maximum.at(ends, messages.position[strange], until[strange])
    start, end, _ = sleep.while_awake(messages.slot, messages.position, until)
    np.maximum.at(ends, start, end)


class CountedRounds(NamedTuple):
    """Rounds of each stretch of a trace: `completed`, those of them over `before` it converged, and `late`.

    `late` is the position at which as many rounds as the bound were over (-1 for never). `longest` has the positions of
    the longest round, and `running` is the beginning of the round that did not end.
    """

    completed: Array
    before: Array
    late: Array
    longest: Array
    running: Array


def count_rounds(ends: Array, began: Array, last: Array, converged: Array, bounds: Array) -> CountedRounds:
    """Rounds from `began` to `last`, of so many stretches."""
    completed, before, longest = np.zeros((3, len(began)), np.int64)
    counts = CountedRounds(completed, before, np.full(len(began), NONE), longest, began.copy())
    active, at = np.arange(len(began)), began
    while len(active) > FEW:
        following = ends[at]
        going = following <= last[active]
        active, at, length = active[going], following[going], (following - at)[going]
        completed[active] += 1
        before[active] += at < converged[active]
        longest[active] = np.maximum(longest[active], length)
        counts.running[active] = at
        due = completed[active] == bounds[active]
        counts.late[active[due]] = at[due]
    for stretch in active.tolist():
        _follow(ends, stretch, last, converged, bounds, counts)
    return counts


def _follow(ends: Array, stretch: int, last: Array, converged: Array, bounds: Array, counts: CountedRounds) -> None:
    """The same for the rest of one stretch, without arrays."""
    rounds, upto = int(counts.completed[stretch]), int(converged[stretch])
    bound, limit = int(bounds[stretch]), int(last[stretch])
    before, longest, running = int(counts.before[stretch]), int(counts.longest[stretch]), int(counts.running[stretch])
    follow = memoryview(ends)  # type: ignore[arg-type]
    position = follow[running]
    while position <= limit:
        rounds += 1
        before += position < upto
        if rounds == bound:
            counts.late[stretch] = position
        if position - running > longest:
            longest = position - running
        running, position = position, follow[position]
    counts.completed[stretch], counts.before[stretch] = rounds, before
    counts.longest[stretch], counts.running[stretch] = longest, running
