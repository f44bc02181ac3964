"""`gomboc replay`: judge a folder of traces on Spark."""

import os
from pathlib import Path

import click
import msgspec

from checker.errors import UsageError
from checker.judge import Options
from checker.progress import progress
from checker.report.summary import Summary, sum_up
from checker.report.table import table
from checker.row import Row


@click.command("replay")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--master", default="local[*]", show_default=True, help="The Spark master.")
@click.option("--java", metavar="PATH", help="The Java to run Spark on; 17, 21 or 25.")
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Where the verdicts go as Parquet. [default: DIR.verdicts]",
)
@click.option("--overwrite", is_flag=True, help="Replace verdicts that are there.")
@click.option("--variant", metavar="NAME", help="Hold the traces against a rule as published.")
@click.option("--bound", type=click.IntRange(min=0), help="Rounds within which a run must become legitimate.")
@click.option("--max-steps", type=click.IntRange(min=1), help="Steps of each trace to judge at most.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(
    folder: Path,
    master: str,
    java: str | None,
    output: Path | None,
    overwrite: bool,
    variant: str | None,
    bound: int | None,
    max_steps: int | None,
    form: str,
) -> int:
    """Judge every trace below a folder on Spark: a row of Parquet each, and a summary.

    Exit codes: 0 every trace holds, 1 one is violated, 2 one cannot be read, 3 one is undecided.
    """
    paths = find_traces(folder)
    target = output_folder(folder, output, overwrite)
    summary, judged_by = _replay(paths, Options(variant, bound, max_steps), target, master, java)
    if form == "json":
        click.echo(msgspec.json.format(msgspec.json.encode(summary), indent=2))
    else:
        click.echo(table(summary, judged_by))
        click.echo(f"Verdicts as Parquet: {os.path.relpath(target)}")
    return summary.exit_code()


def _replay(paths: list[Path], options: Options, target: Path, master: str, java: str | None) -> tuple[Summary, str]:
    import pyarrow.parquet

    from checker.spark.replay import replay
    from checker.spark.session import spark_session

    with progress("judging") as report, spark_session(master, java=java) as session:
        replay(session, [str(path) for path in paths], options, target, report)
        judged_by = f"naive replay on Spark {session.version}, master {master}"
    rows = pyarrow.parquet.read_table(target).to_pylist()
    return sum_up(msgspec.convert(row, Row) for row in rows), judged_by


def find_traces(folder: Path) -> list[Path]:
    """Every trace below `folder`, in order. Raises UsageError if there is none."""
    if not folder.is_dir():
        raise UsageError(f"{folder}: there is no such folder; gomboc check takes single files.")
    paths = sorted(folder.rglob("*.jsonl"))
    if not paths:
        raise UsageError(f"{folder}: there is no trace in it; traces are files that end in .jsonl.")
    return paths


def output_folder(folder: Path, output: Path | None, overwrite: bool) -> Path:
    """Where the verdicts go. Raises UsageError if something else is there."""
    target = (output or folder.with_name(f"{folder.name}.verdicts")).absolute()
    if target.exists():
        if not overwrite:
            raise UsageError(f"{target}: there are verdicts already; choose another --output, or --overwrite them.")
        if not target.is_dir() or not (target / "_SUCCESS").exists():
            raise UsageError(f"{target}: this is no folder of verdicts, so it is not overwritten.")
    return target
