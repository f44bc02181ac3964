"""Whole systems at single positions: for the few questions that are about everything at once."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from checker.replay.kernel.arrays import Array
from checker.replay.kernel.blocks.frame import Frame
from checker.replay.kernel.blocks.messages import Messages
from checker.replay.kernel.blocks.turns import Intervals
from checker.replay.kernel.values.spelling import PackValues
from spec.model import InFlight


class Snapshot(NamedTuple):
    """All local states by name, and everything in flight, in the order in which it was given."""

    states: dict[str, Any]
    in_flight: InFlight


Numbered = tuple[tuple[int, ...], tuple[int, ...]]
"""The same in numbers: of states in the order of nodes, and of messages of the block."""


@dataclass(frozen=True)
class Snapshots:
    """The systems of one block, at any position."""

    frame: Frame
    intervals: Intervals
    messages: Messages
    values: PackValues

    def at(self, position: int) -> Snapshot:
        """The system at one position; what it costs goes by the messages of its trace."""
        trace = int(self.frame.trace_at(np.array([position]))[0])
        return self.spelled(trace, self._numbers(trace, position))

    def _numbers(self, trace: int, position: int) -> Numbered:
        low, high = np.searchsorted(self.intervals.slot, self.frame.node_starts[trace : trace + 2])
        there = (self.intervals.start[low:high] <= position) & (self.intervals.end[low:high] > position)
        ours = self._messages_of(trace)
        given, gone = self.messages.position[ours], self.messages.end[ours]
        in_flight = ours[(given <= position) & (gone > position)]
        return tuple(self.intervals.state[low:high][there].tolist()), tuple(in_flight.tolist())

    def _messages_of(self, trace: int) -> Array:
        """The messages of a trace: those of the start stand before those of all steps, each sorted by trace."""
        begun = len(self.frame.initial.values)
        owners = self.messages.trace
        parts = [
            np.arange(*(low + np.searchsorted(part, [trace, trace + 1])))
            for low, part in ((0, owners[:begun]), (begun, owners[begun:]))
        ]
        return np.concatenate(parts)

    def spelled(self, trace: int, numbers: Numbered) -> Snapshot:
        """The values for which the numbers stand."""
        states, in_flight = numbers
        names = self.frame.shapes.known[int(self.frame.shape[trace])].names
        known, messages, value = self.frame.distinct.names.known, self.messages, self.values
        return Snapshot(
            {name: value.state(state) for name, state in zip(names, states, strict=True)},
            tuple(
                (known[int(messages.target[number])], value.message(int(messages.content[number])))
                for number in in_flight
            ),
        )

    def walk(self, trace: int, last: int) -> Iterator[tuple[int, Numbered]]:
        """Every position of a trace up to `last` at which something is other than before, with the system there."""
        base = int(self.frame.base[trace])
        if last < base:
            return
        numbers = self._numbers(trace, base)
        states, in_flight = list(numbers[0]), dict.fromkeys(numbers[1])
        changes = self._changes(trace)
        yield base, numbers
        for position in sorted(place for place in changes if base < place <= last):
            for kind, place, number in changes[position]:
                match kind:
                    case "gone":
                        in_flight.pop(number, None)
                    case "given":
                        in_flight[number] = None
                    case _:
                        states[place] = number
            yield position, (tuple(states), tuple(in_flight))

    def _changes(self, trace: int) -> dict[int, list[tuple[str, int, int]]]:
        """What changes at which position: what goes, then what is given, then states."""
        found: dict[int, list[tuple[str, int, int]]] = {}
        ours = self._messages_of(trace)
        # What is lost in the step that sends it is never in flight.
        ours = ours[self.messages.end[ours] > self.messages.position[ours]]
        for kind, column in (("gone", self.messages.end), ("given", self.messages.position)):
            for position, number in zip(column[ours].tolist(), ours.tolist(), strict=True):
                found.setdefault(position, []).append((kind, 0, number))
        low, high = np.searchsorted(self.intervals.slot, self.frame.node_starts[trace : trace + 2])
        first = int(self.frame.node_starts[trace])
        columns = (
            column[low:high].tolist() for column in (self.intervals.start, self.intervals.slot, self.intervals.state)
        )
        for position, slot, state in zip(*columns, strict=True):
            found.setdefault(position, []).append(("state", slot - first, state))
        return found
