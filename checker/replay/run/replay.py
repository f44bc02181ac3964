"""A corpus judged from beginning to end: verdicts, in a folder that is there when they are complete; a summary."""

import shutil
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet
from msgspec.structs import replace

from checker.errors import UsageError
from checker.judge.naive import Options, find_variant
from checker.replay.run.run import Corpus, Engine, Found, begin, tidy, unfinished
from checker.replay.run.starts import corruptions
from checker.replay.run.witness import FOLDER, with_witness
from checker.replay.run.work import survey
from checker.report.columns import sum_up_tables
from checker.report.coverage import coverage
from checker.report.demanded import demanded
from checker.report.summary import Summary
from checker.whole import MayReplace, check_place

SUMMARY = "summary.json"


class How(msgspec.Struct, frozen=True):
    """Where the verdicts go, what they may replace, and what to do about work that is done, or cannot be."""

    target: Path
    may_replace: MayReplace = None
    resume: bool = False
    keep_going: bool = False


def replay_corpus(folder: Path, options: Options, how: How, engine: Engine) -> Summary:
    """Judge the corpus in `folder`. Raises UsageError if it, or the verdicts, cannot be read or written.

    What has been judged when that happens, or when the process dies, stays beside the target, for `resume`.
    """
    check_place(how.target, how.may_replace)
    place = unfinished(how.target)
    packs = survey(folder, how.keep_going)
    begin(place, how.resume)
    try:
        found = Corpus(folder, options, place, how.keep_going).run(engine, packs)
        summary = _summary(found, place, how.target)
        (place / SUMMARY).write_bytes(msgspec.json.format(msgspec.json.encode(summary), indent=2) + b"\n")
        tidy(place, [*found.verdicts, place / SUMMARY])
        if how.target.exists():
            shutil.rmtree(how.target)
        place.rename(how.target)
    except OSError as error:
        raise UsageError(f"{how.target}: it cannot be written: {error.strerror}.") from error
    return summary


def _summary(found: Found, place: Path, target: Path) -> Summary:
    summary = sum_up_tables(map(_read, found.verdicts))
    shutil.rmtree(place / FOLDER, ignore_errors=True)
    if not found.job.protocol:
        return summary
    protocol = find_variant(found.job.protocol, None, msgspec.json.decode(found.job.parameters))
    clusters = tuple(with_witness(found.job, cluster, place, target) for cluster in summary.clusters)
    wanted = demanded(protocol, (line.members for line in summary.lines if line.members is not None))
    covered = coverage(protocol, found.judged.fired, corruptions(found.job, protocol, found.packs), wanted)
    first = clusters[0].witness if clusters else None
    return replace(summary, clusters=clusters, coverage=covered, example=first)


def _read(path: Path) -> pa.Table:
    try:
        return pyarrow.parquet.read_table(path)
    except (pa.ArrowException, OSError) as error:
        raise UsageError(f"{path}: these verdicts are gone or damaged: run again without --resume.") from error
