"""Whole systems at single positions, for the few predicates over all nodes and messages at once."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gomboc.checker.distinct.arrays import Array
from gomboc.checker.distinct.spelling import PackValues
from gomboc.checker.replay.kernel.frames.frame import Frame
from gomboc.checker.replay.kernel.frames.messages import Messages
from gomboc.checker.replay.kernel.frames.turns import Intervals
from gomboc.spec.core.model import InFlight


class Snapshot(NamedTuple):
    """All local states by name, and all messages in flight, in the order in which they were given."""

    states: dict[str, Any]
    in_flight: InFlight


@dataclass(frozen=True)
class Snapshots:
    """The systems of one block, at any position."""

    frame: Frame
    intervals: Intervals
    messages: Messages
    values: PackValues

    def at(self, position: int) -> Snapshot:
        """The system at one position; the cost grows with the messages of its trace."""
        trace = int(self.frame.trace_at(np.array([position]))[0])
        states, in_flight = self._numbers(trace, position)
        names = self.frame.shapes.known[int(self.frame.shape[trace])].names
        known, messages, value = self.frame.distinct.names.known, self.messages, self.values
        return Snapshot(
            {name: value.state(state) for name, state in zip(names, states, strict=True)},
            tuple(
                (known[int(messages.target[number])], value.message(int(messages.content[number])))
                for number in in_flight
            ),
        )

    def _numbers(self, trace: int, position: int) -> tuple[list[int], list[int]]:
        """The numbers of states in the order of nodes, and of messages of the block."""
        low, high = np.searchsorted(self.intervals.slot, self.frame.node_starts[trace : trace + 2])
        there = (self.intervals.start[low:high] <= position) & (self.intervals.end[low:high] > position)
        ours = self._messages_of(trace)
        begun, gone = self.messages.position[ours], self.messages.end[ours]
        in_flight = ours[(begun <= position) & (gone > position)]
        return self.intervals.state[low:high][there].tolist(), in_flight.tolist()

    def _messages_of(self, trace: int) -> Array:
        """The messages of a trace: those of the start stand before those of all steps, each sorted by trace."""
        begun = len(self.frame.initial.values)
        owners = self.messages.trace
        parts = [
            np.arange(*(low + np.searchsorted(part, [trace, trace + 1])))
            for low, part in ((0, owners[:begun]), (begun, owners[begun:]))
        ]
        return np.concatenate(parts)
