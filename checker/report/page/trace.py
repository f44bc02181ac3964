"""A trace on a page: the judge's verdict, expected and actual values, four stills, and the film."""

import shlex
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from gomboc.checker.core.phrases import counted
from gomboc.checker.judge.naive import Options
from gomboc.checker.judge.verdict import WORDS, Difference, Judgement, Violated
from gomboc.checker.report.page.camera import film_of
from gomboc.checker.report.page.film import Film, drawn_lines, legend_of
from gomboc.checker.report.page.section import TRACE_TEMPLATE, Section
from gomboc.checker.report.page.stills import frames, moments, svg
from gomboc.checker.report.page.variables import text_of
from gomboc.checker.report.page.window import Window, fitting
from gomboc.checker.report.scene import scenes
from gomboc.checker.report.text import lines as judgement_lines
from gomboc.checker.summary.repro_command import check_again, stranger_words


def trace_section(path: Path, options: Options, judgement: Judgement, step: int | None = None) -> Section:
    """A trace. The film shows the steps around `step`, or around the first violation, or from the start on."""
    wrong = [violated.step for violated in judgement.violations() if violated.node]
    text = judgement_lines(judgement, check_again(path, options), scenes(path, wrong) if wrong else {})
    values: dict[str, Any] = {
        "name": str(path),
        "text": "\n".join(text),
        "violations": [*_violations(judgement)],
        "notes": [],
        "film": "",
        "stills": (),
    }
    readable = _readable(judgement)
    if readable is None:
        values["notes"] = ["There is no film: a value before the first step is malformed."]
    else:
        values |= _filmed(path, options, judgement, readable, step)
    return Section(TRACE_TEMPLATE, WORDS[judgement.exit_code()], values)


def _filmed(path: Path, options: Options, judgement: Judgement, readable: int, step: int | None) -> dict[str, Any]:
    """The film, and the values of its template."""
    seen = Options(options.variant, options.bound, readable)
    steps = min(judgement.steps, readable)
    first = next((violated.step for violated in judgement.violations()), None)
    around = min(steps, next(step_number for step_number in (step, first, 0) if step_number is not None))

    def filmed(window: Window) -> Film:
        return film_of(path, seen, window)

    film = fitting(filmed, around, steps)
    shown = partial(_is_shown, film)
    violation = first if shown(first) else None
    return {
        "film": msgspec.json.encode(film).decode().replace("<", "\\u003c"),
        "legend": legend_of(film, drawn_lines(film)),
        "conjuncts": [*film.conjuncts.items()],
        "pictured": film.pictured,
        "violation": violation,
        "legitimate": film.legitimate if shown(film.legitimate) else None,
        "first": around,
        "before": film.before,
        "last": film.last,
        "reproduce": _again(path, options),
        "notes": [*_notes(film, judgement, readable)],
        "stills": [{"svg": svg(frame), "caption": frame.caption} for frame in frames(film, moments(film, violation))],
    }


def _is_shown(film: Film, step: int | None) -> bool:
    return step is not None and film.before <= step <= film.last


def _notes(film: Film, judgement: Judgement, readable: int) -> Iterator[str]:
    """Notes on the steps that are shown, if these are not all."""
    if len(film.shots) < film.steps:
        shown = f"{film.before + 1:,} to {film.last:,}"
        yield f"Only steps {shown} of {film.steps:,} are shown."
    if readable < judgement.steps:
        yield f"Only the first {counted(readable, 'step')} are shown: the next one has a malformed value."
    if film.legitimate is not None and not _is_shown(film, film.legitimate):
        yield f"The system is legitimate from step {film.legitimate:,} to the end, which is not shown."


def _again(path: Path, options: Options) -> str:
    """The command that makes a page of other steps; the page appends the step."""
    words = ["gomboc", "report", *stranger_words(), str(path)]
    words += ["--variant", options.variant] if options.variant else []
    words += ["--bound", str(options.bound)] if options.bound is not None else []
    return shlex.join([*words, "--output", "steps.html", "--step"])


def _readable(judgement: Judgement) -> int | None:
    """The number of steps that can be filmed: those before a malformed value. None: not even the start."""
    malformed = next(
        (violation.step for violation in judgement.violations() if violation.rule == "canonical"), judgement.steps + 1
    )
    return malformed - 1 if malformed else None


def _violations(judgement: Judgement) -> Iterator[dict[str, Any]]:
    """The violations, for the template, in the order of the steps."""
    names = {id(verdict): name for name, verdict in judgement.verdicts()}
    for violated in judgement.violations():
        yield {
            "promise": names[id(violated)],
            "step": violated.step,
            "at": f" at {violated.node}" if violated.node else "",
            "says": violated.says if violated.rule == names[id(violated)] else f"{violated.rule}: {violated.says}",
            "source": violated.source,
            "differences": _compared(violated),
        }


def _compared(violated: Violated) -> Sequence[tuple[str, str, str]]:
    """The differences between a step and its expectation: path, expected, actual."""
    return [_row(difference) for difference in violated.differences]


def _row(difference: Difference) -> tuple[str, str, str]:
    where = difference.where
    if where.startswith("not sent to "):
        return where.removeprefix("not "), text_of(difference.expected), "not sent"
    if where.startswith("sent to "):
        return where, "not sent", text_of(difference.found)
    return where or "state", text_of(difference.expected), text_of(difference.found)
