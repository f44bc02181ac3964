"""`gomboc replay` of runs of a stack: every layer is judged, and every run is joined."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from gomboc.checker.cli.appearance import say
from gomboc.checker.cli.document import json_document
from gomboc.checker.core.apart import check_apart
from gomboc.checker.core.output import check_place
from gomboc.checker.core.progress import progress
from gomboc.checker.judge.naive import Options
from gomboc.checker.report.table import table
from gomboc.checker.stacks.joins import JoinRow, Joins, joined_here, joined_on_spark
from gomboc.checker.stacks.recorded import is_packed
from gomboc.checker.stacks.replay import Corpus, corpus_of_lines, corpus_of_packs, replay_stacks
from gomboc.checker.stacks.table import headline, joins_of
from gomboc.checker.summary.summary import Summary

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Spread(NamedTuple):
    """The workers: processes of this machine, or a Spark master on that Java."""

    jobs: int
    on_spark: bool
    master: str
    java: str | None
    silence: float | None


def replay_folder_of_stacks(
    folder: Path,
    options: Options,
    target: Path,
    overwrite: bool,
    keep_going: bool,
    spread: Spread,
    quiet: bool,
    form: str,
) -> int:
    """Judge the runs below a folder, in lines or packs, and say what was found. Gives the exit code."""
    corpus = corpus_of_packs(folder) if is_packed(folder) else corpus_of_lines(folder)
    check_apart(target, [folder])
    check_place(target, overwrite)
    with _engine(folder, corpus, options, keep_going, spread) as engine:
        summary = replay_stacks(corpus, target, overwrite, engine.judge, engine.join)
    if form == "json":
        click.echo(json_document("replay", summary.exit_code(), summary))
    elif quiet:
        say(f"{folder}: {headline(summary)}")
    else:
        for name, layer in summary.layers.items():
            say(f"Layer {name}.\n{table(layer, engine.name)}\n")
        say("\n".join(joins_of(summary)))
        click.echo(f"Verdicts as Parquet: {os.path.relpath(target)}")
    return summary.exit_code()


@contextmanager
def _engine(
    folder: Path, corpus: Corpus, options: Options, keep_going: bool, spread: Spread
) -> "Iterator[_Here | _OnSpark]":
    if not spread.on_spark:
        yield _Here(folder, corpus, options, keep_going, spread.jobs)
        return
    from gomboc.checker.replay.spark.session import spark_session

    with spark_session(spread.master, java=spread.java, silence=spread.silence) as session:
        yield _OnSpark(folder, corpus, options, keep_going, session)


class _Here:
    """Works in processes of this machine."""

    def __init__(self, folder: Path, corpus: Corpus, options: Options, keep_going: bool, jobs: int) -> None:
        self._folder, self._corpus, self._options = folder, corpus, options
        self._keep_going, self._jobs = keep_going, jobs
        kind = "factored" if corpus.joins.packed else "naive"
        self.name = f"{kind} replay in {jobs} process{'es' if jobs > 1 else ''}"

    def judge(self, layer: str, paths: Sequence[str], target: Path) -> Summary:
        """Judge the traces of a layer."""
        if self._corpus.joins.packed:
            from gomboc.checker.replay.run.local import LocalPool
            from gomboc.checker.replay.run.replay import How, replay_corpus

            how = How(target, keep_going=self._keep_going)
            return replay_corpus(self._folder / layer, self._options, how, LocalPool(self._jobs))
        from gomboc.checker.replay.lines import replay_lines

        with progress("judging") as report:
            return replay_lines(list(paths), self._options, target, self._jobs, report)

    def join(self, joins: Joins) -> list[JoinRow]:
        """Join the runs."""
        with progress("joining") as report:
            return joined_here(joins, self._jobs, report)


class _OnSpark:
    """Works on the executors of a Spark session."""

    def __init__(
        self, folder: Path, corpus: Corpus, options: Options, keep_going: bool, session: "SparkSession"
    ) -> None:
        self._folder, self._corpus, self._options = folder, corpus, options
        self._keep_going, self._session = keep_going, session
        kind = "factored" if corpus.joins.packed else "naive"
        self.name = f"{kind} replay on Spark {session.version}, master {session.sparkContext.master}"

    def judge(self, layer: str, paths: Sequence[str], target: Path) -> Summary:
        """Judge the traces of a layer."""
        if self._corpus.joins.packed:
            from gomboc.checker.replay.run.on_spark import OnSpark
            from gomboc.checker.replay.run.replay import How, replay_corpus

            how = How(target, keep_going=self._keep_going)
            return replay_corpus(self._folder / layer, self._options, how, OnSpark(self._session))
        from gomboc.checker.replay.spark.replay import replay
        from gomboc.checker.report.rows import read_rows
        from gomboc.checker.summary.summary import sum_up

        with progress("judging") as report:
            replay(self._session, list(paths), self._options, target, report, False)
        return sum_up(read_rows(target))

    def join(self, joins: Joins) -> list[JoinRow]:
        """Join the runs."""
        return joined_on_spark(self._session, joins)
