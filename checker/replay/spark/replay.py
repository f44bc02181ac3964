"""Replay on Spark: traces spread over the workers, one row each, written as Parquet, completely or not at all."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import msgspec

from gomboc.checker.core.output import whole_folder, write_whole
from gomboc.checker.core.progress import Report, looking
from gomboc.checker.judge.naive import Options
from gomboc.checker.replay.exercised import Exercised, judge_observed, together
from gomboc.checker.summary.verdict_row import Row, unjudged

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import SparkSession

TASKS_PER_CORE = 4
"""Tasks per core, at least, so that a slow trace does not leave the other cores idle for long."""

BYTES_PER_TASK = 16 << 20
"""Bytes of traces per task: about four seconds of work, so that progress can be seen."""

EXERCISED = ".exercised.json"
"""Ending of the names of the files in which workers write the coverage of their traces."""


def replay(
    session: "SparkSession",
    paths: list[str],
    options: Options,
    output: Path,
    progress: Report,
    overwrite: bool = False,
) -> list[Exercised]:
    """Judge the traces at `paths` (readable from every worker) and write one row each into the folder `output`.

    Returns the coverage of the traces. The folder appears when it is complete. Raises UsageError if it cannot be
    written.
    """
    with (
        whole_folder(output, overwrite) as unfinished,
        # Its name marks it as an unfinished part of this output, so it is removed if this process is killed.
        TemporaryDirectory(prefix=f".{output.resolve().name}.", suffix=".partial", dir=unfinished.parent) as marks,
    ):
        _run(session, paths, partial(judge_batches, options=options, marks=marks), unfinished, progress)
        return _exercised(Path(marks))


def _exercised(marks: Path) -> list[Exercised]:
    """The coverage that the workers have recorded."""
    files = sorted(marks.glob(f"*{EXERCISED}"))
    return together(msgspec.json.decode(file.read_bytes(), type=Exercised) for file in files)


def _run(
    session: "SparkSession",
    paths: list[str],
    judge: "Callable[[Iterable[pyarrow.RecordBatch]], Iterator[pyarrow.RecordBatch]]",
    folder: Path,
    progress: Report,
) -> None:
    from gomboc.checker.replay.stored import OF_ROWS, in_spark

    context = session.sparkContext
    tasks = _tasks(paths, context.defaultParallelism)
    traces = session.createDataFrame(context.parallelize([(path,) for path in paths], tasks), "trace string")
    with looking(partial(_look, session, tasks, progress)):
        traces.mapInArrow(judge, in_spark(OF_ROWS)).write.mode("append").parquet(folder.as_uri())


def judge_batches(
    batches: "Iterable[pyarrow.RecordBatch]", options: Options, marks: str
) -> "Iterator[pyarrow.RecordBatch]":
    """Worker: rows for the traces that `batches` name.

    A mark exists in the folder `marks` while a trace is judged. If it exists already, the trace has killed a worker
    before, and is skipped. The coverage of a batch is written there, too, under a name made of its first trace.
    """
    from gomboc.checker.replay.stored import as_batch

    for batch in batches:
        paths = batch.column(0).to_pylist()
        judged = [_judge_marked(path, options, Path(marks)) for path in paths]
        for number, record in enumerate(together(exercised for _, exercised in judged if exercised is not None)):
            name = hashlib.sha256(paths[0].encode()).hexdigest()
            write_whole(Path(marks) / f"{name}-{number}{EXERCISED}", msgspec.json.encode(record))
        yield as_batch(row for row, _ in judged)


def _judge_marked(path: str, options: Options, marks: Path) -> tuple[Row, Exercised | None]:
    mark = marks / hashlib.sha256(path.encode()).hexdigest()
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return unjudged(path, "the worker that judged it before died, so it was left alone"), None
    judged = judge_observed(path, options)
    mark.unlink()
    return judged


def _tasks(paths: list[str], cores: int) -> int:
    """The number of tasks into which the work is divided."""
    size = sum(path.stat().st_size for path in map(Path, paths) if path.exists())
    return min(len(paths), max(TASKS_PER_CORE * cores, size // BYTES_PER_TASK))


def _look(session: "SparkSession", tasks: int, progress: Report) -> None:
    """Report the number of finished tasks, if it is known."""
    tracker = session.sparkContext.statusTracker()
    stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
    finished = [stage.numCompletedTasks for stage in stages if stage is not None]
    if finished:
        progress(max(finished), tasks)
