"""The anchor over time: the authority of the legitimacy predicate at each position of a block."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from gomboc.checker.core.dependency_tracker import Looked, MissingRead, answered
from gomboc.checker.distinct.arrays import Array, changes, spread
from gomboc.checker.distinct.distinct import NONE
from gomboc.checker.distinct.spelling import Once, PackValues
from gomboc.checker.replay.kernel.frames.block import Block
from gomboc.checker.replay.kernel.frames.headers import Shape
from gomboc.checker.replay.kernel.frames.turns import Intervals
from gomboc.spec.core.protocol import Protocol, whole


@dataclass(frozen=True)
class Stretches:
    """Stretches of positions with the same anchor, in order: `anchor` is its number, `start` the first position.

    `at` is the number of the stretch at each position; -1 before the first.
    """

    anchor: Array
    start: Array
    at: Array


@dataclass(frozen=True)
class Steady:
    """Stretches of positions, from `start` to before `end`, in which the states of some nodes stay.

    `nodes` are their indices in the shape, and `states` has a row for each of them.
    """

    nodes: tuple[int, ...]
    start: Array
    end: Array
    states: Array

    def part(self, chosen: Array) -> "Steady":
        """The chosen stretches."""
        return Steady(self.nodes, self.start[chosen], self.end[chosen], self.states[:, chosen])


Answer = int | tuple[int, ...]
"""The number of an anchor, or the indices of further nodes that its states depend on."""


class SharesOf:
    """The shares of a pack's states (the part that the anchor may read), numbered: equal shares have one number."""

    def __init__(self, share: Callable[[Any], Any], values: PackValues) -> None:
        known: list[Any] = []
        numbers: dict[Any, int] = {}

        # Without `self`: a cycle of references would keep the pack in memory, since garbage collection is off here.
        def number_of(state: int) -> int:
            seen = share(values.state(state))
            number = numbers.setdefault(seen, len(known))
            if number == len(known):
                known.append(seen)
            return number

        self.known = known
        self._of, self._read = Once(number_of), values.read_states

    def merged(self, intervals: Intervals, last: Array) -> Intervals:
        """Intervals of equal share, as far as `last`: most changes of a state do not change the share."""
        intervals = intervals.upto(last)
        states, places = np.unique(intervals.state, return_inverse=True)
        self._read(states)
        return intervals.merged(np.array([self._of[state] for state in states.tolist()], np.int64)[places])


