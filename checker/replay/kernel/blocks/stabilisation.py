"""Closure and convergence of all traces at once, from the positions at which systems are legitimate."""

from dataclasses import dataclass

import numpy as np

from gomboc.checker.distinct.arrays import Array
from gomboc.checker.distinct.distinct import NONE
from gomboc.checker.judge.rounds import STALLED
from gomboc.checker.replay.kernel.frames.block import Block
from gomboc.checker.replay.kernel.frames.frame import Frame
from gomboc.checker.replay.kernel.frames.rounds import count_rounds, ends_of_rounds


@dataclass(frozen=True)
class Stabilised:
    """Closure and convergence of each trace, as positions (-1 for never).

    At `left` the trace stops being legitimate; `began` is its start or last command that is not quiet; from `converged`
    on it is legitimate. `completed` are the rounds since `began`, `rounds` those until it was legitimate (-1: never).
    `stalled`: the round that runs in the end is far longer than each that was completed. `rests`: no node is awake in
    the end, after some rounds, in any stretch. `stretches`: the parts into which commands divide it.
    """

    left: Array
    began: Array
    converged: Array
    completed: Array
    rounds: Array
    stalled: Array
    rests: Array
    stretches: "Stretches"

    @property
    def waits(self) -> Array:
        """A mask of the traces that stayed legitimate for some rounds, and then wait for an event that
        does not come.
        """
        closed = (self.left == NONE) & (self.converged != NONE) & (self.completed > self.rounds)
        waits: Array = closed & self.stalled
        return waits


@dataclass(frozen=True)
class Stretches:
    """The stretches of all traces: the trace of each, its beginning, and the position `late`.

    At `late` its bound had passed before it was legitimate (-1 for never). `undecided` is the last position at which it
    was neither legitimate nor late, except for the step that made it late.
    """

    trace: Array
    began: Array
    late: Array
    undecided: Array


def stabilised(block: Block, anew: Array, good: Array, last: Array) -> Stabilised:
    """Judge every trace up to its position `last`; one with `last` before its start has no rounds at all.

    `anew` are the positions of steps that restart the count, `good` those at which systems are legitimate.
    """
    frame = block.frame
    began = np.union1d(frame.base[:-1], anew[anew <= last[frame.trace_at(anew)]])
    trace = frame.trace_at(began)
    # Each stretch ends before the next one of its trace begins, the last one where its trace does.
    upto, final = last[trace], np.searchsorted(trace, np.arange(frame.traces), "right") - 1
    upto[:-1] = np.where(trace[:-1] == trace[1:], began[1:] - 1, upto[:-1])
    converged = _first_at_least(np.flatnonzero(good), began, upto)
    bounds = frame.bounds[trace]
    counted = count_rounds(ends_of_rounds(block), began, upto, converged, bounds)
    late = np.where((bounds == 0) & (began <= upto), began, counted.late)
    late[(converged != NONE) & (converged <= late)] = NONE
    undecided = np.where(late == NONE, upto, late)
    undecided = np.where(converged == NONE, undecided, np.minimum(undecided, converged - 1))
    rounds = np.where(converged == NONE, NONE, np.where(converged == began, 0, counted.before + 1))
    running = upto - counted.running
    stalled = (counted.completed > 0) & (running >= STALLED * counted.longest)
    return Stabilised(
        _left(frame, anew, good, last),
        began[final],
        converged[final],
        counted.completed[final],
        rounds[final],
        stalled[final],
        np.isin(np.arange(frame.traces), trace[counted.completed > 0]) & ~block.awake_at(last),
        Stretches(trace, began, late, undecided),
    )


def _first_at_least(positions: Array, low: Array, high: Array) -> Array:
    """The first of some sorted positions from `low` to `high`; -1 where there is none."""
    if not len(positions):
        return np.full(len(low), NONE)
    index = np.searchsorted(positions, low)
    first = positions[np.minimum(index, len(positions) - 1)]
    return np.where((index < len(positions)) & (first <= high), first, NONE)


def _left(frame: Frame, commands: Array, good: Array, last: Array) -> Array:
    """The first position of each trace that is not legitimate though the one before was; a command may do that."""
    leaves = np.zeros(frame.size, bool)
    np.greater(good[:-1], good[1:], out=leaves[1:])
    leaves[frame.base[:-1]] = False
    leaves[commands] = False
    return _first_at_least(np.flatnonzero(leaves), frame.base[:-1], last)
