"""Simulating a plan on Spark: each piece of it is a task, and writes its packs into a shared folder."""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.progress import Report, looking
from gomboc.checker.replay.pack.format import SUFFIX
from gomboc.checker.simulate.packs import Engine, Made, Pieces, simulate_piece

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import SparkSession


class Refused(msgspec.Struct, frozen=True, tag=True):
    """The answer for a piece that could not be made, with the reason."""

    why: str


class Succeeded(msgspec.Struct, frozen=True, tag=True):
    """The answer for a piece that was made."""

    made: Made


ANSWER = msgspec.json.Decoder(Refused | Succeeded)


def on_spark(session: "SparkSession", progress: Report) -> Engine:
    """The engine that runs on the workers of that session. They must reach the folder under the same path."""
    return partial(_simulate, session, progress)


def _simulate(session: "SparkSession", progress: Report, pieces: Pieces) -> Iterator[Made]:
    context = session.sparkContext
    numbers = [(number,) for number in range(len(pieces))]
    rows = session.createDataFrame(context.parallelize(numbers, len(pieces)), "number long")
    work = partial(simulate_batches, msgspec.json.encode(pieces))
    with looking(partial(_look, pieces, progress)):
        answers = rows.mapInArrow(work, "number long, answer binary").collect()
    for _, text in sorted((row.number, bytes(row.answer)) for row in answers):
        answer = ANSWER.decode(text)
        if isinstance(answer, Refused):
            raise UsageError(answer.why)
        yield answer.made


def simulate_batches(pieces: bytes, batches: "Iterable[pyarrow.RecordBatch]") -> "Iterator[pyarrow.RecordBatch]":
    """Worker: make the pieces of the received numbers, and answer for each."""
    import pyarrow

    schema = pyarrow.schema([("number", pyarrow.int64()), ("answer", pyarrow.binary())])
    plan = msgspec.json.decode(pieces, type=Pieces)
    for batch in batches:
        rows = [{"number": number, "answer": _answer(plan, number)} for number in batch.column(0).to_pylist()]
        yield pyarrow.RecordBatch.from_pylist(rows, schema=schema)


def _answer(pieces: Pieces, number: int) -> bytes:
    try:
        return msgspec.json.encode(Succeeded(simulate_piece(pieces, number)))
    except UsageError as error:
        return msgspec.json.encode(Refused(str(error)))


def _look(pieces: Pieces, progress: Report) -> None:
    """Report the number of pieces with at least a first pack."""
    progress(sum(1 for path in Path(pieces.target.folder).glob(f"{'[0-9]' * 6}{SUFFIX}")), len(pieces))
