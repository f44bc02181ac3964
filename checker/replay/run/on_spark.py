"""The engine on Spark: rows that name pieces of work go out, and rows that report their completion come back.

Java sees no byte of a trace: workers read packs and write verdicts themselves. So the corpus and the output folder must
be reachable under the same paths from every executor.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.progress import Report, looking
from gomboc.checker.replay.run.tasks import VERDICTS, Done, do_part, do_unit
from gomboc.checker.replay.run.work import Job, Part, Unit

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import SparkSession


class Piece(msgspec.Struct, frozen=True):
    """A piece of work as sent to a worker: a part with its packs, or a unit."""

    job: Job
    part: Part | None = None
    packs: tuple[str, ...] = ()
    unit: Unit | None = None


class OnSpark:
    """Works on the executors of a session."""

    def __init__(self, session: "SparkSession") -> None:
        self._session = session
        self.name = f"factored replay on Spark {session.version}, master {session.sparkContext.master}"

    @property
    def parts(self) -> int:
        """The best number of parts for judging: one for each core."""
        return self._session.sparkContext.defaultParallelism

    def judge(self, job: Job, parts: Sequence[Part], packs: Sequence[str]) -> list[Done]:
        """Judge those parts."""
        return self._all([Piece(job, part, tuple(packs)) for part in parts])

    def compose(self, job: Job, units: Sequence[Unit], report: Report) -> list[Done]:
        """Judge those units."""
        files = [job.place(VERDICTS, unit.key, "parquet") for unit in units]
        with looking(partial(_look, files, report)):
            return self._all([Piece(job, unit=unit) for unit in units])

    def _all(self, pieces: Sequence[Piece]) -> list[Done]:
        """Run one task for each piece."""
        if not pieces:
            return []
        context = self._session.sparkContext
        rows = context.parallelize([(bytearray(msgspec.json.encode(piece)),) for piece in pieces], len(pieces))
        frame = self._session.createDataFrame(rows, "piece binary")
        done = frame.mapInArrow(do_pieces, "done binary").collect()
        results = [msgspec.json.decode(bytes(row.done), type=Done) for row in done]
        for result in results:
            if result.ended is not None:
                raise UsageError(result.ended)
        return results


def _look(files: Sequence[Path], report: Report) -> None:
    """Report the number of files that exist."""
    report(sum(file.exists() for file in files), len(files))


def do_pieces(batches: "Iterable[pyarrow.RecordBatch]") -> "Iterator[pyarrow.RecordBatch]":
    """Worker: do each piece of work that the rows name."""
    import pyarrow

    for batch in batches:
        pieces = (msgspec.json.decode(text, type=Piece) for text in batch.column(0).to_pylist())
        done = [msgspec.json.encode(_do(piece)) for piece in pieces]
        yield pyarrow.record_batch([pyarrow.array(done, pyarrow.binary())], names=["done"])


def _do(piece: Piece) -> Done:
    try:
        if piece.part is not None:
            return do_part(piece.job, piece.part, piece.packs)
        assert piece.unit is not None, "a piece of work is a part or a unit"
        return do_unit(piece.job, piece.unit)
    except UsageError as error:
        return Done("", ended=str(error))
