"""What a page can show: a trace, a corpus that was judged, and what other commands have found."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from gomboc.checker.again import check_again
from gomboc.checker.errors import UsageError
from gomboc.checker.folder import files_below
from gomboc.checker.judge.naive import Options, judge_file
from gomboc.checker.judge.trace import FORMAT
from gomboc.checker.judge.verdict import WORDS, Judgement
from gomboc.checker.report.coverage import lines as coverage_lines
from gomboc.checker.report.page.chart import rounds_chart
from gomboc.checker.report.page.film import film_of
from gomboc.checker.report.page.findings import table_of, tables_of
from gomboc.checker.report.page.section import Row, Section, rank, table
from gomboc.checker.report.page.stills import frames, legitimate_at, moments, svg
from gomboc.checker.report.rows import read_rows
from gomboc.checker.report.scene import scenes
from gomboc.checker.report.summary import Summary, sum_up
from gomboc.checker.report.table import HEADINGS, cells
from gomboc.checker.report.text import lines as judgement_lines
from gomboc.checker.words import counted

MOST_FILMS = 3
"""Traces of a folder that are shown as films at most: those that do not hold come first."""

MOST_STEPS = 20_000
"""Steps of a film at most: more do not fit into a page that stays quick."""


def sections_of(path: Path, options: Options) -> Iterator[Section]:
    """The sections on what is at that path. Raises UsageError if it is nothing that can be shown."""
    if path.is_dir():
        summary = path / "summary.json"
        if summary.is_file():
            yield corpus_section(str(path), _read(summary))
            return
        if any(path.glob("*.parquet")):
            yield corpus_section(str(path), sum_up(read_rows(path)))
            return
        yield from _traces(path, options)
    elif (found := _first(path)).get("format") == FORMAT:
        yield trace_section(path, options, judge_file(path, options))
    elif str(found.get("format", "")).startswith("gomboc-"):
        yield from _findings(path)
    else:
        raise UsageError(
            f"{path}: it is no trace, no folder of traces or verdicts, and nothing that a gomboc command wrote as JSON."
        )


def _first(path: Path) -> dict[str, Any]:
    try:
        text = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}.") from error
    for part in (text.partition(b"\n")[0], text):
        try:
            found = msgspec.json.decode(part)
        except ValueError:
            continue
        return found if isinstance(found, dict) else {}
    return {}


def _read(path: Path) -> Summary:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Summary)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: it cannot be read ({error}); replay the corpus again.") from error


def _traces(folder: Path, options: Options) -> Iterator[Section]:
    paths = files_below(folder, ".jsonl")
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
        yield trace_section(path, options, judgement)


def _rounds(judgement: Judgement) -> str:
    return "" if judgement.rounds is None else str(judgement.rounds)


def trace_section(path: Path, options: Options, judgement: Judgement) -> Section:
    """A trace: what the judge said of it, four stills, and the film."""
    wrong = [each.step for each in judgement.violations() if each.node]
    text = judgement_lines(judgement, check_again(path, options), scenes(path, wrong) if wrong else {})
    first = judgement.violations()[0] if judgement.violations() else None
    readable = _readable(judgement)
    note = (
        "" if readable is None or readable >= judgement.steps else f"The film ends after {counted(readable, 'step')}."
    )
    told: dict[str, Any] = {"name": str(path), "text": "\n".join(text), "note": note, "film": "", "stills": ()}
    if readable is None:
        return Section("trace.html.j2", WORDS[judgement.exit_code()], told)
    film = film_of(path, Options(options.variant, options.bound, readable))
    legitimate = legitimate_at(film)
    violation = None if first is None or first.step > len(film.shots) else first.step
    told |= {
        "film": msgspec.json.encode(film).decode().replace("</", "<\\/"),
        "levels": film.levels,
        "conjuncts": [*film.conjuncts.items()],
        "violation": violation,
        "legitimate": legitimate,
        "first": violation or 0,
        "stills": [{"svg": svg(frame), "caption": frame.caption} for frame in frames(film, *moments(film))],
    }
    return Section("trace.html.j2", WORDS[judgement.exit_code()], told)


def _readable(judgement: Judgement) -> int | None:
    """How many steps can be filmed: none from a value on that its type does not allow."""
    canonical = next((each.step for each in judgement.violations() if each.rule == "canonical"), MOST_STEPS + 1)
    return None if canonical == 0 else min(canonical - 1, MOST_STEPS) or None


def corpus_section(name: str, summary: Summary) -> Section:
    """A corpus that was judged: verdicts, rounds against n, clusters of failures, and coverage."""
    sizes = [line for line in summary.lines if line.members is not None]
    coverage = "" if summary.coverage is None else "\n".join(coverage_lines(summary.coverage))
    told = {
        "name": name,
        "verdicts": [*summary.verdicts.items()],
        "chart": rounds_chart(sizes, summary.bounds),
        "head": HEADINGS,
        "rows": [cells(line) for line in summary.lines],
        "clusters": summary.clusters,
        "coverage": coverage,
    }
    return Section("corpus.html.j2", WORDS[summary.exit_code()], told)


def _findings(path: Path) -> Iterator[Section]:
    """What explore, prove, errata, check or replay wrote as JSON."""
    for kind, documents in tables_of(path):
        try:
            if kind == "gomboc-replay":
                yield from (corpus_section(str(path), msgspec.convert(one, Summary)) for one in documents)
            else:
                yield table_of(kind, documents, path)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise UsageError(f"{path}: it is not as {kind} writes it ({error}); run the command again.") from error