class Anchors:
    """The anchors of one pack, numbered, and whether each is sane.

    An anchor is a function of each node's share, if the protocol declares one (`share`). Then it is evaluated once for
    each combination of shares, and shares rarely change. Otherwise it reads states, mostly those of a few nodes. These
    nodes are tracked: as long as the function reads no others, their states decide the anchor. The nodes that it reads
    next may depend on the states read so far, so they are tracked for each combination of states.
    """

    def __init__(self, protocol: Protocol, values: PackValues) -> None:
        self._protocol = protocol
        self._shares = None if protocol.legitimacy.share is whole else SharesOf(protocol.legitimacy.share, values)
        self._seen = values.state if self._shares is None else self._shares.known.__getitem__
        self._answers: dict[tuple[int, tuple[int, ...], tuple[int, ...]], Answer] = {}
        self._numbers: dict[Any, int] = {}
        self.known: list[Any] = []
        self._sane: list[bool] = []

    @property
    def sane(self) -> Array:
        """Whether each anchor itself is without faults."""
        return np.array(self._sane, bool)

    def stretches(self, block: Block, last: Array) -> Stretches:
        """The anchors of the block, up to the position `last` of each trace."""
        intervals, frame = block.turns.intervals, block.frame
        if self._shares is not None:
            intervals = self._shares.merged(intervals, last)
        pieces = [piece for number in np.unique(frame.shape).tolist() for piece in self._of(intervals, last, number)]
        start, anchor = (np.concatenate(columns) for columns in zip(*pieces, strict=True))
        order = np.argsort(start, kind="stable")
        start, anchor = start[order], anchor[order]
        new = changes(anchor)
        begins = np.zeros(frame.size, np.int64)
        begins[start[new]] = 1
        return Stretches(anchor[new], start[new], np.cumsum(begins) - 1)

    def _of(self, intervals: Intervals, last: Array, number: int) -> Iterator[tuple[Array, Array]]:
        """Positions at which the anchor of traces of one shape may change, and the anchor from there on."""
        frame = intervals.frame
        traces = np.flatnonzero((frame.shape == number) & (last >= frame.base[:-1]))
        pieces = Steady((), frame.base[traces], last[traces] + 1, np.zeros((0, len(traces)), np.int64))
        if self._shares is not None:
            pieces = _by_all_nodes(intervals, pieces, traces, len(frame.shapes.known[number].names))
        left = [pieces]
        while left:
            pieces = left.pop()
            rows, codes = _distinct(pieces.states)
            answers = [self._ask(frame.shapes.known[number], number, pieces.nodes, row) for row in rows]
            anchor = np.array([answer if isinstance(answer, int) else NONE for answer in answers], np.int64)[codes]
            yield pieces.start[anchor != NONE], anchor[anchor != NONE]
            for more in dict.fromkeys(answer for answer in answers if isinstance(answer, tuple)):
                part = pieces.part(np.isin(codes, [code for code, answer in enumerate(answers) if answer == more]))
                left.append(_divided(intervals, part, more))

    def _ask(self, shape: Shape, number: int, nodes: tuple[int, ...], states: tuple[int, ...]) -> Answer:
        """The anchor that those states or shares of those nodes make, or the further nodes that it depends on."""
        key = number, nodes, states
        if key not in self._answers:
            values = {shape.names[node]: self._seen(state) for node, state in zip(nodes, states, strict=True)}
            try:
                self._answers[key] = self._number(
                    answered(self._protocol.legitimacy.anchor, Looked(values, shape.names))
                )
            except MissingRead as asked:
                self._answers[key] = tuple(sorted(shape.names.index(name) for name in asked.names))
        return self._answers[key]

    def _number(self, anchor: Any) -> int:
        if anchor not in self._numbers:
            self._numbers[anchor] = len(self.known)
            self.known.append(anchor)
            self._sane.append(not self._protocol.legitimacy.anchor_faults(anchor))
        return self._numbers[anchor]


def _by_all_nodes(intervals: Intervals, pieces: Steady, traces: Array, size: int) -> Steady:
    """Whole traces of that many nodes, divided so that the state of every node stays.

    Most shares stay in every trace, and do not divide it.
    """
    slots = intervals.frame.node_starts[traces] + np.arange(size)[:, np.newaxis]
    first = np.searchsorted(intervals.slot, slots)
    stays = (np.searchsorted(intervals.slot, slots, "right") == first + 1).all(axis=1)
    nodes = tuple(np.flatnonzero(stays).tolist())
    pieces = Steady(nodes, pieces.start, pieces.end, intervals.state[first[stays]])
    return _divided(intervals, pieces, np.flatnonzero(~stays).tolist())


def _divided(intervals: Intervals, pieces: Steady, nodes: Iterable[int]) -> Steady:
    """Stretches in which the states of further nodes stay."""
    frame = intervals.frame
    for node in nodes:
        since = (frame.node_starts[frame.trace_at(pieces.start)] + node) * (frame.size + 1)
        first = np.searchsorted(intervals.times, since + pieces.start, "right") - 1
        counts = np.searchsorted(intervals.times, since + pieces.end - 1, "right") - first
        interval, owner = spread(first, counts), np.repeat(np.arange(len(first)), counts)
        pieces = Steady(
            (*pieces.nodes, node),
            np.maximum(pieces.start[owner], intervals.start[interval]),
            np.minimum(pieces.end[owner], intervals.end[interval]),
            np.concatenate((pieces.states[:, owner], intervals.state[interval][np.newaxis])),
        )
    return pieces


def _distinct(states: Array) -> tuple[list[tuple[int, ...]], Array]:
    """The different columns of a table, and the index of the column at each position."""
    if not len(states):
        return [()], np.zeros(states.shape[1], np.int64)
    changing = states[(states != states[:, :1]).any(axis=1)]
    if not len(changing):
        return list(zip(*states[:, :1].tolist(), strict=True)), np.zeros(states.shape[1], np.int64)
    one = changing[0] if len(changing) == 1 else changing
    _, first, codes = np.unique(one, axis=-1, return_index=True, return_inverse=True)
    return list(zip(*states[:, first].tolist(), strict=True)), codes.reshape(-1)
