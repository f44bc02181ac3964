"""Where a trace names a node that it does not have."""

import numpy as np

from checker.replay.kernel.arrays import Array
from checker.replay.kernel.blocks.frame import Frame
from checker.replay.kernel.values.naming import Naming


def positions_of_strangers(frame: Frame, naming: Naming) -> Array:
    """Where a state or a sent message names a node that is not in its trace: the start, or after a step.

    The names of a step are compared with those of its trace's shape, all of one word of bits at once.
    """
    naming.learn(frame.first, frame.initial_content, frame.step)
    absent = np.array([naming.others(shape.numbers) for shape in frame.shapes.known])
    owner = np.repeat(np.arange(frame.traces), frame.initial.lengths)
    lengths = np.diff(frame.starts)
    found = []
    for word, others in enumerate(absent.T):
        lacking = others[frame.shape]
        states, contents = naming.states.bits[word][frame.first], naming.contents.bits[word][frame.initial_content]
        found.append(frame.base[frame.slot_trace[states & lacking[frame.slot_trace] != 0]])
        found.append(frame.base[owner[contents & lacking[owner] != 0]])
        found.append(frame.position[naming.steps.bits[word][frame.step] & np.repeat(lacking, lengths) != 0])
    return np.unique(np.concatenate(found))
