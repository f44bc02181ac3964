"""One block of traces on a common axis: every state of every system has a position.

A trace with k steps takes k + 1 positions: the first is that of the state before the first step, and the others are
those of the states after each step. The traces of a block stand one after another. A *slot* is one node of one trace.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gomboc.checker.core.errors import UsageError
from gomboc.checker.distinct.arrays import Array, spread
from gomboc.checker.distinct.distinct import DELIVERY, NONE, Distinct
from gomboc.checker.replay.kernel.frames.batch import Batch
from gomboc.checker.replay.kernel.frames.headers import Shapes, targets


@dataclass(frozen=True)
class Frame:
    """The traces of a block, the shape and the bound of each, and whether it was shortened.

    Raises UsageError if a node begins with a state of another role than its header says.
    """

    distinct: Distinct
    shapes: Shapes
    batch: Batch
    shape: Array
    bounds: Array
    was_cut: Array

    @property
    def traces(self) -> int:
        """The number of traces of the block."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of positions of the block."""
        return int(self.base[-1])

    @property
    def step(self) -> Array:
        """The number of the local step of each step."""
        return self.batch.events.values

    @property
    def first(self) -> Array:
        """The state of each slot at the start."""
        return self.batch.starts.first.values

    @property
    def node_starts(self) -> Array:
        """The first slot of each trace, and the end of the last."""
        return self.batch.starts.first.starts

    @cached_property
    def base(self) -> Array:
        """The first position of each trace, and the end of the last."""
        return self.batch.events.starts + np.arange(self.traces + 1)

    @cached_property
    def position(self) -> Array:
        """The position of each step."""
        return np.arange(len(self.step)) + np.repeat(np.arange(1, self.traces + 1), self.batch.events.lengths)

    @cached_property
    def slot(self) -> Array:
        """The slot of the node that takes each step; -1 for a node that its trace lacks."""
        lengths, places = self.batch.events.lengths, self.shapes.places()
        node = places.ravel()[np.repeat(self.shape * places.shape[1], lengths) + self.distinct.node[self.step]]
        slots: Array = node + np.repeat(self.node_starts[:-1], lengths)
        slots[node == NONE] = NONE
        return slots

    @cached_property
    def took(self) -> Array:
        """The kind of input of each step."""
        return self.distinct.took[self.step]

    @cached_property
    def takes(self) -> Array:
        """The deliveries: the steps that take a message."""
        return np.flatnonzero(self.took == DELIVERY)

    @cached_property
    def slot_trace(self) -> Array:
        """The trace of each slot."""
        return self.batch.starts.first.owner

    @cached_property
    def slot_name(self) -> Array:
        """The number of the name of each slot."""
        names = np.array([number for shape in self.shapes.known for number in shape.numbers])
        return names[self._of_shape()]

    @cached_property
    def slot_role(self) -> Array:
        """The number of the role of each slot, among those of the pack's states."""
        number = self.distinct.role_number
        return np.array([number(role) for shape in self.shapes.known for role in shape.roles])[self._of_shape()]

    def _of_shape(self) -> Array:
        """For each slot, the index of its node in the concatenated nodes of all shapes."""
        sizes = np.array([len(shape.numbers) for shape in self.shapes.known])
        return spread((np.cumsum(sizes) - sizes)[self.shape], sizes[self.shape])

    @cached_property
    def initial_to(self) -> Array:
        """The number of the target's name, for each message that is in flight at the start."""
        to, known = self.batch.starts.initial_to, self.shapes.known
        widest = max((len(shape.numbers) for shape in known), default=0)
        table = np.array([(*shape.numbers, *(0,) * (widest - len(shape.numbers))) for shape in known])
        numbers: Array = table.reshape(-1)[self.shape[to.owner] * widest + to.values] if len(to.values) else to.values
        for trace in np.unique(to.owner[to.values == NONE]):
            named = targets(self.batch.headers[trace])
            numbers[to.starts[trace] : to.starts[trace + 1]] = [self.shapes.names.number(name) for name in named]
        return numbers

    def trace_at(self, positions: Array) -> Array:
        """The trace to which each position belongs."""
        return np.searchsorted(self.base, positions, "right") - 1

    def steps_at(self, positions: Array) -> Array:
        """For a position of each trace the number of the step; -1 stays."""
        return np.where(positions == NONE, NONE, positions - self.base[:-1])

    def __post_init__(self) -> None:
        """Raise UsageError if a state at the start is of another role than the header says."""
        wrong = np.flatnonzero(self.distinct.state_role[self.first] != self.slot_role)
        if len(wrong):
            name = self.batch.names[self.slot_trace[wrong[0]]]
            raise UsageError(f"trace {name!r}: a node begins with a state of another role than its own")
