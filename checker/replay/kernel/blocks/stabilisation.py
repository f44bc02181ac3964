"""Closure and convergence from where systems are legitimate, of all traces at once."""

from dataclasses import dataclass

import numpy as np

from gomboc.checker.replay.kernel.arrays import Array
from gomboc.checker.replay.kernel.blocks.frame import Frame
from gomboc.checker.replay.kernel.blocks.rounds import count_rounds
from gomboc.checker.replay.kernel.values.distinct import NONE


@dataclass(frozen=True)
class Stabilised:
    """Of each trace, as positions (-1 for never): `left`, where it stops being legitimate; `began`, its start or last
    command that is not quiet; `converged`, where it becomes legitimate from then on; `late`, where its bound has passed
    before it did.

    `completed` are the rounds since `began`, `rounds` those until it was legitimate (-1 for never).
    """

    left: Array
    began: Array
    converged: Array
    late: Array
    completed: Array
    rounds: Array


def stabilised(frame: Frame, anew: Array, ends: Array, good: Array, last: Array, bounds: Array) -> Stabilised:
    """Judge every trace up to its position `last`; one whose `last` is before its start has no rounds at all.

    `anew` are the positions of steps that begin the count anew, `ends` where a round ends that begins at each
    position, `good` where systems are legitimate.
    """
    began = _last_command(frame, anew, last)
    converged = _first_at_least(np.flatnonzero(good), began, last)
    completed, before, late = count_rounds(ends, began, last, converged, bounds)
    late = np.where((bounds == 0) & (began <= last), began, late)
    late[(converged != NONE) & (converged <= late)] = NONE
    rounds = np.where(converged == NONE, NONE, np.where(converged == began, 0, before + 1))
    return Stabilised(_left(frame, anew, good, last), began, converged, late, completed, rounds)


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
