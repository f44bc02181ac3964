"""The anchor over time: which authority legitimacy is stated against at each position of a block."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from checker.kernel.arrays import Array
from checker.kernel.frame import Frame
from checker.kernel.shapes import Shape
from checker.kernel.turns import Intervals
from checker.kernel.values import PackValues
from spec.protocol import Protocol


class AskedForMore(Exception):  # noqa: N818  # it is a question, not an error
    """Somebody looked at the states of `names`, which are not given."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__(*names)
        self.names = names


class Part(Mapping[str, Any]):
    """The states of some of the nodes `names`. Raises AskedForMore where those of others would be needed."""

    def __init__(self, states: Mapping[str, Any], names: tuple[str, ...]) -> None:
        self._states = states
        self._names = names

    def __getitem__(self, name: str) -> Any:
        if name not in self._states and name in self._names:
            raise AskedForMore((name,))
        return self._states[name]

    def __iter__(self) -> Iterator[str]:
        self._require_all()
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def _require_all(self) -> None:
        lacking = tuple(name for name in self._names if name not in self._states)
        if lacking:
            raise AskedForMore(lacking)


@dataclass(frozen=True)
class Stretches:
    """Stretches of positions with the same anchor, in order: `anchor` is its number, `start` the first position.

    `at` is the number of the stretch at each position; -1 before the first.
    """

    anchor: Array
    start: Array
    at: Array


class Anchors:
    """The anchors of one pack, numbered, and whether each is sane.

    An anchor is a function of the states of a few nodes, mostly of one. It is found out which ones: as long as the
    function looks at no others, their states decide the anchor.
    """

    def __init__(self, protocol: Protocol, values: PackValues) -> None:
        self._protocol = protocol
        self._values = values
        self._matter: dict[int, tuple[int, ...]] = {}
        self._found: dict[tuple[int, ...], int] = {}
        self._numbers: dict[Any, int] = {}
        self.known: list[Any] = []
        self._sane: list[bool] = []

    @property
    def sane(self) -> Array:
        """Whether nothing is wrong with each anchor itself."""
        return np.array(self._sane, bool)

    def stretches(self, frame: Frame, intervals: Intervals, last: Array) -> Stretches:
        """The anchors of the block, up to the position `last` of each trace."""
        found = [self._of_shape(frame, intervals, last, number) for number in np.unique(frame.shape).tolist()]
        start, anchor = (np.concatenate(columns) for columns in zip(*found, strict=True))
        order = np.argsort(start, kind="stable")
        begins = np.zeros(frame.size, np.int64)
        begins[start] = 1
        return Stretches(anchor[order], start[order], np.cumsum(begins) - 1)

    def _of_shape(self, frame: Frame, intervals: Intervals, last: Array, number: int) -> tuple[Array, Array]:
        """Where the stretches of traces of one shape start, and their anchors."""
        traces = np.flatnonzero((frame.shape == number) & (last >= frame.base[:-1]))
        if not len(traces):
            return traces, traces
        while True:
            matter = self._matter.setdefault(number, ())
            start, states = _moments(frame, intervals, traces, last, matter)
            rows, codes = _distinct(states)
            found = [self._anchor(frame.shapes.known[number], number, row) for row in rows]
            if self._matter[number] == matter:
                return start, np.array(found, np.int64)[codes]

    def _anchor(self, shape: Shape, number: int, states: tuple[int, ...]) -> int:
        """The number of the anchor that those states make. If others matter too, this is noted, and the answer void."""
        key = (number, *states)
        if key not in self._found:
            names = (shape.names[node] for node in self._matter[number])
            values = {name: self._values.state(state) for name, state in zip(names, states, strict=False)}
            try:
                self._found[key] = self._number(self._protocol.anchor(Part(values, shape.names)))
            except AskedForMore as asked:
                more = {shape.names.index(name) for name in asked.names}
                self._matter[number] = tuple(sorted({*self._matter[number], *more}))
                self._found = {key: found for key, found in self._found.items() if key[0] != number}
                return -1
        return self._found[key]

    def _number(self, anchor: Any) -> int:
        if anchor not in self._numbers:
            self._numbers[anchor] = len(self.known)
            self.known.append(anchor)
            self._sane.append(not self._protocol.anchor_faults(anchor))
        return self._numbers[anchor]


def _moments(
    frame: Frame, intervals: Intervals, traces: Array, last: Array, matter: tuple[int, ...]
) -> tuple[Array, Array]:
    """Where one of the states changes that matter, and what all those states are from there on, a row for each."""
    columns = []
    for node in matter:
        mine = np.zeros(len(frame.first), bool)
        mine[frame.node_starts[traces] + node] = True
        chosen = np.flatnonzero(mine[intervals.slot])
        chosen = chosen[intervals.start[chosen] <= last[frame.slot_trace[intervals.slot[chosen]]]]
        columns.append((intervals.start[chosen], intervals.state[chosen]))
    if len(columns) == 1:
        return columns[0][0], columns[0][1][np.newaxis]
    start = np.unique(np.concatenate([frame.base[traces], *(since for since, _ in columns)]))
    states = [state[np.searchsorted(since, start, "right") - 1] for since, state in columns]
    return start, np.array(states, np.int64).reshape(len(matter), len(start))


def _distinct(states: Array) -> tuple[list[tuple[int, ...]], Array]:
    """The different columns of a table, and which of them stands at each place."""
    if not len(states):
        return [()], np.zeros(states.shape[1], np.int64)
    if len(states) == 1:
        found, codes = np.unique(states[0], return_inverse=True)
        return [(state,) for state in found.tolist()], codes
    found, codes = np.unique(states, axis=1, return_inverse=True)
    return list(zip(*found.tolist(), strict=True)), codes.reshape(-1)
