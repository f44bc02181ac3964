"""`gomboc replay`: judge a folder of traces on Spark."""

import os
from pathlib import Path

import click
import msgspec

from checker.errors import UsageError
from checker.judge import Options, check_variant
from checker.progress import progress
from checker.report.summary import Summary, sum_up
from checker.report.table import table
from checker.row import Row
from checker.whole import MayReplace, check_place


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
    check_variant(variant)
    target = output or folder.resolve().with_name(f"{folder.resolve().name}.verdicts")
    options = Options(variant, bound, max_steps)
    summary, judged_by = _replay(paths, options, target, no_verdicts if overwrite else None, master, java)
    if form == "json":
        click.echo(msgspec.json.format(msgspec.json.encode(summary), indent=2))
    else:
        click.echo(table(summary, judged_by))
        click.echo(f"Verdicts as Parquet: {os.path.relpath(target)}")
    return summary.exit_code()


def _replay(
    paths: list[Path], options: Options, target: Path, may_replace: MayReplace, master: str, java: str | None
) -> tuple[Summary, str]:
    from checker.spark.replay import replay
    from checker.spark.session import spark_session

    check_place(target, may_replace)
    with progress("judging") as report, spark_session(master, java=java) as session:
        replay(session, [str(path) for path in paths], options, target, report, may_replace)
        judged_by = f"naive replay on Spark {session.version}, master {master}"
    return sum_up(read_rows(target)), judged_by


def read_rows(folder: Path) -> list[Row]:
    """The verdicts in a folder of Parquet files."""
    import pyarrow.parquet

    return [msgspec.convert(row, Row) for row in pyarrow.parquet.read_table(folder).to_pylist()]


def find_traces(folder: Path) -> list[Path]:
    """Every trace below `folder`, in order. Raises UsageError if there is none."""
    if not folder.is_dir():
        raise UsageError(f"{folder}: there is no such folder; gomboc check takes single files.")
    paths = sorted(folder.rglob("*.jsonl"))
    if not paths:
        raise UsageError(f"{folder}: there is no trace in it; traces are files that end in .jsonl.")
    return paths


def no_verdicts(place: Path) -> str | None:
    """Why what is at a place is not taken for a folder of verdicts; None if it is."""
    return None if (place / "_SUCCESS").exists() else "this is no folder of verdicts"
