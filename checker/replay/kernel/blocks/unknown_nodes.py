"""Positions at which a trace names a node that it does not have."""

import numpy as np

from gomboc.checker.distinct.arrays import Array
from gomboc.checker.distinct.marks import Marks
from gomboc.checker.distinct.naming import Naming
from gomboc.checker.replay.kernel.blocks.conformance import NOTHING_FOUND
from gomboc.checker.replay.kernel.frames.frame import Frame


def positions_of_strangers(frame: Frame, naming: Naming, marks: Marks, first: Array) -> Array:
    """Positions at which a state or a sent message names a node that is not in its trace: the start, or after a step.

    The names in a step occur in the start, or in an earlier or this step as a new name, so only the start and steps
    with new names are compared. That holds as long as there is no other fault; in a trace with one (`first` has its
    first finding), each step is compared. The names of a step are compared with those of its trace's shape, all of one
    word of bits at once.
    """
    asked = np.flatnonzero(marks.naming_steps[frame.step] | np.repeat(first != NOTHING_FOUND, np.diff(frame.starts)))
    step, trace = frame.step[asked], frame.trace_at(frame.position[asked])
    naming.learn(frame.first, frame.initial_content, step)
    absent = np.array([naming.others(shape.numbers) for shape in frame.shapes.known])
    owner = np.repeat(np.arange(frame.traces), frame.initial.lengths)
    positions = []
    for word, others in enumerate(absent.T):
        lacking = others[frame.shape]
        states, contents = naming.states.bits[word][frame.first], naming.contents.bits[word][frame.initial_content]
        positions.append(frame.base[frame.slot_trace[states & lacking[frame.slot_trace] != 0]])
        positions.append(frame.base[owner[contents & lacking[owner] != 0]])
        positions.append(frame.position[asked[naming.steps.bits[word][step] & lacking[trace] != 0]])
    return np.unique(np.concatenate(positions))
