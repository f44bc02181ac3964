"""Closure and convergence from where systems are legitimate: rounds as jumps along an array, all traces at once."""

from dataclasses import dataclass

import numpy as np

from checker.replay.kernel.arrays import Array
from checker.replay.kernel.blocks.frame import Frame
from checker.replay.kernel.blocks.messages import Messages
from checker.replay.kernel.blocks.turns import Turns
from checker.replay.kernel.values.distinct import COMMAND, NONE

FEW = 16
"""Of so many traces or fewer, rounds are counted one trace at a time."""


@dataclass(frozen=True)
class Stabilised:
    """Of each trace, as positions (-1 for never): `left`, where it stops being legitimate; `began`, its start or last
    command; `converged`, where it becomes legitimate from then on; `late`, where its bound has passed before it did.

    `completed` are the rounds since `began`, `rounds` those until it was legitimate (-1 for never).
    """

    left: Array
    began: Array
    converged: Array
    late: Array
    completed: Array
    rounds: Array


def stabilised(frame: Frame, turns: Turns, messages: Messages, good: Array, last: Array, bounds: Array) -> Stabilised:
    """Judge every trace up to its position `last`; one whose `last` is before its start has no rounds at all."""
    commands = frame.position[frame.took == COMMAND]
    began = _last_command(frame, commands, last)
    converged = _first_at_least(np.flatnonzero(good), began, last)
    completed, before, late = _count_rounds(_ends_of_rounds(frame, turns, messages), began, last, converged, bounds)
    late = np.where((bounds == 0) & (began <= last), began, late)
    late[(converged != NONE) & (converged <= late)] = NONE
    rounds = np.where(converged == NONE, NONE, np.where(converged == began, 0, before + 1))
    return Stabilised(_left(frame, commands, good, last), began, converged, late, completed, rounds)


def _last_command(frame: Frame, commands: Array, last: Array) -> Array:
    began = frame.base[:-1].copy()
    if len(commands):
        trace = frame.trace_at(commands)
        counted = commands <= last[trace]
        np.maximum.at(began, trace[counted], commands[counted])
    return began


def _first_at_least(positions: Array, low: Array, high: Array) -> Array:
    """The first of some sorted positions from `low` to `high`; -1 where there is none."""
    if not len(positions):
        return np.full(len(low), NONE)
    place = np.searchsorted(positions, low)
    found = positions[np.minimum(place, len(positions) - 1)]
    return np.where((place < len(positions)) & (found <= high), found, NONE)


def _left(frame: Frame, commands: Array, good: Array, last: Array) -> Array:
    """The first position, of each trace, that is not legitimate though the one before was; a command may do that."""
    leaves = np.zeros(frame.size, bool)
    np.greater(good[:-1], good[1:], out=leaves[1:])
    leaves[frame.base[:-1]] = False
    leaves[commands] = False
    return _first_at_least(np.flatnonzero(leaves), frame.base[:-1], last)


def _ends_of_rounds(frame: Frame, turns: Turns, messages: Messages) -> Array:
    """For each position, where a round ends that begins there.

    Of a round from s on it is demanded that each node has its next timeout, and that each message in flight at s is
    taken. So at the position of every timeout stands that of the node's next one, and at the position from which on a
    message is in flight stands where it is taken. What is demanded at s is the largest number at s or before: a demand
    that was met before s stands for a position at or before s, and does not count. Those of earlier traces do not
    either, since what never comes stands for the next trace's first position.
    """
    ends = np.arange(1, frame.size + 1)
    timeouts = turns.timeouts
    np.maximum.at(ends, frame.base[frame.slot_trace], timeouts.first)
    ends[timeouts.position] = timeouts.following
    np.maximum.at(ends, messages.position, messages.next_take)
    return np.maximum.accumulate(ends)


def _count_rounds(
    ends: Array, began: Array, last: Array, converged: Array, bounds: Array
) -> tuple[Array, Array, Array]:
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
