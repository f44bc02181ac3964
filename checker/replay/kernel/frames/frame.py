"""One block of traces on a common axis: every state of every system has a position.

A trace with k steps takes k + 1 positions: the first is that of the state before the first step, and the others are
those of the states after each step. The traces of a block stand one after another. A *slot* is one node of one trace.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gomboc.checker.core.errors import UsageError
from gomboc.checker.distinct.arrays import Array, spread
from gomboc.checker.distinct.distinct import NONE, Distinct
from gomboc.checker.replay.kernel.frames.batch import Batch, BatchLists
from gomboc.checker.replay.kernel.frames.headers import Shapes, targets


@dataclass(frozen=True)
class Frame:
    """Columns of a block: `shape` per trace; `first` per slot; `step`, `ids`, `claimed`, `position`, `slot` per step.

    `base` has the first position of each trace, and the end of the last. `slot` is -1 for a node that its trace lacks.
    """

    distinct: Distinct
    shapes: Shapes
    shape: Array
    starts: Array
    base: Array
    node_starts: Array
    first: Array
    step: Array
    ids: Array
    claimed: Array | None
    position: Array
    slot: Array
    initial: BatchLists
    initial_to: Array
    initial_content: Array
    sent: BatchLists

    @property
    def traces(self) -> int:
        """The number of traces of the block."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of positions of the block."""
        return int(self.base[-1])

    def trace_at(self, positions: Array) -> Array:
        """The trace to which each position belongs."""
        return np.searchsorted(self.base, positions, "right") - 1

    @cached_property
    def took(self) -> Array:
        """The kind of input of each step."""
        return self.distinct.took[self.step]

    @cached_property
    def slot_trace(self) -> Array:
        """The trace of each slot."""
        return np.repeat(np.arange(self.traces), np.diff(self.node_starts))

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


def frame_of(batch: Batch, low: int, high: int, distinct: Distinct, shapes: Shapes, shape: Array) -> Frame:
    """Traces `low` to `high` of a batch. Raises UsageError if columns and headers have different nodes."""
    events, nodes = batch.events.part(low, high), batch.first.part(low, high)
    initial = batch.initial.part(low, high)
    _check_sizes(batch, low, shapes, shape, nodes)
    lengths = events.lengths
    position = np.arange(len(events.values)) + np.repeat(np.arange(1, len(shape) + 1), lengths)
    frame = Frame(
        distinct=distinct,
        shapes=shapes,
        shape=shape,
        starts=events.starts,
        base=events.starts + np.arange(len(shape) + 1),
        node_starts=nodes.starts,
        first=nodes.values,
        step=events.values,
        ids=batch.took.part(low, high).values,
        claimed=None if batch.claimed is None else batch.claimed.part(low, high).values,
        position=position,
        slot=_slots(shapes.places(), shape, nodes.starts, lengths, distinct.node[events.values]),
        initial=initial,
        initial_to=_initial_targets(batch, low, high, shapes, shape),
        initial_content=batch.initial_content.part(low, high).values,
        sent=batch.sent.part(low, high),
    )
    _check_roles(batch, low, frame)
    return frame


def _slots(places: Array, shape: Array, starts: Array, lengths: Array, names: Array) -> Array:
    """The slot of the node that takes each step."""
    node = places.ravel()[np.repeat(shape * places.shape[1], lengths) + names]
    slots: Array = node + np.repeat(starts[:-1], lengths)
    slots[node == NONE] = NONE
    return slots


def _initial_targets(batch: Batch, low: int, high: int, shapes: Shapes, shape: Array) -> Array:
    """The number of the target's name, for each message that is in flight at the start."""
    to = batch.initial_to.part(low, high)
    widest = max((len(known.numbers) for known in shapes.known), default=0)
    table = np.array([(*known.numbers, *(0,) * (widest - len(known.numbers))) for known in shapes.known])
    numbers: Array = (
        table.reshape(-1)[np.repeat(shape * widest, to.lengths) + to.values] if len(to.values) else to.values
    )
    for trace in np.unique(np.searchsorted(to.starts, np.flatnonzero(to.values == NONE), "right") - 1):
        named = targets(batch.headers[low + trace])
        numbers[to.starts[trace] : to.starts[trace + 1]] = [shapes.names.number(name) for name in named]
    return numbers


def _check_sizes(batch: Batch, low: int, shapes: Shapes, shape: Array, nodes: BatchLists) -> None:
    sizes = np.array([len(known.numbers) for known in shapes.known])
    wrong = np.flatnonzero(nodes.lengths != sizes[shape])
    if len(wrong):
        raise UsageError(f"trace {batch.names[low + wrong[0]]!r}: its header and its columns name different nodes")


def _check_roles(batch: Batch, low: int, frame: Frame) -> None:
    wrong = np.flatnonzero(frame.distinct.state_role[frame.first] != frame.slot_role)
    if len(wrong):
        name = batch.names[low + frame.slot_trace[wrong[0]]]
        raise UsageError(f"trace {name!r}: a node begins with a state of another role than its own")
