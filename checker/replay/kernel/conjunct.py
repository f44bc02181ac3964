"""The first conjunct of legitimacy that is false at one position: what failures are sorted by."""

import numpy as np

from checker.replay.kernel.frame import Frame
from checker.replay.kernel.legitimacy import Faults
from checker.replay.kernel.messages import Messages
from checker.replay.kernel.turns import Intervals
from spec.protocol import anchor_of


def false_conjunct(frame: Frame, intervals: Intervals, messages: Messages, position: int, faults: Faults) -> str:
    """Its name, in the order in which `legitimacy_faults` asks; the position must not be legitimate."""
    protocol, values = faults.protocol, faults.values
    trace = int(frame.trace_at(np.array([position]))[0])
    states = _states(frame, intervals, trace, position)
    names = frame.shapes.known[int(frame.shape[trace])].names
    local = {names[place]: values.state(state) for place, state in enumerate(states)}
    anchor = anchor_of(protocol, local)
    found = list(protocol.anchor_faults(anchor))
    for name in sorted(local):
        found = found or list(protocol.node_faults(anchor, name, local[name]))
    for number in _in_flight(messages, trace, position):
        target, message = faults.names.known[int(messages.target[number])], int(messages.content[number])
        found = found or list(protocol.message_faults(anchor, target, values.message(message)))
    return str(found[0].rule) if found else ""


def _states(frame: Frame, intervals: Intervals, trace: int, position: int) -> list[int]:
    """The number of each node's state there."""
    low, high = np.searchsorted(intervals.slot, frame.node_starts[trace : trace + 2])
    there = (intervals.start[low:high] <= position) & (intervals.end[low:high] > position)
    states: list[int] = intervals.state[low:high][there].tolist()
    return states


def _in_flight(messages: Messages, trace: int, position: int) -> list[int]:
    """The messages that are in flight there."""
    there = (messages.trace == trace) & (messages.position <= position) & (messages.end > position)
    numbers: list[int] = np.flatnonzero(there).tolist()
    return numbers
