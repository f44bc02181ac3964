"""One block of traces, composed: the states of each node, the way of each message, and whole systems at a position."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from gomboc.checker.distinct.arrays import NOTHING, Array
from gomboc.checker.distinct.distinct import NONE
from gomboc.checker.distinct.marks import Marks
from gomboc.checker.distinct.spelling import PackValues
from gomboc.checker.replay.kernel.frames.awake import Sleep, sleep_of
from gomboc.checker.replay.kernel.frames.frame import Frame
from gomboc.checker.replay.kernel.frames.messages import Messages, messages_of
from gomboc.checker.replay.kernel.frames.turns import Turns, turns_of
from gomboc.checker.replay.kernel.memo import Memo
from gomboc.spec.core.model import InFlight
from gomboc.spec.core.protocol import Discipline, Protocol


@dataclass(frozen=True)
class KnownPack:
    """A pack with judged values and steps: its protocol, its values and the marks of the wrong ones."""

    protocol: Protocol
    values: PackValues
    marks: Marks

    @cached_property
    def same_state(self) -> Memo:
        """Whether two states are equal, though their numbers are not."""
        return Memo(self.values.same_state)

    @cached_property
    def same_message(self) -> Memo:
        """The same for contents of messages."""
        return Memo(self.values.same_message)


class Snapshot(NamedTuple):
    """All local states by name, and all messages in flight, in the order in which they were given."""

    states: dict[str, Any]
    in_flight: InFlight


@dataclass(frozen=True)
class Block:
    """The traces of one block. `sleep` is None if no node is ever asleep."""

    pack: KnownPack
    frame: Frame
    turns: Turns
    messages: Messages
    sleep: Sleep | None

    def returns(self) -> Array:
        """The positions at which a lost message arrives at a node that is awake."""
        if self.sleep is None:
            return NOTHING
        frame, taken = self.frame, self.messages.matched.taken
        takes = frame.takes[taken != NONE]
        position, slot = frame.position[takes], frame.slot[takes]
        late = self.messages.lost[taken[taken != NONE]] < position
        returning: Array = position[late & ~self.sleep.at(slot, position)]
        return returning

    @cached_property
    def was_awake(self) -> Array:
        """Whether some node of each trace is ever awake."""
        awake = np.full(self.frame.traces, self.sleep is None)
        if self.sleep is not None:
            awake[self.frame.slot_trace[self.sleep.awake.slot]] = True
        return awake

    def awake_at(self, last: Array) -> Array:
        """Whether some node of each trace is awake at its position `last`."""
        awake = np.full(self.frame.traces, self.sleep is None)
        if self.sleep is not None:
            stays, trace = self.sleep.awake, self.frame.slot_trace[self.sleep.awake.slot]
            awake[trace[(stays.start <= last[trace]) & (last[trace] < stays.end)]] = True
        return awake

    def at(self, position: int) -> Snapshot:
        """The system at one position; the cost grows with the messages of its trace."""
        frame, messages, value = self.frame, self.messages, self.pack.values
        trace = int(frame.trace_at(np.array([position]))[0])
        known, shape = frame.distinct.names.known, frame.shapes.known[int(frame.shape[trace])]
        in_flight = self._in_flight(trace, position)
        sent = zip(messages.target[in_flight].tolist(), messages.content[in_flight].tolist(), strict=True)
        return Snapshot(
            dict(zip(shape.names, map(value.state, self._states(trace, position)), strict=True)),
            tuple((known[target], value.message(content)) for target, content in sent),
        )

    def _states(self, trace: int, position: int) -> list[int]:
        """The number of each node's state."""
        intervals = self.turns.intervals
        low, high = np.searchsorted(intervals.slot, self.frame.node_starts[trace : trace + 2])
        there = (intervals.start[low:high] <= position) & (intervals.end[low:high] > position)
        states: list[int] = intervals.state[low:high][there].tolist()
        return states

    def _in_flight(self, trace: int, position: int) -> Array:
        """The messages of a trace in flight: those of the start stand before those of steps, each sorted by trace."""
        messages, initial = self.messages, self.messages.initial
        parts = [
            np.arange(*(low + np.searchsorted(owners, [trace, trace + 1])))
            for low, owners in ((0, messages.trace[:initial]), (initial, messages.trace[initial:]))
        ]
        ours = np.concatenate(parts)
        return ours[(messages.position[ours] <= position) & (messages.end[ours] > position)]


def block_of(pack: KnownPack, frame: Frame) -> Block:
    """Follow each node and each message of the block."""
    turns = turns_of(frame, pack.same_state)
    sleep = sleep_of(pack.protocol, turns.intervals, pack.values, pack.marks.unfit_states)
    messages = messages_of(frame, sleep, pack.protocol.discipline is Discipline.FIFO)
    return Block(pack, frame, turns, messages, sleep)
