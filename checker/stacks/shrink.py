"""A smaller run of a stack in which the same hand-over is wrong: less time, fewer topics, nodes, turns and messages.

All traces are cut at the same times, between two turns: so each is still a trace of its layer. From what is left,
topics, nodes, turns and messages in flight are removed in all layers at once, as long as each trace is as right, or as
wrong, as it was, and the same step is wrong between the layers.
"""

import time
from bisect import bisect_left
from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import takewhile
from pathlib import Path
from typing import Any

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.output import write_whole
from gomboc.checker.judge.layers import Joined, LayerTrace, join
from gomboc.checker.judge.naive import DEFAULT
from gomboc.checker.judge.verdict import Judgement, Violated
from gomboc.checker.shrink.case import TraceCase, judged, read_case
from gomboc.checker.shrink.nodes import forgotten
from gomboc.checker.shrink.schedule import begun_after, without_messages, without_stretches
from gomboc.checker.stacks.fit import together_in
from gomboc.checker.stacks.less import turn_of, without_topic, without_turns
from gomboc.checker.stacks.recorded import (
    FILE,
    FORMAT,
    Place,
    Recorded,
    StackRun,
    Values,
    read_file,
    read_run,
    run_of,
    write_stack,
)
from gomboc.checker.traces.trace import TraceReader
from gomboc.spec.layers.stack import Stack

Cases = dict[Place, TraceCase]
"""The traces of a run by their places."""


class ShrunkRun(msgspec.Struct, frozen=True):
    """What was violated, the numbers of traces and steps before and after, and that of the parts that were tried."""

    trace: str
    output: str
    violated: str
    was: tuple[int, int]
    now: tuple[int, int]
    tried: int


class _Wrong(msgspec.Struct, frozen=True):
    """A violation: its rule, its node, its step in full (None if the start is wrong), and what differs."""

    rule: str
    node: str
    step: Any
    differences: Any = None


class _Search:
    """Looks for small parts of a run with the same violation, until the clock is at `end`."""

    def __init__(
        self, stack: Stack, cases: Cases, topics: dict[str, Values], clock: Callable[[], float], end: float
    ) -> None:
        self._stack, self._topics, self._clock, self._end = stack, topics, clock, end
        self.cases, self.tried, self._size = cases, 0, _bytes(cases)
        self.joined = self._join(cases)
        self._between, self._within = self._wrong(cases, self.joined), dict[Place, _Wrong | None]()

    def _join(self, cases: Cases) -> Joined:
        """The verdict on the layers. Raises UsageError if they are no run."""
        topics = {spot.topic for spot in cases}
        some = {topic: values for topic, values in self._topics.items() if topic in topics}
        return _joined(run_of(self._stack, tuple(cases), some, FILE), cases)

    def _wrong(self, cases: Cases, joined: Joined) -> tuple[Place, _Wrong] | None:
        if not isinstance(joined.verdict, Violated):
            return None
        spot = next(spot for spot in cases if spot.name == joined.trace)
        return spot, _violation(cases[spot], joined.verdict)

    def joins_alike(self, cases: Cases) -> bool:
        """Whether the same step is wrong between the layers, in the same way."""
        self.tried += 1
        try:
            return self._wrong(cases, self._join(cases)) == self._between
        except UsageError:
            return False

    def cut(self) -> None:
        """Keep the shortest time in which the same step is wrong, and judge each trace in it."""
        whole, times = self.cases, sorted({at for case in self.cases.values() for at in _times(case)})
        ends = [*times[1:], times[-1] + 1.0]
        least = ends[_first(lambda index: self.joins_alike(_cut(whole, times[0], ends[index])), len(ends))]
        begins = times[::-1]
        latest = _first(lambda index: self.joins_alike(_cut(whole, begins[index], least)), len(begins))
        self.cases = _cut(whole, begins[latest], least)
        self._within = {spot: _own(case, judged(case, DEFAULT)) for spot, case in self.cases.items()}
        self._size = _bytes(self.cases)

    def remove(self) -> None:
        """Remove whatever is not needed, the largest parts first, until nothing more can be removed."""
        passes = self._fewer_topics, self._fewer_nodes, self._fewer_turns, self._fewer_messages
        while any(self._exhaust(changes) for changes in passes):
            continue

    def _exhaust(self, changes: Callable[[], Iterator[Cases]]) -> bool:
        """Repeat a change as long as it gives a smaller run, and until the clock is at the end; whether it did."""
        before = self.cases
        while any(self._take(changed) for changed in takewhile(lambda _: self._clock() < self._end, changes())):
            continue
        return self.cases is not before

    def _take(self, cases: Cases) -> bool:
        """Go on from those traces if they are smaller, join alike, and each is as right as it was; whether so."""
        size = _bytes(cases)
        if size >= self._size or not self.joins_alike(cases):
            return False
        for spot, case in cases.items():
            if case != self.cases[spot] and not self._is_as_before(spot, case):
                return False
        self.cases, self._size = cases, size
        return True

    def _is_as_before(self, spot: Place, case: TraceCase) -> bool:
        judgement = judged(case, DEFAULT)
        return judgement is not None and _own(case, judgement) == self._within[spot]

    def _fewer_topics(self) -> Iterator[Cases]:
        wrong = None if self._between is None else self._between[0].topic
        for topic in sorted(self._topics.keys() - {wrong}):
            left = {spot: case for spot, case in self.cases.items() if spot.topic != topic}
            yield {spot: without_topic(case, topic) if spot.topic is None else case for spot, case in left.items()}
            yield left

    def _fewer_nodes(self) -> Iterator[Cases]:
        names = sorted({name for case in self.cases.values() for name in case.header["roles"]})
        for rest in without_stretches([name for name in names if name != self._node]):
            gone = frozenset(names) - {*rest, self._node}
            for whole in (True, False):
                yield {spot: forgotten(case, gone, whole) for spot, case in self.cases.items()}

    def _fewer_turns(self) -> Iterator[Cases]:
        turns = sorted({turn_of(step) for case in self.cases.values() for step in case.steps})
        for rest in without_stretches(turns):
            gone = frozenset(turns) - frozenset(rest)
            yield {spot: without_turns(case, gone) for spot, case in self.cases.items()}

    def _fewer_messages(self) -> Iterator[Cases]:
        for spot, case in self.cases.items():
            yield from ({**self.cases, spot: changed} for changed in without_messages(case))

    @property
    def _node(self) -> str:
        return "" if self._between is None else self._between[1].node


