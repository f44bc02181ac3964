"""Traces packed in memory, and judged in both ways."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec
import pyarrow as pa

from gomboc.checker.core.errors import UsageError
from gomboc.checker.distinct.distinct import Distinct
from gomboc.checker.judge.naive import DEFAULT, Options, judge
from gomboc.checker.judge.verdict import Judgement
from gomboc.checker.replay.in_memory import Factored, Gathered
from gomboc.checker.replay.kernel.blocks.verdicts import table_of
from gomboc.checker.summary.verdict_row import row_of
from gomboc.checker.traces.trace import TraceReader
from gomboc.spec.core.protocol import Protocol, configured, never_asleep
from gomboc.spec.core.registry import protocol_names
from tests.toys import judging

VerdictRow = dict[str, Any]
"""A row of verdicts, by column."""

PATH = Path("a trace")
NONE: Mapping[str, Any] = MappingProxyType({})


def known(protocol: Protocol) -> AbstractContextManager[Any]:
    """As if a folder of `spec` announced the protocol, if none does."""
    return nullcontext() if protocol.name in protocol_names() else judging.known(protocol)


def gathered(traces: Iterable[bytes]) -> Gathered:
    into = Gathered()
    for number, trace in enumerate(traces):
        into.read(TraceReader(PATH, BytesIO(trace)), str(number))
    return into


def packed(traces: Iterable[bytes]) -> tuple[Distinct, pa.Table]:
    into = gathered(traces)
    return Distinct(*into.dictionary.tables()), into.table()


def both(protocol: Protocol, traces: Sequence[bytes], options: Options = DEFAULT) -> tuple[list[Any], list[Any]]:
    """The factored judge's results: a dictionary for each trace, and the whole judgement if it holds.

    None for a trace that must be judged naively. All traces have the parameters of the protocol.
    """
    into = gathered(traces)
    rows: list[VerdictRow | None] = []
    held: dict[str, Factored] = {}
    for findings in into.findings(protocol, options) if traces else ():
        undecided = set(findings.undecided.tolist())
        rows += [None if trace in undecided else row for trace, row in enumerate(table_of(findings).to_pylist())]
        held.update(into.verdicts(findings, protocol, options))
    whole = [held[name].judgement if name in held else None for name in into.headers]
    return rows, [each and msgspec.structs.replace(each, trace=str(PATH)) for each in whole]


def factored(protocol: Protocol, traces: Sequence[bytes], options: Options = DEFAULT) -> list[Any]:
    return both(protocol, traces, options)[0]


def naive(trace: bytes, options: Options = DEFAULT) -> VerdictRow:
    """The naive judge's result, as a dictionary."""
    return msgspec.structs.asdict(row_of(judgement(trace, options)))


def judgement(trace: bytes, options: Options = DEFAULT) -> Judgement:
    """The naive judge's whole judgement."""
    return judge(TraceReader(PATH, BytesIO(trace)), options)


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


def _judged_if_readable(trace: bytes, options: Options) -> Judgement | None:
    """The naive judge's whole judgement; None for a text that is no trace. The judge reads all but for a limit."""
    if options.most_steps is not None and not readable(trace):
        return None
    try:
        return judgement(trace, options)
    except UsageError:
        if readable(trace):
            raise
        return None


def agree(
    protocol: Protocol, traces: Sequence[bytes], options: Options = DEFAULT, parameters: Mapping[str, Any] = NONE
) -> list[Any]:
    """Assert that both judges agree on every readable trace; returns the results. All traces have those parameters."""
    with known(protocol):
        judged = [(trace, each) for trace in traces if (each := _judged_if_readable(trace, options)) is not None]
        wanted = [compared(msgspec.structs.asdict(row_of(each))) for _, each in judged]
        rows, held = both(configured(protocol, parameters), [trace for trace, _ in judged], options)
    result = list(map(compared, rows))
    for number, (trace, _) in enumerate(judged):
        again = protocol.environment.asleep is not never_asleep and gives_an_id_again(trace)
        if result[number] is None and (again or "waiting for" in (wanted[number]["error"] or "")):
            result[number] = wanted[number]
    assert result == wanted
    holding = [row["verdict"] == "holds" and row is not other for row, other in zip(wanted, result, strict=True)]
    assert held == [each if holds else None for (_, each), holds in zip(judged, holding, strict=True)]
    return result


def gives_an_id_again(trace: bytes) -> bool:
    """Whether an id is given twice: if a node sleeps too, the kernel leaves such a trace to the naive judge."""
    head, *steps = map(msgspec.json.decode, trace.splitlines())
    ids = [sent["id"] for sends in (head["messages"], *(step["sent"] for step in steps)) for sent in sends]
    return len(ids) > len(set(ids))
