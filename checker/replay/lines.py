"""Judge a folder of JSON Lines trace by trace with the naive judge, in processes of this machine."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.output import whole_folder
from gomboc.checker.core.phrases import counted
from gomboc.checker.core.processes.work import in_processes
from gomboc.checker.core.progress import Report
from gomboc.checker.judge.naive import Options
from gomboc.checker.replay.exercised import Exercised, judge_observed, together, with_coverage
from gomboc.checker.summary.summary import Summary, sum_up
from gomboc.checker.summary.verdict_row import Row

MOST_AT_ONCE = 8
"""Traces that a process gets at a time."""


def replay_lines(
    paths: Sequence[str], options: Options, target: Path, jobs: int, report: Report, overwrite: bool = False
) -> Summary:
    """Judge the traces at `paths`, and write one row each into a folder, which appears when it is complete.

    Raises UsageError if the folder cannot be written.
    """
    with whole_folder(target, overwrite) as unfinished:
        rows: list[Row] = []
        exercised: list[Exercised] = []
        at_once = min(MOST_AT_ONCE, max(1, len(paths) // (16 * jobs)))
        for row, coverage in in_processes(partial(_judge, tuple(paths), options), len(paths), jobs, at_once):
            rows.append(row)
            if coverage is not None:
                exercised = together([*exercised, coverage])
            report(len(rows), len(paths))
        if len(rows) < len(paths):
            raise UsageError(f"Only {len(rows)} of {counted(len(paths), 'trace')} were judged: call it again.")
        _write(unfinished, rows)
    return with_coverage(sum_up(rows), exercised)


def _judge(paths: tuple[str, ...], options: Options, number: int) -> tuple[Row, Exercised | None]:
    return judge_observed(paths[number], options)


def _write(folder: Path, rows: Sequence[Row]) -> None:
    import pyarrow.parquet

    from gomboc.checker.core.arrow import pa
    from gomboc.checker.replay.stored import as_batch

    pyarrow.parquet.write_table(
        pa.Table.from_batches([as_batch(rows)]), folder / "verdicts.parquet", compression="zstd"
    )
    (folder / "_SUCCESS").touch()
