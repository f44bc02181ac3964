"""Report of an exploration, as text and as JSON."""

from collections.abc import Iterator
from typing import Any

import msgspec

from gomboc.checker.explore.covered import extent_of
from gomboc.checker.explore.finding import Exploration, Finding
from gomboc.checker.explore.saving import Saved
from gomboc.checker.explore.target import Target
from gomboc.checker.judge.verdict import WORDS, Holds, Unknown, Violated
from gomboc.spec.pinned import Results


class ReportedExploration(msgspec.Struct, frozen=True):
    """An exploration, the saved counterexamples (by the index of their finding), and the deviations from the record."""

    target: Target
    exploration: Exploration
    saved: dict[int, Saved]
    differing: tuple[str, ...] | None = None


def results_of(exploration: Exploration) -> Results:
    """The results of an exploration that are recorded."""
    counts = exploration.starts, exploration.states, exploration.transitions, exploration.legitimate
    return Results(*counts, tuple(word_for(finding) for finding in exploration.findings))


def word_for(finding: Finding) -> str:
    """A verdict in one word."""
    match finding.verdict:
        case Holds():
            return "holds"
        case Violated():
            return "violated"
        case Unknown():
            return "unknown"


def differences(recorded: Results, results: Results) -> tuple[str, ...]:
    """The deviations of results from the recorded ones, as text."""
    return tuple(
        f"{field}: {_as_text(getattr(results, field))}, recorded {_as_text(getattr(recorded, field))}"
        for field in Results.__struct_fields__
        if getattr(results, field) != getattr(recorded, field)
    )


def _as_text(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else ", ".join(value)


def lines(report: ReportedExploration) -> Iterator[str]:
    """An exploration as text: its model, speed and bounds, and a line for each finding."""
    exploration, target = report.exploration, report.target
    yield f"{target.name}: {target.about}" if target.about else target.name
    counts = (
        (exploration.starts, "initial state"),
        (exploration.states, "state"),
        (exploration.transitions, "transition"),
    )
    yield f"  {', '.join(plural(*count) for count in (*counts, (exploration.legitimate, 'legitimate state')))}"
    speed = f"{exploration.seconds:.1f} s, {pace(exploration):,.0f} states/s"
    yield f"  engine: {exploration.engine}; {exploration.scheduler} scheduler; {speed}"
    if exploration.bounds:
        over = (
            f"; {plural(exploration.beyond, 'transition')} {'leads' if exploration.beyond == 1 else 'lead'} beyond them"
        )
        yield f"  bounds: {exploration.bounds}{over if exploration.beyond else ''}"
    if exploration.stopped:
        yield f"  stopped: {exploration.stopped}"
    for index, finding in enumerate(exploration.findings):
        yield _line(finding, exploration)
        if index in report.saved:
            yield f"    {_where(report.saved[index])}"
    if report.differing is not None:
        yield f"  not as recorded: {'; '.join(report.differing)}" if report.differing else "  as recorded"
    if report.differing is None and _has_unsaved(report):
        yield "  add --output DIR to save each counterexample as a trace"
    if exploration.exit_code():
        yield f"  reproduce: {target.command}"


def _has_unsaved(report: ReportedExploration) -> bool:
    """Whether there is a counterexample that is not saved."""
    findings = enumerate(report.exploration.findings)
    shown = (index for index, finding in findings if isinstance(finding.verdict, Violated) and finding.run is not None)
    return any(index not in report.saved for index in shown)


def headline(report: ReportedExploration, code: int) -> str:
    """An exploration, which came to that exit code, in one line."""
    exploration = report.exploration
    recorded = "" if report.differing is None else "; not as recorded" if report.differing else "; as recorded"
    sizes = f"{plural(exploration.states, 'state')}, {plural(exploration.transitions, 'transition')}"
    stopped = f"; stopped: {exploration.stopped}" if exploration.stopped else ""
    return f"{report.target.name}: {WORDS[code]} ({sizes}{recorded}{stopped})"


def plural(count: int, noun: str) -> str:
    """A number with its noun."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _line(finding: Finding, exploration: Exploration) -> str:
    """A finding in one line, without the extent and the bounds, which stand once above all findings."""
    of = finding.of.removesuffix(f" ({exploration.scheduler} scheduler)")
    whole = extent_of(exploration.states, exploration.transitions, exploration.bounds, exploration.beyond)
    parts = word_for(finding), finding.promise, of, _why(finding, whole)
    return f"  {': '.join(part for part in parts if part)}"


def _why(finding: Finding, whole: str) -> str:
    match finding.verdict:
        case Holds(claim):
            return claim.removesuffix(whole).removesuffix("; ").removesuffix(" of ")
        case Violated() as violated:
            return f"{violated.says} [{violated.source}]" if violated.source else violated.says
        case Unknown(why):
            return why.removesuffix(whole).removesuffix("; ")


def _where(saved: Saved) -> str:
    if saved.confirm:
        return f"saved as {saved.path}; confirmed by: {saved.confirm}"
    return f"saved as {saved.path}; not confirmed: {saved.why}"


def pace(exploration: Exploration) -> float:
    """States per second."""
    return exploration.states / max(exploration.seconds, 1e-6)


def as_json(report: ReportedExploration) -> dict[str, Any]:
    """An exploration as one JSON object."""
    exploration = report.exploration
    whole = {field: getattr(exploration, field) for field in Exploration.__struct_fields__ if field != "findings"}
    named = {
        "name": report.target.name,
        "about": report.target.about,
        **whole,
        "states_per_second": round(pace(exploration)),
    }
    findings = [_finding(finding, report.saved.get(index)) for index, finding in enumerate(exploration.findings)]
    differing = {} if report.differing is None else {"differing": report.differing}
    return {**named, "findings": findings, "reproduce": report.target.command, **differing}


def _finding(finding: Finding, saved: Saved | None) -> dict[str, Any]:
    run = None if finding.run is None else {"steps": len(finding.run.actions), "back": finding.run.back}
    said = {"promise": finding.promise, "of": finding.of, "verdict": finding.verdict, "worst": finding.worst}
    return {**said, "run": run, "saved": saved}
