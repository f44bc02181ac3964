"""`gomboc replay`: judge a folder of traces, or a corpus of packs, on this machine or on Spark."""

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from gomboc.checker.cli.appearance import quiet_option, say
from gomboc.checker.cli.commands import completion
from gomboc.checker.cli.commands.replay_stacks import Spread, replay_folder_of_stacks
from gomboc.checker.cli.document import json_document
from gomboc.checker.cli.paths import EXISTING, Seconds
from gomboc.checker.cli.without_effect import OF_SPARK, first_given, refuse
from gomboc.checker.core.apart import check_apart
from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.folder import names_in
from gomboc.checker.core.output import check_place
from gomboc.checker.core.phrases import counted, suggestion
from gomboc.checker.core.progress import progress
from gomboc.checker.core.protocol_option import protocol_option
from gomboc.checker.judge.naive import Options, check_variant
from gomboc.checker.report.rows import read_rows
from gomboc.checker.report.table import headline, table
from gomboc.checker.stacks.recorded import stacks_below
from gomboc.checker.summary.coverage import scoped
from gomboc.checker.summary.summary import Summary, sum_up
from gomboc.checker.traces.trace_files import some_traces_below

if TYPE_CHECKING:
    from gomboc.checker.replay.run.judging import PartFindings
    from gomboc.checker.replay.run.work import StoreOptions

SHRINK_SECONDS = 30.0
"""Time to look for a smaller trace, for each witness."""

OF_PACKS = ("resume", "keep_going", "shrink", "store", "store_limit", "no_store")
"""The options that only packs have."""

NOT_OF_STACKS = ("variant", "resume", "shrink", "store", "store_limit", "no_store", "out_of_scope")
"""The options that runs of a stack do not have."""


