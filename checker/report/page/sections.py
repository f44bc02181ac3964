"""What a page can show: a trace, a corpus that was judged, and what other commands have found."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
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

WORST = ("violated", "unreadable", "unknown", "refuted", "holds", "done")
"""Verdicts, the one that a page bears before those that it does not."""


class Section(msgspec.Struct, frozen=True):
    """A part of a page: which template draws it, with what, and its verdict."""

    template: str
    verdict: str
    told: Mapping[str, Any]


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
        (WORDS[judgement.exit_code()], (str(path), judgement.members, judgement.steps, _rounds(judgement)))
        for path, judgement in judged
    ]
    yield _table(str(folder), ("verdict", "trace", "members", "steps", "rounds until legitimate"), rows)
    worst_first = sorted(judged, key=lambda each: _rank(WORDS[each[1].exit_code()]))
    for path, judgement in worst_first[:MOST_FILMS]:
        yield trace_section(path, options, judgement)


def _rounds(judgement: Judgement) -> str:
    return "" if judgement.rounds is None else str(judgement.rounds)


def _table(name: str, head: Sequence[str], rows: Sequence[tuple[str, Sequence[Any]]], note: str = "") -> Section:
    told = [{"verdict": verdict, "cells": cells_} for verdict, cells_ in rows]
    verdict = worst_of((verdict for verdict, _ in rows), "unknown")
    return Section("findings.html.j2", verdict, {"name": name, "head": head, "rows": told, "note": note})


def worst_of(verdicts: Iterable[str], of_nothing: str) -> str:
    """The verdict that something bears in whose parts those were found; `of_nothing` if it has no part."""
    return min(verdicts, key=_rank, default=of_nothing)


def _rank(verdict: str) -> int:
    return WORST.index(verdict) if verdict in WORST else len(WORST)


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
    told = _told(path)
    kinds = {str(each.get("format", "a line without format")) for each in told}
    for kind in sorted(kinds):
        some = [each for each in told if each.get("format") == kind]
        try:
            yield from _of_kind(kind, some, path)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise UsageError(f"{path}: it is not as {kind} writes it ({error}); run the command again.") from error


def _of_kind(kind: str, some: Sequence[Mapping[str, Any]], path: Path) -> Iterator[Section]:
    if kind == "gomboc-replay":
        for each in some:
            yield corpus_section(str(path), msgspec.convert(each, Summary))
    elif kind in ROWS:
        head, rows = ROWS[kind]
        yield _table(f"{path}: {kind}", head, [row for each in some for row in rows(each)])
    else:
        raise UsageError(f"{path}: what {kind} says is no finding, so there is nothing to show.")


def _told(path: Path) -> list[dict[str, Any]]:
    """The objects in a file: a single one, or one a line. Raises UsageError, with the line that is none."""
    text = path.read_bytes()
    try:
        return [msgspec.json.decode(text, type=dict[str, Any])]
    except ValueError:
        lines = text.splitlines()
    told = []
    for number, line in enumerate(lines, 1):
        try:
            told.append(msgspec.json.decode(line, type=dict[str, Any]))
        except ValueError as error:
            raise UsageError(f"{path}: line {number} cannot be read ({error}); run the command again.") from error
    return told


Rows = list[tuple[str, Sequence[Any]]]


def _explored(model: Mapping[str, Any]) -> Rows:
    about = f"{model['name']}: {model['about']}"
    return [
        (each["verdict"]["type"], (about, each["promise"], each["of"], _says(each["verdict"])))
        for each in model["findings"]
    ]


def _says(verdict: Mapping[str, Any]) -> str:
    return str(verdict.get("claim") or verdict.get("why") or verdict.get("says") or "")


def _proved(lemma: Mapping[str, Any]) -> Rows:
    said = [lemma["statement"], *lemma["contrasts"]]
    return [
        (each["result"]["type"], (lemma["name"], each["says"], lemma["ranges_over"], lemma["source"])) for each in said
    ]


def _settled(errata: Mapping[str, Any]) -> Rows:
    return [
        (each["found"], (each["source"], each["title"], each["why"], each["counterexample"]))
        for each in errata["claims"]
    ]


def _checked(judgement: Mapping[str, Any]) -> Rows:
    three = ("conformance", "closure", "convergence")
    says = (
        [_says(judgement[name]) for name in three]
        if "conformance" in judgement
        else [judgement.get("error", ""), "", ""]
    )
    return [(judgement["verdict"], (judgement["trace"], *says))]


ROWS = {
    "gomboc-explore": (("verdict", "model", "promise", "of", "says"), _explored),
    "gomboc-prove": (("verdict", "lemma", "statement", "ranges over", "source"), _proved),
    "gomboc-errata": (("found", "source", "claim", "why", "counterexample"), _settled),
    "gomboc-check": (("verdict", "trace", "conformance", "closure", "convergence"), _checked),
}
"""For each format, the heads of its columns, and its rows: a verdict, and what stands in the other columns."""
