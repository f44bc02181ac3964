"""Rounds as jumps along an array, all traces at once."""

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


def count_rounds(ends: Array, began: Array, last: Array, converged: Array, bounds: Array) -> tuple[Array, Array, Array]:
    """Rounds completed from `began` to `last`; of those, the ones that were over before it converged; and where as
    many as the bound are over, -1 for never.
    """
    completed, before = np.zeros((2, len(began)), np.int64)
    late = np.full(len(began), NONE)
    active, at = np.arange(len(began)), began
    while len(active) > FEW:
        at = ends[at]
        going = at <= last[active]
        active, at = active[going], at[going]
        completed[active] += 1
        before[active] += at < converged[active]
        due = completed[active] == bounds[active]
        late[active[due]] = at[due]
    for trace, position in zip(active.tolist(), at.tolist(), strict=True):
        _follow(ends, trace, position, last, converged, bounds, (completed, before, late))
    return completed, before, late


def _follow(
    ends: Array, trace: int, position: int, last: Array, converged: Array, bounds: Array, counted: tuple[Array, ...]
) -> None:
    """The same for the rest of one trace, without arrays."""
    completed, before, late = counted
    rounds, upto, bound, limit = int(completed[trace]), int(converged[trace]), int(bounds[trace]), int(last[trace])
    follow = memoryview(ends)  # type: ignore[arg-type]
    position = follow[position]
    while position <= limit:
        rounds += 1
        before[trace] += position < upto
        if rounds == bound:
            late[trace] = position
        position = follow[position]
    completed[trace] = rounds