@click.command("replay")
@click.argument("folder", type=EXISTING, metavar="DIR")
@click.option(
    "--engine",
    type=click.Choice(["auto", "local", "spark"]),
    default="auto",
    show_default=True,
    help="Where to judge: in processes of this machine, or on Spark. auto: on Spark if --master is not local.",
)
@click.option("--master", default="local[*]", show_default=True, help="The Spark master.")
@click.option("--java", metavar="PATH", help="The Java to run Spark on; 17, 21 or 25.")
@click.option(
    "--silence", type=Seconds(), help="How long Spark may be silent while it starts. [default: by the master]"
)
@click.option(
    "--output",
    type=EXISTING,
    metavar="DIR",
    help="The folder for the verdicts as Parquet. [default: DIR.verdicts]",
)
@click.option("--overwrite", is_flag=True, help="Replace verdicts that are there.")
@click.option("--resume", is_flag=True, help="Packs: continue an interrupted run with the same --output.")
@click.option("--keep-going", is_flag=True, help="Packs: if one cannot be read, judge the others.")
@click.option(
    "--store",
    type=EXISTING,
    metavar="DIR",
    help="Packs: a folder of steps that were judged before. [default: in your cache; on Spark, none]",
)
@click.option(
    "--store-limit",
    type=click.IntRange(min=1),
    metavar="MIB",
    help="Packs: MiB that the store holds at most; the oldest files go first. [default: 1024]",
)
@click.option("--no-store", is_flag=True, help="Packs: judge every distinct step anew; so does GOMBOC_NO_STORE=1.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes. [default: one per core]")
@completion.variant_option("Judge the traces by a rule as printed.")
@click.option("--bound", type=click.IntRange(min=0), help="Rounds within which a run must become legitimate.")
@click.option("--max-steps", type=click.IntRange(min=1), help="Steps of each trace to judge at most.")
@click.option(
    "--out-of-scope",
    multiple=True,
    metavar="THING",
    help="Coverage goal that need not be met: the text after 'Not covered:', without the full stop. Can be repeated.",
)
@click.option(
    "--shrink", is_flag=True, help="Packs: write a smaller trace with the same violation beside each witness."
)
@quiet_option("One line, and no progress.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@protocol_option
def command(
    folder: Path,
    output: Path | None,
    overwrite: bool,
    variant: str | None,
    bound: int | None,
    max_steps: int | None,
    quiet: bool,
    form: str,
    **engine: Any,
) -> int:
    """Judge every trace below a folder: a row of Parquet each, and a summary.

    A corpus of packs is judged all at once, with the verdicts that each trace would get by itself, and failures are
    grouped by the violated conditions, with the smallest trace of each group. A corpus that exercises too little is
    undecided. Of runs of a stack, in lines or packs, each layer is judged by itself, and each run is joined.

    Exit codes: 0 every trace holds, 1 one is violated, 2 one cannot be read, 3 one is undecided; the first of 1, 2, 3
    that applies.
    """
    chosen = Chosen(**engine)
    refuse(*((("jobs",), "on Spark") if chosen.on_spark else (OF_SPARK, "without --engine spark")))
    target = output or folder.resolve().with_name(f"{folder.resolve().name}.verdicts")
    options = Options(variant, bound, max_steps)
    if folder.is_dir() and stacks_below(folder):
        if option := first_given(NOT_OF_STACKS):
            raise UsageError(f"{folder}: these are runs of a stack, which have no {option}: leave it out.")
        spread = Spread(chosen.jobs or os.cpu_count() or 1, chosen.on_spark, chosen.master, chosen.java, chosen.silence)
        return replay_folder_of_stacks(folder, options, target, overwrite, chosen.keep_going, spread, quiet, form)
    if _has_packs(folder):
        check_variant(variant)
        check_apart(target, (folder / name for name in names_in(folder) if _is_packed(name)))
        summary, judged_by = _replay_packs(folder, options, target, overwrite, chosen, quiet or form == "json")
    else:
        paths = find_traces(folder)
        check_apart(target, paths)
        check_variant(variant)
        if option := first_given(OF_PACKS):
            raise UsageError(f"{folder}: {option} is for packs; make packs of these traces with gomboc ingest.")
        summary, judged_by = _replay_lines(list(map(str, paths)), options, target, overwrite, chosen)
        if summary.coverage is not None:
            summary = msgspec.structs.replace(summary, coverage=scoped(summary.coverage, chosen.out_of_scope))
    _say_unmatched(chosen.out_of_scope, summary)
    if form == "json":
        click.echo(json_document("replay", summary.exit_code(), summary))
    elif quiet:
        say(f"{folder}: {headline(summary)}")
    else:
        say(table(summary, judged_by))
        click.echo(f"Verdicts as Parquet: {os.path.relpath(target)}")
    return summary.exit_code()


def _say_unmatched(out_of_scope: Sequence[str], summary: Summary) -> None:
    """Warn of each --out-of-scope without effect: the goal is covered now, or its name is wrong."""
    covered = summary.coverage
    matched = covered.out_of_scope if covered is not None else ()
    missing = covered.missing if covered is not None else ()
    for name in sorted(set(out_of_scope).difference(matched)):
        says = f"gomboc: --out-of-scope {name!r}: nothing of that name is missing.{suggestion(name, missing)}"
        click.echo(says, err=True)


class Chosen(msgspec.Struct, frozen=True):
    """The engine that the user chose, its settings, and the coverage goals that the corpus need not meet."""

    engine: str
    master: str
    java: str | None
    silence: float | None
    resume: bool
    keep_going: bool
    store: Path | None
    store_limit: int | None
    no_store: bool
    jobs: int | None
    out_of_scope: tuple[str, ...]
    shrink: bool

    @property
    def on_spark(self) -> bool:
        """Whether packs are judged on Spark."""
        return self.engine == "spark" or (self.engine == "auto" and not self.master.startswith("local"))


def _has_packs(folder: Path) -> bool:
    """Whether there are packs, judged by file names, without the dependencies that read them."""
    return folder.is_dir() and any(map(_is_packed, names_in(folder)))


def _is_packed(name: str) -> bool:
    """Whether a file of this name belongs to a corpus of packs."""
    return name == "manifest.json" or name.endswith(".pack")


def _replay_packs(
    folder: Path, options: Options, target: Path, overwrite: bool, chosen: Chosen, quiet: bool
) -> tuple[Summary, str]:
    from gomboc.checker.replay.run.local import LocalPool
    from gomboc.checker.replay.run.replay import How, replay_corpus

    smaller = _smaller if chosen.shrink else None
    store, tell = _store(chosen), partial(_tell_of_store, quiet)
    how = How(target, overwrite, chosen.resume, chosen.keep_going, chosen.out_of_scope, smaller, store, tell)
    if not chosen.on_spark:
        engine = LocalPool(chosen.jobs or os.cpu_count() or 1)
        return replay_corpus(folder, options, how, engine), engine.name
    from gomboc.checker.replay.run.on_spark import OnSpark
    from gomboc.checker.replay.spark.session import spark_session

    check_place(target, overwrite)
    with spark_session(chosen.master, java=chosen.java, silence=chosen.silence) as session:
        on_spark = OnSpark(session)
        return replay_corpus(folder, options, how, on_spark), on_spark.name


def _store(chosen: Chosen) -> "StoreOptions | None":
    """The store to use. Raises UsageError if one was demanded and cannot be used; otherwise the run goes on without."""
    from gomboc.checker.replay.run.work import StoreOptions
    from gomboc.checker.replay.store.segment import StoreError
    from gomboc.checker.replay.store.store import MOST_BYTES, check_private, default_folder

    if chosen.store is not None and chosen.no_store:
        raise UsageError("Give --store or --no-store.")
    if chosen.store_limit is not None and chosen.no_store:
        raise UsageError("Give --store-limit or --no-store.")
    unwanted = chosen.on_spark or os.environ.get("GOMBOC_NO_STORE")
    if chosen.no_store or (chosen.store is None and unwanted):
        return None
    folder = (chosen.store or default_folder()).resolve()
    try:
        check_private(folder)
    except StoreError as error:
        if chosen.store is not None:
            raise
        click.echo(f"gomboc: no store is used: {error}", err=True)
        return None
    return StoreOptions(str(folder), MOST_BYTES if chosen.store_limit is None else chosen.store_limit << 20)


def _tell_of_store(quiet: bool, judged: "PartFindings") -> None:
    for note in judged.notes:
        click.echo(f"gomboc: {note}", err=True)
    if judged.known and not quiet:
        known, steps = f"{judged.known:,}", counted(judged.distinct, "distinct step")
        click.echo(f"Judged before, by the same specification: {known} of {steps}.")


def _smaller(path: Path, options: Options) -> tuple[Path, bool] | None:
    """Write a smaller trace beside the one at `path`. Its path, and whether it was run; None if there is none."""
    from gomboc.checker.shrink.case import read_case
    from gomboc.checker.simulate.apart import shrink_apart

    small = path.with_suffix(".small.jsonl")
    try:
        case = read_case(path)
        result = shrink_apart(case, options, seconds=SHRINK_SECONDS)
        if result.case == case:
            return None
        small.write_bytes(result.case.text())
    except Exception:  # noqa: BLE001  # the witness is shown even if the search for a smaller one fails
        small.unlink(missing_ok=True)
        return None
    return small, result.run


def _replay_lines(
    paths: list[str], options: Options, target: Path, overwrite: bool, chosen: Chosen
) -> tuple[Summary, str]:
    if not chosen.on_spark:
        from gomboc.checker.replay.lines import replay_lines

        jobs = chosen.jobs or os.cpu_count() or 1
        with progress("judging") as report:
            summary = replay_lines(paths, options, target, jobs, report, overwrite)
        return summary, f"naive replay in {jobs} process{'es' if jobs > 1 else ''}"
    from gomboc.checker.replay.exercised import with_coverage
    from gomboc.checker.replay.spark.replay import replay
    from gomboc.checker.replay.spark.session import spark_session

    check_place(target, overwrite)
    started = spark_session(chosen.master, java=chosen.java, silence=chosen.silence)
    with progress("judging") as report, started as session:
        exercised = replay(session, paths, options, target, report, overwrite)
        judged_by = f"naive replay on Spark {session.version}, master {chosen.master}"
    return with_coverage(sum_up(read_rows(target)), exercised), judged_by


def find_traces(folder: Path) -> list[Path]:
    """Every trace below `folder`, in order. Raises UsageError if there is none, or if part of it cannot be read."""
    if not folder.is_dir():
        raise UsageError(f"{folder}: there is no such folder; gomboc check takes single files, and -.")
    return some_traces_below(folder)
