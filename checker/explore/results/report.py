"""Report of an exploration, as text and as JSON."""

from collections.abc import Iterator
from typing import Any

import msgspec

from gomboc.checker.core.phrases import counted
from gomboc.checker.explore.questions.target import Target
from gomboc.checker.explore.results.finding import Exploration, Finding
from gomboc.checker.explore.results.saving import Saved
from gomboc.checker.judge.verdict import WORDS, Holds, Unknown, Violated
from gomboc.spec.core.pinned import Results


class ReportedExploration(msgspec.Struct, frozen=True):
    """An exploration, the saved counterexamples (by the index of their finding), and the deviations from the record."""

    target: Target
    exploration: Exploration
    saved: dict[int, Saved]
    differing: tuple[str, ...] | None = None


def results_of(exploration: Exploration) -> Results:
    """The results of an exploration that are recorded."""
    extent = exploration.extent
    words = tuple(word_for(finding) for finding in exploration.findings)
    counts = extent.starts, extent.states, extent.transitions, exploration.legitimate
    return Results(*counts, words, extent.leaving)


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
    """The deviations of results from the recorded ones, as text. What was not counted is not compared."""
    return tuple(
        f"{field}: {_as_text(getattr(results, field))}, recorded {_as_text(getattr(recorded, field))}"
        for field in Results.__struct_fields__
        if getattr(recorded, field) is not None and getattr(results, field) != getattr(recorded, field)
    )


def _as_text(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else ", ".join(value)


def lines(report: ReportedExploration) -> Iterator[str]:
    """An exploration as text: its model, speed and bounds, and a line for each finding."""
    exploration, extent, target = report.exploration, report.exploration.extent, report.target
    yield f"{target.name}: {target.about}" if target.about else target.name
    counts = (
        (extent.starts, "initial state"),
        (extent.states, "state"),
        (extent.transitions, "transition"),
        (exploration.legitimate, "legitimate state"),
    )
    yield f"  {', '.join(counted(*count) for count in counts)}"
    speed = f"{exploration.seconds:.1f} s, {pace(exploration):,.0f} states/s"
    yield f"  engine: {exploration.engine}; {exploration.scheduler} scheduler; {speed}"
    if extent.bounds or extent.exceeding:
        yield f"  bounds: {'; '.join(filter(None, (extent.bounds, extent.exceeding)))}"
    if extent.stopped:
        yield f"  stopped: {extent.stopped}"
    for index, finding in enumerate(exploration.findings):
        yield _line(finding, exploration)
        if index in report.saved:
            yield f"    {_where(report.saved[index])}"
    if report.differing is not None:
        yield f"  not as recorded: {'; '.join(report.differing)}" if report.differing else "  as recorded"
    if report.differing is None:
        yield from _hints(report)
    if exploration.exit_code():
        yield f"  reproduce: {target.command}"


def _hints(report: ReportedExploration) -> Iterator[str]:
    """How to save the runs that are not saved."""
    unsaved = [
        finding.verdict
        for index, finding in enumerate(report.exploration.findings)
        if finding.run is not None and index not in report.saved
    ]
    if any(isinstance(verdict, Violated) for verdict in unsaved):
        yield "  add --output DIR to save each counterexample as a trace"
    elif unsaved:
        yield "  add --output DIR to save a run that leads to what is unknown as a trace"


def headline(report: ReportedExploration, code: int) -> str:
    """An exploration, which came to that exit code, in one line."""
    extent = report.exploration.extent
    recorded = "" if report.differing is None else "; not as recorded" if report.differing else "; as recorded"
    sizes = f"{counted(extent.states, 'state')}, {counted(extent.transitions, 'transition')}"
    stopped = f"; stopped: {extent.stopped}" if extent.stopped else ""
    return f"{report.target.name}: {WORDS[code]} ({sizes}{recorded}{stopped})"


def _line(finding: Finding, exploration: Exploration) -> str:
    """A finding in one line, without the extent and the bounds, which stand once above all findings."""
    of = finding.of.removesuffix(f" ({exploration.scheduler} scheduler)")
    parts = word_for(finding), finding.promise, of, _why(finding, str(exploration.extent))
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
    return exploration.extent.states / max(exploration.seconds, 1e-6)


def as_json(report: ReportedExploration) -> dict[str, Any]:
    """An exploration as one JSON object."""
    exploration, extent = report.exploration, report.exploration.extent
    named = {
        "name": report.target.name,
        "about": report.target.about,
        **{field: getattr(exploration, field) for field in ("model", "scheduler", "engine")},
        **{field: getattr(extent, field) for field in ("bounds", "starts", "states", "transitions")},
        "legitimate": exploration.legitimate,
        **{field: getattr(extent, field) for field in ("beyond", "leaving", "outside", "stopped")},
        "seconds": exploration.seconds,
        "states_per_second": round(pace(exploration)),
    }
    findings = [_finding(finding, report.saved.get(index)) for index, finding in enumerate(exploration.findings)]
    differing = {} if report.differing is None else {"differing": report.differing}
    return {**named, "findings": findings, "reproduce": report.target.command, **differing}


def _finding(finding: Finding, saved: Saved | None) -> dict[str, Any]:
    run = None if finding.run is None else {"steps": len(finding.run.actions), "back": finding.run.back}
    said = {"promise": finding.promise, "of": finding.of, "verdict": finding.verdict, "worst": finding.worst}
    return {**said, "run": run, "saved": saved}