def shrink_run(
    folder: Path, target: Path, goal: str, seconds: float = 60.0, clock: Callable[[], float] = time.monotonic
) -> ShrunkRun:
    """Write a small part of the run in a folder into another. Raises UsageError if its layers are not violated."""
    run, paths = read_run(folder)
    topics = read_file(folder / FILE, Recorded, FORMAT).topics
    whole = {spot: read_case(paths[spot.name]) for spot in run.places}
    search = _Search(run.stack, whole, topics, clock, clock() + seconds)
    found = search.joined
    if not isinstance(found.verdict, Violated):
        says = "nothing is wrong between its layers, so there is nothing to shrink; shrink a trace of it by itself"
        raise UsageError(f"{folder}: {says}.")
    search.cut()
    search.remove()
    for spot, case in search.cases.items():
        path = target / f"{spot.name}.jsonl"
        path.parent.mkdir(exist_ok=True)
        write_whole(path, case.text())
    left = {spot.topic for spot in search.cases}
    write_stack(target, run.stack.name, {topic: values for topic, values in sorted(topics.items()) if topic in left})
    violated = f"{found.verdict.rule} at {found.verdict.node} in {found.trace}"
    return ShrunkRun(str(folder), goal, violated, _size(whole), _size(search.cases), search.tried)


def _first(holds: Callable[[int], bool], count: int) -> int:
    """The first of so many numbers for which a condition holds that stays true; the last one, if none is tried true."""
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _times(case: TraceCase) -> list[float]:
    return [turn_of(step)[0] for step in case.steps]


def _cut(cases: Cases, begin: float, end: float) -> Cases:
    """The traces from one time on, and before another."""
    cut: Cases = {}
    for spot, case in cases.items():
        times = _times(case)
        first, last = bisect_left(times, begin), bisect_left(times, end)
        cut[spot] = TraceCase(begun_after(case, first).header, case.steps[first:last])
    return cut


def _joined(run: StackRun, cases: Cases) -> Joined:
    traces = []
    for spot, case in cases.items():
        reader = TraceReader(Path(spot.name), BytesIO(case.text()))
        together = together_in(run.stack, reader.protocol)
        traces.append(LayerTrace(spot.name, reader.protocol, reader.header, reader.steps(), together))
    return join(traces, run.links)


def _violation(case: TraceCase, violated: Violated) -> _Wrong:
    step = case.steps[violated.step - 1] if violated.step else None
    differences = [(difference.expected, difference.found) for difference in violated.differences]
    return _Wrong(violated.rule, violated.node, step, differences)


def _own(case: TraceCase, judgement: Judgement | None) -> _Wrong | None:
    """The step of a trace that is wrong by itself; None if each is allowed, or if it cannot be judged."""
    conformance = None if judgement is None else judgement.conformance
    if not isinstance(conformance, Violated):
        return None
    return msgspec.structs.replace(_violation(case, conformance), differences=None)


def _bytes(cases: Cases) -> int:
    return sum(len(case.text()) for case in cases.values())


def _size(cases: Cases) -> tuple[int, int]:
    return len(cases), sum(len(case.steps) for case in cases.values())
