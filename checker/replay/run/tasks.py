"""A worker's side of a piece of work, for every engine: do it, write the results down, and report completion.

Results are written under another name and renamed, so a file appears complete or not at all, and once, no matter which
worker wrote it. A mark stands for a unit while it is judged; a worker that meets such a mark judges each trace by
itself.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pyarrow.parquet
from msgspec.structs import replace

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.output import unwritable, write_whole
from gomboc.checker.core.phrases import counted
from gomboc.checker.core.processes.collecting import without_collecting
from gomboc.checker.replay.kernel.blocks.projections import UnfitProjectionError
from gomboc.checker.replay.pack.format import TRACES_FILE
from gomboc.checker.replay.run.judging import PartFindings, judge_part
from gomboc.checker.replay.run.units import bench
from gomboc.checker.replay.run.work import Job, Part, Unit
from gomboc.checker.replay.store.segment import StoreError
from gomboc.checker.replay.store.store import Store, WrongEntryError

VERDICTS, JUDGED, FINDINGS, MARK, SEEN = "verdicts", "judged", "findings", "mark", "seen"
"""The kinds of files that pieces of work write. A file of kind SEEN has a byte for each pack that was read."""

WRONG = "{}: an entry was wrong, so all of its specification are removed, and not used."


class Done(msgspec.Struct, frozen=True):
    """Report of a piece of work: its number of steps, or the reason why it failed.

    `error` is a fault of its pack, and other pieces go on; `ended` is a reason why no piece can go on.
    """

    key: str
    steps: int = 0
    error: str | None = None
    ended: str | None = None


def do_part(job: Job, part: Part, packs: Sequence[str]) -> Done:
    """Judge a part of the distinct steps, and write its findings."""
    with without_collecting():
        findings = _judged(job, part, packs)
    write_whole(job.place(JUDGED, part.key, "json"), msgspec.json.encode(findings))
    return Done(part.key, findings.distinct)


def _judged(job: Job, part: Part, packs: Sequence[str]) -> PartFindings:
    """The findings about a part, with the help of a store. If that is wrong about a step, all are judged without it."""
    seen, store, notes = job.place(SEEN, part.key, "packs"), None, []
    try:
        if job.store is not None:
            store = Store(Path(job.store.folder), job.store_key, job.store.most)
            notes += store.ignored
        findings = judge_part(job, part, _noted(packs, seen), store)
        if store is not None:
            store.save()
    except WrongEntryError:
        assert store is not None, "only a store has entries"
        assert job.store is not None, "the job names the store"
        store.void()
        notes.append(WRONG.format(job.store.folder))
        findings = replace(judge_part(job, part, _noted(packs, seen)), refuted=True)
    except StoreError as error:
        notes.append(str(error))
        if store is None:
            findings = judge_part(job, part, _noted(packs, seen))
    return replace(findings, notes=notes)


def _noted(packs: Sequence[str], path: Path) -> Iterator[str]:
    """The packs, one after the other; each adds a byte to the file when it is done."""
    try:
        with path.open("wb", buffering=0) as file:
            for name in packs:
                yield name
                file.write(b".")
    except OSError as error:
        raise unwritable(path, error) from error


def do_unit(job: Job, unit: Unit) -> Done:
    """Judge the traces of a unit, and write their verdicts."""
    mark = job.place(MARK, unit.key, "unit")
    try:
        with without_collecting():
            table = _careful(job, unit) if _there_before(mark) else bench(job, unit.pack).judge(unit)
        _check_complete(job, unit, table)
    except UnfitProjectionError:
        mark.unlink(missing_ok=True)
        raise
    except UsageError as error:
        mark.unlink(missing_ok=True)
        return Done(unit.key, 0, str(error))
    write_verdicts(job.place(VERDICTS, unit.key, "parquet"), table)
    mark.unlink(missing_ok=True)
    return Done(unit.key, pyarrow.compute.sum(table["steps"]).as_py() or 0)


def _check_complete(job: Job, unit: Unit, table: pyarrow.Table) -> None:
    """Raise UsageError unless there is a row for each trace that the footer of the pack declares."""
    if len(table) != unit.traces:
        path = job.pack(unit.pack).path / TRACES_FILE
        raise UsageError(
            f"{path}: row group {unit.row_group} has {counted(len(table), 'trace')}, and its footer says {unit.traces}."
        )


def _careful(job: Job, unit: Unit) -> pyarrow.Table:
    marks: list[Path] = []

    def marked(row: int) -> bool:
        for mark in marks:
            mark.unlink(missing_ok=True)
        marks[:] = [job.place(MARK, f"{unit.key}-{row}", "trace")]
        return _there_before(marks[0])

    table = bench(job, unit.pack).carefully(unit, marked)
    for mark in marks:
        mark.unlink(missing_ok=True)
    return table


def _there_before(mark: Path) -> bool:
    """Whether the mark exists already; it exists afterwards."""
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return True
    except OSError as error:
        raise unwritable(mark, error) from error
    return False


def write_verdicts(path: Path, table: pyarrow.Table) -> None:
    """Write a file of verdicts. Raises UsageError if that fails."""
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(table, sink, compression="zstd")
    write_whole(path, sink.getvalue())
