"""The verdicts on what layers hand over, for many runs of a stack, in pieces that any worker may do."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.processes.work import in_processes
from gomboc.checker.core.progress import Report
from gomboc.checker.judge.layers import Joined
from gomboc.checker.judge.verdict import WORDS, Violated
from gomboc.checker.stacks.judge import code_of, join_files
from gomboc.checker.stacks.recorded import Place, read_run, run_of
from gomboc.checker.stacks.text import sentence

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import SparkSession

AT_ONCE = 32
"""Runs in a piece of work."""


class JoinRow(msgspec.Struct, frozen=True):
    """The verdict on one run: of a violation the trace, step, rule and node; `says` is the sentence."""

    run: str
    verdict: str
    says: str
    trace: str = ""
    step: int | None = None
    rule: str = ""
    node: str = ""


class Joins(msgspec.Struct, frozen=True):
    """The runs of stacks below a folder, to be joined: in packs, or as folders of traces."""

    folder: str
    packed: bool
    runs: tuple[str, ...]

    def pieces(self) -> "list[Joins]":
        """The same in pieces of work."""
        starts = range(0, len(self.runs), AT_ONCE)
        return [Joins(self.folder, self.packed, self.runs[start : start + AT_ONCE]) for start in starts]


def do_joins(piece: Joins) -> list[JoinRow]:
    """The rows of a piece of work."""
    joins = _packed(piece) if piece.packed else ((run, partial(_of_folder, piece, run)) for run in piece.runs)
    rows = []
    for run, join in joins:
        try:
            rows.append(row_of(run, join()))
        except UsageError as error:
            rows.append(JoinRow(run, "unreadable", str(error)))
    return rows


def row_of(run: str, joined: Joined) -> JoinRow:
    """The row for a verdict."""
    verdict, word, says = joined.verdict, WORDS[code_of(joined.verdict)], sentence(joined)
    if not isinstance(verdict, Violated):
        return JoinRow(run, word, says)
    return JoinRow(run, word, says, joined.trace, verdict.step, verdict.rule, verdict.node)


def _of_folder(piece: Joins, run: str) -> Joined:
    return join_files(*read_run(Path(piece.folder, run)))


def _packed(piece: Joins) -> Iterator[tuple[str, "partial[Joined]"]]:
    # Imported here, since lines need neither numpy nor pyarrow.
    from gomboc.checker.stacks.columns import join_packed
    from gomboc.checker.stacks.pack import read_corpus
    from gomboc.checker.stacks.packed import layers_of

    folder = Path(piece.folder)
    said = read_corpus(folder)
    stack, layers = layers_of(folder, said.stack)
    there = {name: set(layer.traces) for name, layer in layers.items()}

    def join(run: str) -> Joined:
        topics = said.runs[run]
        every = (Place(layer.name, topic) for layer in stack.layers for topic in (topics if layer.topics else (None,)))
        places = tuple(place for place in every if place.in_run(run) in there[place.layer])
        return join_packed(run_of(stack, places, topics, f"{folder}: {run}"), run, layers)

    yield from ((run, partial(join, run)) for run in piece.runs)


def joined_here(joins: Joins, jobs: int, report: Report) -> list[JoinRow]:
    """All rows, made by processes of this machine. Raises UsageError if some are missing."""
    pieces = joins.pieces()
    rows: list[JoinRow] = []
    for done, made in enumerate(in_processes(partial(_do_piece, pieces), len(pieces), jobs), 1):
        rows += made
        report(done, len(pieces))
    return _whole(joins, rows)


def _do_piece(pieces: Sequence[Joins], number: int) -> list[JoinRow]:
    return do_joins(pieces[number])


def joined_on_spark(session: "SparkSession", joins: Joins) -> list[JoinRow]:
    """All rows, made by the executors of a session. Raises UsageError if some are missing."""
    pieces = joins.pieces()
    context = session.sparkContext
    rows = context.parallelize([(bytearray(msgspec.json.encode(piece)),) for piece in pieces], len(pieces))
    done = session.createDataFrame(rows, "piece binary").mapInArrow(do_batches, "rows binary").collect()
    made = [row for piece in done for row in msgspec.json.decode(bytes(piece.rows), type=list[JoinRow])]
    return _whole(joins, sorted(made, key=lambda row: row.run))


def do_batches(batches: "Iterable[pyarrow.RecordBatch]") -> "Iterator[pyarrow.RecordBatch]":
    """Worker: do each piece of work that the rows name."""
    import pyarrow

    for batch in batches:
        pieces = (msgspec.json.decode(text.as_py(), type=Joins) for text in batch.column(0))
        written = [msgspec.json.encode(do_joins(piece)) for piece in pieces]
        yield pyarrow.RecordBatch.from_pydict({"rows": pyarrow.array(written, pyarrow.binary())})


def _whole(joins: Joins, rows: list[JoinRow]) -> list[JoinRow]:
    """The rows. A missing one must not count as right."""
    if [row.run for row in rows] != sorted(joins.runs):
        raise UsageError(f"{joins.folder}: not all runs were joined: call it again.")
    return rows
