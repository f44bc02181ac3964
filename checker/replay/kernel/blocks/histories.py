"""Promises over histories of deliveries, as automata that are evaluated once for each move."""

from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from gomboc.checker.distinct.arrays import Array
from gomboc.checker.distinct.distinct import NONE
from gomboc.checker.distinct.spelling import ARRAY, Once, PackValues
from gomboc.checker.replay.kernel.blocks.findings import Violations
from gomboc.checker.replay.kernel.frames.block import Block
from gomboc.checker.replay.kernel.frames.frame import Frame
from gomboc.spec.core.protocol import Protocol


class HistoriesJudge:
    """Judges the named promises of a protocol over histories, for one pack; each move is evaluated once."""

    def __init__(self, protocol: Protocol, values: PackValues) -> None:
        self._observers = protocol.promises.observers
        texts = values.distinct.deliveries.values
        self._deliveries = Once(lambda number: ARRAY.decode(texts[number])).__getitem__
        self._seen: list[list[Any]] = [[observer.blank] for observer in protocol.promises.observers]
        self._numbers = [{_exactly(observer.blank): 0} for observer in protocol.promises.observers]
        self._moves: dict[tuple[int, str, int, int], tuple[int, str | None]] = {}

    def broken(self, block: Block, last: Array) -> list[Violations]:
        """Violations by the deliveries of each node, up to `last`."""
        never = (np.full(block.frame.traces, NONE) for _ in self._observers)
        names = (observer.name for observer in self._observers)
        promises = [Violations(name, broken, of_histories=True) for name, broken in zip(names, never, strict=True)]
        # Of this block alone: an observer may raise on the way, and the next block is asked all the same.
        seen_by: dict[tuple[int, int], int] = {}
        if promises:
            whole = [observer.whole for observer in self._observers]
            for trace, slot, position, node, deliveries in _deliveries(block.frame, last):
                for number, promise in enumerate(promises):
                    key = number, -1 - trace if whole[number] else slot
                    seen_by[key], conjunct = self._moved(number, node, seen_by.get(key, 0), deliveries)
                    if conjunct is not None:
                        promise.note(trace, position, conjunct)
        return promises

    def _moved(self, observer: int, node: str, seen: int, deliveries: int) -> tuple[int, str | None]:
        """The observer's state after a node delivered the values with number `told`, and the first conjunct that is
        false.
        """
        key = observer, node, seen, deliveries
        if key not in self._moves:
            value, conjunct = self._seen[observer][seen], None
            for delivered in self._deliveries(deliveries):
                value, faults = self._observers[observer].observe(node, value, delivered)
                conjunct = conjunct or (faults[0].rule if faults else None)
            number = self._numbers[observer].setdefault(_exactly(value), len(self._seen[observer]))
            if number == len(self._seen[observer]):
                self._seen[observer].append(value)
            self._moves[key] = number, conjunct
        return self._moves[key]


def _exactly(seen: Hashable) -> tuple[Hashable, str]:
    """A key that distinguishes values as JSON does: to Python, 1, 1.0 and True are equal."""
    return seen, repr(seen)


def _deliveries(frame: Frame, last: Array) -> Iterator[tuple[int, int, int, str, int]]:
    """Every step that delivers: its trace, slot and position, the name of its node, and the number of
    its deliveries.
    """
    deliveries = frame.distinct.deliveries
    telling = np.array([text is not None for text in deliveries.values], bool)
    numbers = deliveries.number[frame.step]
    steps = np.flatnonzero(telling[numbers] & (frame.slot != NONE))
    traces = frame.slot_trace[frame.slot[steps]]
    within = frame.position[steps] <= last[traces]
    steps, traces = steps[within], traces[within]
    names = [frame.distinct.names.known[number] for number in frame.slot_name[frame.slot[steps]].tolist()]
    columns = (column.tolist() for column in (traces, frame.slot[steps], frame.position[steps]))
    yield from zip(*columns, names, numbers[steps].tolist(), strict=True)
