"""All states and all moves of a shared memory, as columns.

A state's number has one digit for each machine, the first machine's the highest. So numbers are in the order in which
the plain explorer discovers the states. The moves of a machine depend on the few values that it reads: as an array with
one axis for each machine, that is a small table, stretched along the axes of all machines that it does not read.
"""

from collections.abc import Callable
from math import prod

import numpy as np

from gomboc.checker.explore.questions.bounds import go_on
from gomboc.checker.explore.questions.tabular import MOST
from gomboc.checker.explore.results.finding import Extent
from gomboc.checker.explore.shared.local import Local, holds
from gomboc.checker.explore.table.columns import ABSENT, Column, Transitions
from gomboc.checker.explore.table.expand import TIMEOUT
from gomboc.checker.explore.table.sorted_set import Array
from gomboc.spec.core.model import Model, Promise
from gomboc.spec.core.shared_memory import SharedMemory, State, model_of


class SharedColumns(Transitions):
    """The graph of a shared memory. A column has the moves of one rank of one machine: its first, its second, ..."""

    largest = MOST

    def __init__(self, memory: SharedMemory, local: tuple[Local, ...], starts: Array, columns: list[Column]) -> None:
        transitions = sum(int((column.targets >= 0).sum()) for column in columns)
        super().__init__(Extent(len(starts), len(starts), transitions, len(starts)), starts, columns)
        self._memory, self._local = memory, local
        self._holding: dict[str, Array] = {}

    def model(self) -> Model:
        """The plain model of the same system."""
        return model_of(self._memory)

    def slots(self, chosen: Array) -> list[Array]:
        """The messages in flight: there are none."""
        del chosen
        return []

    def turns(self, column: Column, chosen: Array, slots: list[Array]) -> Array:
        """The fairness class of a column's transitions: the machine's."""
        del slots
        return np.full(len(chosen), column.place, np.int64)

    def state(self, number: int) -> State:
        """The state of that number."""
        digits = np.unravel_index(number, _shape(self._memory))
        return tuple(machine.values[int(digit)] for machine, digit in zip(self._memory.machines, digits, strict=True))

    def holding(self, promise: Promise) -> Array:
        """For each state, whether a promise holds."""
        if promise.name not in self._holding:
            names = [one.name for one in self._memory.promises]
            self._holding[promise.name] = self._asked(names.index(promise.name))
        return self._holding[promise.name]

    def _asked(self, index: int) -> Array:
        promise, shape = self._memory.promises[index], _shape(self._memory)
        totals = np.zeros(shape, np.int64)
        for machine in self._local:
            totals += _stretched(np.array(machine.counts[index], np.int64), machine, shape)
        sums, of_state = np.unique(totals.reshape(-1), return_inverse=True)
        answers = np.array([holds(self._memory, promise, total) for total in sums.tolist()], bool)
        column: Array = answers[of_state]
        return column


def _shape(memory: SharedMemory) -> tuple[int, ...]:
    return tuple(len(machine.values) for machine in memory.machines)


def shared(memory: SharedMemory, local: tuple[Local, ...], insist: Callable[[], None] = go_on) -> SharedColumns:
    """The whole graph. `insist` is called before the columns of each machine, and may raise."""
    shape = _shape(memory)
    numbers = np.arange(prod(shape), dtype=np.int32)
    columns: list[Column] = []
    for index, machine in enumerate(local):
        insist()
        stride = prod(shape[index + 1 :])
        ranks = range(max(map(len, machine.moves), default=0))
        columns += [Column(TIMEOUT, index, rank, _targets(numbers, machine, rank, stride, shape)) for rank in ranks]
    return SharedColumns(memory, local, numbers, columns)


def _targets(numbers: Array, local: Local, rank: int, stride: int, shape: tuple[int, ...]) -> Array:
    """The targets of the moves of one rank, from each state."""
    enabled = np.array([len(moves) > rank for moves in local.moves])
    after = np.array([moves[rank] if len(moves) > rank else 0 for moves in local.moves], np.int32)
    # The machine's own value is the first digit of a combination, so each fills a run of equal length.
    own = np.repeat(np.arange(shape[local.places[0]], dtype=np.int32), len(after) // shape[local.places[0]])
    change = (after - own) * np.int32(stride)
    moved = numbers.reshape(shape) + _stretched(change, local, shape)
    targets: Array = np.where(_stretched(enabled, local, shape), moved, np.int32(ABSENT)).reshape(-1)
    return targets


def _stretched(table: Array, local: Local, shape: tuple[int, ...]) -> Array:
    """A table over the values that a machine reads, one axis for each machine: of length 1 if it does not read it."""
    axes = [shape[index] for index in local.places]
    ordered = table.reshape(axes).transpose(np.argsort(local.places))
    stretched: Array = ordered.reshape([size if index in local.places else 1 for index, size in enumerate(shape)])
    return stretched
