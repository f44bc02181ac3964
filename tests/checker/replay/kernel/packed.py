"""Traces packed in memory, and judged in both ways."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

import msgspec
import pyarrow as pa

from gomboc.checker.core.errors import UsageError
from gomboc.checker.distinct.distinct import Distinct
from gomboc.checker.distinct.judging import LocalJudge, judge_all
from gomboc.checker.distinct.marks import Marks
from gomboc.checker.judge.naive import DEFAULT, Options, judge
from gomboc.checker.replay.kernel.blocks.judge import PackJudge
from gomboc.checker.replay.kernel.blocks.verdicts import table_of
from gomboc.checker.replay.kernel.frames.batch import batch_of
from gomboc.checker.replay.pack.dictionary import Dictionary as Numbers
from gomboc.checker.replay.pack.format import TRACES
from gomboc.checker.replay.pack.ingest import ingest_trace
from gomboc.checker.replay.pack.write import PackWriter, TraceRow
from gomboc.checker.summary.verdict_row import row_of
from gomboc.checker.traces.trace import TraceReader
from gomboc.spec.core.protocol import Protocol, configured, never_asleep
from gomboc.spec.core.registry import protocol_names
from tests.toys import judging

VerdictRow = dict[str, Any]
"""A row of verdicts, by column."""

PATH = Path("a trace")
NONE: Mapping[str, Any] = MappingProxyType({})


class Gathered:
    """The part of a pack writer that recorders of traces use."""

    def __init__(self) -> None:
        self.dictionary = Numbers()
        self.rows: list[TraceRow] = []

    def add(self, row: TraceRow) -> None:
        self.rows.append(row)

    def traces(self) -> pa.Table:
        columns: dict[str, list[Any]] = {
            field.name: [getattr(row, field.name) for row in self.rows] for field in TRACES
        }
        lists = ("first", "initial", "initial_to", "initial_content", "events", "took", "sent")
        for name in lists:
            columns[name] = [list(values) for values in columns[name]]
        columns["claimed"] = [None if values is None else list(values) for values in columns["claimed"]]
        return pa.table({name: pa.array(values, TRACES.field(name).type) for name, values in columns.items()})


def known(protocol: Protocol) -> AbstractContextManager[Any]:
    """As if a folder of `spec` announced the protocol, if none does."""
    return nullcontext() if protocol.name in protocol_names() else judging.known(protocol)


def packed(traces: Iterable[bytes]) -> tuple[Distinct, pa.Table]:
    gathered = Gathered()
    for number, trace in enumerate(traces):
        ingest_trace(PATH, BytesIO(trace), str(number), cast(PackWriter, gathered))
    words = gathered.dictionary
    return Distinct(words.state_table(), words.message_table(), words.step_table()), gathered.traces()


def factored(
    protocol: Protocol, traces: Iterable[bytes], options: Options = DEFAULT, parameters: Mapping[str, Any] = NONE
) -> list[Any]:
    """The factored judge's result: a dictionary for each trace; None for a trace that must be judged naively."""
    words, table = packed(traces)
    local = LocalJudge(protocol)
    judge_pack = PackJudge(protocol, parameters, words, Marks(words, judge_all(local, words)), local.decoders)
    rows: list[VerdictRow | None] = []
    for findings in judge_pack.judge(batch_of(table), options):
        undecided = set(findings.undecided.tolist())
        rows += [None if trace in undecided else row for trace, row in enumerate(table_of(findings).to_pylist())]
    return rows


def naive(trace: bytes, options: Options = DEFAULT) -> VerdictRow:
    """The naive judge's result, as a dictionary."""
    return msgspec.structs.asdict(row_of(judge(TraceReader(PATH, BytesIO(trace)), options)))


SAME = (
    "verdict",
    "spec",
    "protocol",
    "members",
    "steps",
    "conformance",
    "closure",
    "convergence",
    "rounds",
    "rounds_after",
    "step",
    "rule",
    "error",
)


def compared(row: Any) -> Any:
    return row and {name: row[name] for name in SAME}


def readable(trace: bytes) -> bool:
    """Whether the text is a trace at all."""
    try:
        deque(TraceReader(PATH, BytesIO(trace)).steps(), 0)
    except UsageError:
        return False
    return True


def agree(
    protocol: Protocol, traces: Sequence[bytes], options: Options = DEFAULT, parameters: Mapping[str, Any] = NONE
) -> list[Any]:
    """Assert that both judges agree on every readable trace; returns the results. All traces have those parameters."""
    with known(protocol):
        traces = [trace for trace in traces if readable(trace)]
        wanted = [compared(naive(trace, options)) for trace in traces]
        judged_by = configured(protocol, parameters)
        result = [compared(row) for row in factored(judged_by, traces, options, parameters)] if traces else []
    for number, trace in enumerate(traces):
        again = protocol.environment.asleep is not never_asleep and gives_an_id_again(trace)
        if result[number] is None and (again or "waiting for" in (wanted[number]["error"] or "")):
            result[number] = wanted[number]
    assert result == wanted
    return result


def gives_an_id_again(trace: bytes) -> bool:
    """Whether an id is given twice: if a node sleeps too, the kernel leaves such a trace to the naive judge."""
    head, *steps = map(msgspec.json.decode, trace.splitlines())
    ids = [sent["id"] for sends in (head["messages"], *(step["sent"] for step in steps)) for sent in sends]
    return len(ids) > len(set(ids))
