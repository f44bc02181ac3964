"""Judge one unit of work: the traces of one row group together, or each by itself where that fails."""

import io
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path

import msgspec

from gomboc.checker.core.arrow import pa
from gomboc.checker.core.digest import spec_digest
from gomboc.checker.core.errors import UsageError
from gomboc.checker.distinct.distinct import Distinct
from gomboc.checker.distinct.findings import PackFindings, conjunct_of
from gomboc.checker.distinct.marks import Marks
from gomboc.checker.distinct.spelling import Decoders
from gomboc.checker.judge.naive import judge
from gomboc.checker.judge.verdict import Judgement
from gomboc.checker.replay.kernel.blocks.judge import PackJudge
from gomboc.checker.replay.kernel.blocks.projections import UnfitProjectionError
from gomboc.checker.replay.kernel.blocks.verdicts import table_of
from gomboc.checker.replay.kernel.frames.batch import batch_of
from gomboc.checker.replay.pack.export import Exporter
from gomboc.checker.replay.pack.format import check_kind
from gomboc.checker.replay.pack.read import Pack
from gomboc.checker.replay.run.work import Job, Unit, recorded
from gomboc.checker.replay.stored import IN_PACKS
from gomboc.checker.summary.verdict_row import Row, row_of, unjudged
from gomboc.checker.traces.trace import TraceReader

Marked = Callable[[int], bool]
"""Marks a row before it is judged by itself, and answers whether a process has died over it before."""


class Bench:
    """A pack, opened and ready to be judged."""

    def __init__(self, job: Job, name: str) -> None:
        self.pack: Pack = job.pack(name)
        self._job = job
        protocol, parameters = job.specification(), self.pack.info.parameters
        words = Distinct(self.pack.states, self.pack.messages, self.pack.steps)
        judged = Marks(words, _findings(job, name))
        self._fresh = partial(PackJudge, protocol, parameters, words, judged, Decoders(protocol))
        self._judge = self._fresh()
        self._exporter = Exporter(self.pack)

    def judge(self, unit: Unit) -> pa.Table:
        """A row for each trace. Raises UsageError if the row group cannot be read."""
        return self._judged(self.pack.traces(unit.row_group))

    def _judged(self, traces: pa.Table) -> pa.Table:
        """Judge all traces at once; if that fails, in halves; a single trace naively."""
        try:
            return self._together(traces)
        except UnfitProjectionError:
            raise
        except Exception:  # noqa: BLE001  # one poisonous trace must not take the others with it; its row says why
            if len(traces) == 1:
                return self.naively(traces)
            # Caches filled on the way to a failure are dropped: a half-made entry could pass for a complete one.
            self._judge = self._fresh()
            middle = len(traces) // 2
            return pa.concat_tables([self._judged(traces.slice(0, middle)), self._judged(traces.slice(middle))])

    def _together(self, traces: pa.Table) -> pa.Table:
        tables, low = [], 0
        for findings in self._judge.judge(batch_of(traces), self._job.options):
            table = table_of(findings, self.pack.path.name)
            tables.append(self._replaced(table, traces.slice(low, len(table)), findings.undecided.tolist()))
            low += len(table)
        return pa.concat_tables(tables) if tables else IN_PACKS.empty_table()

    def _replaced(self, table: pa.Table, traces: pa.Table, undecided: list[int]) -> pa.Table:
        """The table, with the naive judge's rows for undecided traces."""
        low = 0
        pieces = []
        for row in undecided:
            pieces += [table.slice(low, row - low), self.naively(traces.slice(row, 1))]
            low = row + 1
        return pa.concat_tables([*pieces, table.slice(low)]) if pieces else table

    def carefully(self, unit: Unit, marked: Marked) -> pa.Table:
        """Judge every trace by itself, because a process died when they were judged together."""
        traces = self.pack.traces(unit.row_group)
        tables = []
        for row in range(len(traces)):
            trace = traces.slice(row, 1)
            if marked(row):
                why = "the worker that judged it before died, so it was left alone"
                tables.append(as_table([unjudged(trace["name"][0].as_py(), why)], self.pack.path.name))
            else:
                tables.append(self._judged(trace))
        return pa.concat_tables(tables) if tables else IN_PACKS.empty_table()

    def naively(self, trace: pa.Table) -> pa.Table:
        """The naive judge's row for a trace, with the conjunct of its first violation."""
        (row,) = trace.to_pylist()
        name, conjunct = str(row["name"]), None
        try:
            judgement = self._judgement(name, b"".join(self._exporter.lines(row)))
            verdict_row = row_of(judgement)
            conjunct = next(map(conjunct_of, judgement.violations()), None)
        except UsageError as error:
            verdict_row = Row(name, "unreadable", spec_digest(), error=str(error))
        except Exception as error:  # noqa: BLE001  # as in checker/summary/verdict_row.py: it is in the row
            verdict_row = unjudged(name, f"the judge failed with {type(error).__name__}: {error}")
        return as_table([verdict_row], self.pack.path.name, conjunct)

    def _judgement(self, name: str, lines: bytes) -> Judgement:
        reader = TraceReader(Path(name), io.BytesIO(lines))
        check_kind(reader.header, self.pack.info, f"{name}:1: the trace", "its pack")
        return judge(reader, self._job.options)


def _findings(job: Job, name: str) -> PackFindings:
    """The findings about a pack's values and steps. Every pack has such a file, even if it is empty."""
    return recorded(job.place("findings", name, "json"), PackFindings)


@lru_cache(maxsize=1)
def bench(job: Job, name: str) -> Bench:
    """The opened pack of this process. Only the last one is kept."""
    return Bench(job, name)


def as_table(rows: list[Row], pack: str | None = None, conjunct: str | None = None) -> pa.Table:
    """Rows in columns, all with that pack and conjunct."""
    more = {"pack": pack, "conjunct": conjunct}
    return pa.Table.from_pylist([{**msgspec.structs.asdict(row), **more} for row in rows], schema=IN_PACKS)
