"""Judge a corpus from beginning to end: verdicts in a folder that appears when they are complete, and a summary."""

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec.structs import replace

from gomboc.checker.core.arrow import pa, read_parquet
from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.output import check_replaceable, mark, only_writer, put_in_place, unwritable
from gomboc.checker.judge.naive import Options, find_variant
from gomboc.checker.replay.run.judging import PartFindings
from gomboc.checker.replay.run.run import CorpusRun, Engine, JudgedCorpus, Verdicts, begin, tidy, unfinished
from gomboc.checker.replay.run.starts import starts_of
from gomboc.checker.replay.run.witness import FOLDER, Shrink, with_witness
from gomboc.checker.replay.run.work import StoreOptions, survey
from gomboc.checker.summary.columns import sum_up_tables
from gomboc.checker.summary.coverage import coverage, scoped
from gomboc.checker.summary.coverage_goals import demanded
from gomboc.checker.summary.summary import Summary, unsettled, was_false

SUMMARY = "summary.json"


class How(msgspec.Struct, frozen=True):
    """Options of a replay: target folder, replacement of other verdicts, work that is done already, work that fails.

    `out_of_scope` are events that need not occur, spelled as coverage prints them. `shrink` makes witnesses smaller.
    `store` has steps that were judged before; `tell` is called with the findings about the distinct steps.
    """

    target: Path
    overwrite: bool = False
    resume: bool = False
    keep_going: bool = False
    out_of_scope: tuple[str, ...] = ()
    shrink: Shrink | None = None
    store: StoreOptions | None = None
    tell: Callable[[PartFindings], None] | None = None


def replay_corpus(folder: Path, options: Options, how: How, engine: Engine) -> Summary:
    """Judge the corpus in `folder`. Raises UsageError if it, or the verdicts, cannot be read or written.

    After such an error, or the death of the process, the verdicts so far stay beside the target, for `resume`. No other
    process may write there meanwhile.
    """
    with only_writer(how.target):
        check_replaceable(how.target, how.overwrite)
        return _replay(folder, options, how, engine)


def _replay(folder: Path, options: Options, how: How, engine: Engine) -> Summary:
    folder_of_run = unfinished(how.target)
    packs = survey(folder, how.keep_going)
    begin(folder_of_run, how.resume)
    try:
        judged = CorpusRun(folder, options, folder_of_run, how.keep_going, how.store).run(engine, packs)
        if how.tell is not None:
            how.tell(judged.judged)
        summary = _summary(judged, folder_of_run, how)
        (folder_of_run / SUMMARY).write_bytes(msgspec.json.format(msgspec.json.encode(summary), indent=2) + b"\n")
        tidy(folder_of_run, [*(verdicts.path for verdicts in judged.verdicts), folder_of_run / SUMMARY])
        mark(folder_of_run)
        put_in_place(folder_of_run, how.target.resolve())
    except OSError as error:
        raise unwritable(how.target, error) from error
    return summary


def _summary(corpus: JudgedCorpus, folder: Path, how: How) -> Summary:
    summary = sum_up_tables(map(_read, corpus.verdicts))
    shutil.rmtree(folder / FOLDER, ignore_errors=True)
    if not corpus.job.protocol:
        return summary
    protocol = find_variant(corpus.job.protocol, None, msgspec.json.decode(corpus.job.parameters))
    clusters = tuple(with_witness(corpus.job, cluster, folder, how.target, how.shrink) for cluster in summary.clusters)
    wanted = demanded(protocol, (line.members for line in summary.lines if line.members is not None))
    starts = starts_of(corpus.job, protocol, corpus.packs)
    idle = sorted(starts.awake.difference(corpus.judged.timed_out))
    seen = unsettled(summary.lines), was_false(summary.lines)
    covered = coverage(protocol, corpus.judged.fired, starts.corruptions, wanted, idle, *seen)
    first = clusters[0].witness if clusters else None
    sizes = [line.members for line in summary.lines if line.members is not None]
    bounds = {str(size): protocol.starts.bound(size) for size in sizes}
    scope = scoped(covered, how.out_of_scope)
    return replace(summary, clusters=clusters, coverage=scope, bounds=bounds, example=first)


def _read(verdicts: Verdicts) -> pa.Table:
    """The table in a file of verdicts, one row for each trace. A missing row must not count as right."""
    says = f"{verdicts.path}: these verdicts are gone or damaged: run again without --resume."
    try:
        table = read_parquet(verdicts.path)
    except (pa.ArrowException, OSError) as error:
        raise UsageError(says) from error
    if len(table) != verdicts.traces:
        raise UsageError(says)
    return table
