"""Sections of a page: a trace, a corpus that was judged, or the results of other commands."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.judge.naive import Options, judge_file
from gomboc.checker.judge.verdict import WORDS, Judgement
from gomboc.checker.report.page.corpus import corpus_sections
from gomboc.checker.report.page.findings import table_of, tables_of
from gomboc.checker.report.page.lanes import stack_section
from gomboc.checker.report.page.section import Row, Section, rank, table
from gomboc.checker.report.page.trace import trace_section
from gomboc.checker.report.rows import read_rows
from gomboc.checker.stacks.judge import StackJudgement, judge_stack
from gomboc.checker.stacks.recorded import read_run, stacks_below
from gomboc.checker.summary.summary import Summary, sum_up
from gomboc.checker.traces.trace import FORMAT
from gomboc.checker.traces.trace_files import read_whole, traces_below

MOST_FILMS = 3
"""Maximal number of films for a folder of traces: traces that do not hold come first."""


def sections_of(path: Path, options: Options, step: int | None = None) -> Iterator[Section]:
    """The sections for a path; of a trace, those steps that are around `step`.

    Raises UsageError if the path cannot be shown.
    """
    if path.is_dir():
        summary = path / "summary.json"
        if summary.is_file():
            yield from corpus_sections(path, _read(summary), options)
            return
        if any(path.glob("*.parquet")):
            yield from corpus_sections(path, sum_up(read_rows(path)), options)
            return
        yield from _runs(path, options, step) if stacks_below(path) else _traces(path, options, step)
    elif (document := _first(path)).get("format") == FORMAT:
        yield trace_section(path, options, judge_file(path, options), step)
    elif str(document.get("format", "")).startswith("gomboc-"):
        yield from _findings(path, options)
    else:
        raise UsageError(
            f"{path}: it is no trace, no folder of traces or verdicts, and nothing that a gomboc command wrote as JSON."
        )


def _first(path: Path) -> dict[str, Any]:
    text = read_whole(path)
    for part in (text.partition(b"\n")[0], text):
        try:
            document = msgspec.json.decode(part)
        except ValueError:
            continue
        return document if isinstance(document, dict) else {}
    return {}


def _read(path: Path) -> Summary:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Summary)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: it cannot be read ({error}); replay the corpus again.") from error


def _runs(folder: Path, options: Options, step: int | None) -> Iterator[Section]:
    """The runs of stacks below a folder, those that do not hold first; of a single one, also films of its traces."""
    judged = sorted(((run, judge_stack(run, options)) for run in stacks_below(folder)), key=_worst_first)
    for run, judgement in judged[:MOST_FILMS]:
        yield stack_section(*read_run(run), judgement)
    if len(judged) == 1:
        traces = sorted(judged[0][1].traces.values(), key=lambda trace: rank(WORDS[trace.exit_code()]))
        for trace in traces[:MOST_FILMS]:
            yield trace_section(Path(trace.trace), options, trace, step)


def _worst_first(judged: tuple[Path, StackJudgement]) -> int:
    return rank(WORDS[judged[1].exit_code()])


def _traces(folder: Path, options: Options, step: int | None) -> Iterator[Section]:
    paths = traces_below(folder)
    if not paths:
        raise UsageError(f"{folder}: there is no trace in it, and no verdict of a replay.")
    judged = [(path, judge_file(path, options)) for path in paths]
    rows = [
        Row(verdict, (str(path), judgement.members, judgement.steps, _rounds(judgement)), verdict)
        for path, judgement in judged
        for verdict in [WORDS[judgement.exit_code()]]
    ]
    yield table(str(folder), ("verdict", "trace", "members", "steps", "rounds until legitimate"), rows)
    worst_first = sorted(judged, key=lambda pair: rank(WORDS[pair[1].exit_code()]))
    for path, judgement in worst_first[:MOST_FILMS]:
        yield trace_section(path, options, judgement, step)


def _rounds(judgement: Judgement) -> str:
    return "" if judgement.rounds is None else str(judgement.rounds)


def _findings(path: Path, options: Options) -> Iterator[Section]:
    """The JSON output of explore, prove, errata, check or replay."""
    for kind, documents in tables_of(path):
        try:
            if kind == "gomboc-replay":
                for document in documents:
                    yield from corpus_sections(path, msgspec.convert(document, Summary), options)
            else:
                yield table_of(kind, documents, path)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise UsageError(f"{path}: it is not as {kind} writes it ({error}); run the command again.") from error
