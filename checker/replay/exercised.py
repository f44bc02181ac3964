"""Coverage of single traces, recorded while the naive judge reads them.

A folder of JSON Lines has the same coverage goals as a corpus of packs: without coverage its verdicts show nothing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from gomboc.checker.distinct.findings import Fired, kind_of
from gomboc.checker.judge.conformance import as_input
from gomboc.checker.judge.naive import Options, find_variant, judge
from gomboc.checker.judge.system import System
from gomboc.checker.judge.verdict import Judgement
from gomboc.checker.summary.coverage import Coverage, coverage
from gomboc.checker.summary.coverage_goals import demanded
from gomboc.checker.summary.summary import Summary, unsettled
from gomboc.checker.summary.verdict_row import Row, judge_to_row
from gomboc.checker.traces.trace import Header, Step, TraceReader
from gomboc.checker.traces.trace_files import Lines, open_lines
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.model import Input, Received
from gomboc.spec.core.protocol import Protocol, strangers


class Exercised(msgspec.Struct, frozen=True):
    """The rules, corruptions and timeouts that traces of one protocol with these parameters (JSON) exercised.

    `fired` counts steps, `corruptions` the starts at which a conjunct is false; `awake` are the nodes that are awake at
    the start, `timed_out` the nodes that have had a timeout. `was_false`: some run was not legitimate after its start.
    """

    protocol: str
    parameters: str
    fired: list[tuple[Fired, int]]
    corruptions: dict[str, int]
    awake: list[str]
    timed_out: list[str]
    was_false: bool = False


class Observed(TraceReader):
    """A reader that records the effect of each step for which the specification has a rule."""

    def __init__(self, path: Path, file: Lines) -> None:
        super().__init__(path, file)
        self._system = System(self.header)
        self._fired: Counter[Fired] = Counter()
        self._timed_out: set[str] = set()
        self._awake = sorted(
            name for name, local in self.header.states.items() if not self.protocol.environment.asleep(local)
        )
        self._false = sorted(false_at_start(self.protocol, self.header))

    def steps(self) -> Iterator[Step]:
        """Every step, in order."""
        for step in super().steps():
            self._note(step)
            yield step

    def _note(self, step: Step) -> None:
        before = self._system.states.get(step.node)
        taken = _taken(step, self._system)
        if before is not None and taken is not None:
            if step.took == "timeout":
                self._timed_out.add(step.node)
            self._count(step, before, taken)
        self._system.apply(step)

    def _count(self, step: Step, before: Any, taken: Input) -> None:
        try:
            rule = self.protocol.actor.rule(before, taken).name
        except (KeyError, ValueError):
            return
        role, way = self.header.roles[step.node], type(taken).__name__
        content = taken.message if isinstance(taken, Received) else getattr(taken, "command", None)
        took = "timeout" if content is None else kind_of(content)
        self._fired[Fired(rule, role, way, took, before != step.state, bool(step.sent), step.coin)] += 1

    def exercised(self) -> Exercised:
        """The coverage of the steps so far."""
        return Exercised(
            self.header.protocol,
            msgspec.json.encode(self.header.parameters, order="sorted").decode(),
            sorted(self._fired.items(), key=repr),
            dict.fromkeys(self._false, 1),
            self._awake,
            sorted(self._timed_out),
        )


def _taken(step: Step, system: System) -> Input | None:
    """The input of a step; None if it is a message that was not in flight."""
    try:
        return as_input(step, system)
    except KeyError:
        return None


def false_at_start(protocol: Protocol, read: Header) -> set[str]:
    """The conjuncts that are false at the start of a trace."""
    in_flight = tuple((sent.to, sent.message) for sent in read.messages)
    values = *read.states.values(), *(message for _, message in in_flight)
    if any(protocol.naming.malformed(value) or strangers(protocol, value, read.roles.keys()) for value in values):
        return {"canonical"}
    return {fault.rule for fault in legitimacy_faults(protocol, read.states, in_flight)}


def judge_observed(path: str, options: Options) -> tuple[Row, Exercised | None]:
    """The verdict row of a trace, and its coverage; None for the coverage if the trace cannot be read."""
    readers: list[Observed] = []

    def judged(path: Path, options: Options) -> Judgement:
        with open_lines(path) as lines:
            readers.append(Observed(path, lines))
            return judge(readers[0], options)

    row = judge_to_row(path, options, judged)
    if not readers or row.members is None:
        return row, None
    return row, msgspec.structs.replace(readers[0].exercised(), was_false=left_or_converged(row))


def left_or_converged(row: Row) -> bool:
    """Whether the run was not legitimate after its start: it had to converge, or was violated."""
    return bool(row.rounds) or "violated" in (row.closure, row.convergence)


def together(records: Iterable[Exercised]) -> list[Exercised]:
    """The coverage records merged into one for each protocol and its parameters."""
    merged: dict[tuple[str, str], Exercised] = {}
    for record in records:
        key = record.protocol, record.parameters
        held = merged.get(key)
        merged[key] = record if held is None else _both(held, record)
    return [merged[key] for key in sorted(merged)]


def _both(one: Exercised, other: Exercised) -> Exercised:
    return Exercised(
        one.protocol,
        one.parameters,
        sorted((Counter(dict(one.fired)) + Counter(dict(other.fired))).items(), key=repr),
        dict(sorted((Counter(one.corruptions) + Counter(other.corruptions)).items())),
        sorted({*one.awake, *other.awake}),
        sorted({*one.timed_out, *other.timed_out}),
        one.was_false or other.was_false,
    )


def with_coverage(summary: Summary, records: Iterable[Exercised]) -> Summary:
    """The summary with the coverage of those traces. A missing goal names its protocol if there are several."""
    exercised = together(records)
    covered = [_coverage(record, summary) for record in exercised]
    if not covered:
        return summary
    if len(covered) == 1:
        return msgspec.structs.replace(summary, coverage=covered[0])
    missing = [
        f"{record.protocol} with {record.parameters}: {goal}"
        for record, coverage_of_record in zip(exercised, covered, strict=True)
        for goal in coverage_of_record.missing
    ]
    whole = Coverage(
        tuple(rule for record in covered for rule in record.rules), {}, {}, {}, tuple(missing), distinct=False
    )
    return msgspec.structs.replace(summary, coverage=whole)


def _coverage(exercised: Exercised, summary: Summary) -> Coverage:
    protocol = find_variant(exercised.protocol, None, msgspec.json.decode(exercised.parameters))
    wanted = demanded(protocol, (line.members for line in summary.lines if line.members is not None))
    idle = sorted(set(exercised.awake).difference(exercised.timed_out))
    seen = unsettled(summary.lines), exercised.was_false
    covered = coverage(protocol, exercised.fired, exercised.corruptions, wanted, idle, *seen)
    return msgspec.structs.replace(covered, distinct=False)
