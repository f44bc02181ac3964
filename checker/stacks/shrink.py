"""A smaller run of a stack in which the same hand-over is wrong: less time, and fewer topics.

All traces are cut at the same times, between two turns. So each is still a trace of its layer.
"""

from bisect import bisect_left
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.output import write_whole
from gomboc.checker.judge.layers import Joined, LayerTrace, join
from gomboc.checker.judge.verdict import Violated
from gomboc.checker.shrink.case import TraceCase, reached, read_case
from gomboc.checker.stacks.fit import together_in
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


class ShrunkRun(msgspec.Struct, frozen=True):
    """What was violated, the numbers of traces and steps before and after, and that of the parts that were tried."""

    trace: str
    output: str
    violated: str
    was: tuple[int, int]
    now: tuple[int, int]
    tried: int


class _Part(msgspec.Struct, frozen=True):
    """Part of a run: the time from which on and before which steps are kept, and the topics."""

    begin: float
    end: float
    topics: frozenset[str]


class _Search:
    """Looks for small parts of a run with the same violation."""

    def __init__(self, stack: Stack, cases: dict[Place, TraceCase], topics: dict[str, Values], found: Joined) -> None:
        self._stack, self._cases, self._topics = stack, cases, topics
        self.found, self.tried = found, 0

    def run(self, part: _Part) -> tuple[StackRun, dict[Place, TraceCase]]:
        """The part as a run. Raises UsageError if it is none."""
        topics = {topic: values for topic, values in self._topics.items() if topic in part.topics}
        kept = {place: case for place, case in self._cases.items() if place.topic is None or place.topic in topics}
        cases = {place: _cut(case, part.begin, part.end) for place, case in kept.items()}
        return run_of(self._stack, tuple(cases), topics, FILE), cases

    def fits(self, part: _Part) -> bool:
        """Whether the same step is wrong in the part, in the same way."""
        self.tried += 1
        try:
            run, cases = self.run(part)
        except UsageError:
            return False
        before = {place.name: bisect_left(_times(self._cases[place]), part.begin) for place in cases}
        return _same(_joined(run, cases), self.found, before)


def shrink_run(folder: Path, target: Path, goal: str) -> ShrunkRun:
    """Write a small part of the run in a folder into another. Raises UsageError if its layers are not violated."""
    run, paths = read_run(folder)
    topics = read_file(folder / FILE, Recorded, FORMAT).topics
    cases = {place: read_case(paths[place.name]) for place in run.places}
    found = _joined(run, cases)
    if not isinstance(found.verdict, Violated):
        says = "nothing is wrong between its layers, so there is nothing to shrink; shrink a trace of it by itself"
        raise UsageError(f"{folder}: {says}.")
    times = sorted({at for case in cases.values() for at in _times(case)})
    search = _Search(run.stack, cases, topics, found)
    part = _smallest(search, _Part(times[0], times[-1] + 1.0, frozenset(topics)), times)
    small, left = search.run(part)
    for place, case in left.items():
        path = target / f"{place.name}.jsonl"
        path.parent.mkdir(exist_ok=True)
        write_whole(path, case.text())
    write_stack(target, small.stack.name, {topic: topics[topic] for topic in sorted(part.topics)})
    violated = f"{found.verdict.rule} at {found.verdict.node} in {found.trace}"
    return ShrunkRun(str(folder), goal, violated, _size(cases), _size(left), search.tried)


def _smallest(search: _Search, part: _Part, times: list[float]) -> _Part:
    for topic in sorted(part.topics):
        fewer = msgspec.structs.replace(part, topics=part.topics - {topic})
        part = fewer if search.fits(fewer) else part
    ends = [*times[1:], part.end]
    least = _first(lambda index: search.fits(msgspec.structs.replace(part, end=ends[index])), len(ends))
    part = msgspec.structs.replace(part, end=ends[least])
    begins = times[::-1]
    latest = _first(lambda index: search.fits(msgspec.structs.replace(part, begin=begins[index])), len(begins))
    return msgspec.structs.replace(part, begin=begins[latest])


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
    return [step.get("at", 0.0) for step in case.steps]


def _cut(case: TraceCase, begin: float, end: float) -> TraceCase:
    times = _times(case)
    first, last = bisect_left(times, begin), bisect_left(times, end)
    states, messages = reached(case, first)
    header: dict[str, Any] = {**case.header, "states": states, "messages": messages}
    return TraceCase(header, case.steps[first:last])


def _joined(run: StackRun, cases: dict[Place, TraceCase]) -> Joined:
    traces = []
    for place, case in cases.items():
        reader = TraceReader(Path(place.name), BytesIO(case.text()))
        together = together_in(run.stack, reader.protocol)
        traces.append(LayerTrace(place.name, reader.protocol, reader.header, reader.steps(), together))
    return join(traces, run.links)


def _same(one: Joined, other: Joined, before: dict[str, int]) -> bool:
    """Whether both are the same violation at the same step, so many steps earlier in the first one."""
    mine, theirs = one.verdict, other.verdict
    if not isinstance(mine, Violated) or not isinstance(theirs, Violated) or one.trace != other.trace:
        return False
    alike = (mine.rule, mine.node) == (theirs.rule, theirs.node)
    return alike and mine.step + before[one.trace] == theirs.step


def _size(cases: dict[Place, TraceCase]) -> tuple[int, int]:
    return len(cases), sum(len(case.steps) for case in cases.values())
