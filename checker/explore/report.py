"""What an exploration says, as text and as JSON."""

from collections.abc import Iterator
from typing import Any

import msgspec

from gomboc.checker.explore.covered import extent_of
from gomboc.checker.explore.finding import Exploration, Finding
from gomboc.checker.explore.saving import Saved
from gomboc.checker.explore.target import Target
from gomboc.checker.judge.verdict import WORDS, Holds, Unknown, Violated
from gomboc.spec.pinned import Results


class Told(msgspec.Struct, frozen=True):
    """An exploration, the counterexamples that were saved (by the place of their finding), and where it differs."""

    target: Target
    exploration: Exploration
    saved: dict[int, Saved]
    differing: tuple[str, ...] | None = None


def results_of(exploration: Exploration) -> Results:
    """What is pinned of an exploration."""
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


def differences(recorded: Results, found: Results) -> tuple[str, ...]:
    """Where results differ from those that are recorded, in words."""
    return tuple(
        f"{field}: {_said(getattr(found, field))}, recorded {_said(getattr(recorded, field))}"
        for field in Results.__struct_fields__
        if getattr(found, field) != getattr(recorded, field)
    )


def _said(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else ", ".join(value)


def lines(told: Told) -> Iterator[str]:
    """An exploration as text: what was explored, how fast, within which bounds, and a line for each finding."""
    found, target = told.exploration, told.target
    yield f"{target.name}: {target.about}" if target.about else target.name
    counts = (found.starts, "initial state"), (found.states, "state"), (found.transitions, "transition")
    yield f"  {', '.join(plural(*each) for each in (*counts, (found.legitimate, 'legitimate state')))}"
    yield f"  engine: {found.engine}; {found.scheduler} scheduler; {found.seconds:.1f} s, {pace(found):,.0f} states/s"
    if found.bounds:
        over = f"; {plural(found.beyond, 'transition')} {'leads' if found.beyond == 1 else 'lead'} beyond them"
        yield f"  bounds: {found.bounds}{over if found.beyond else ''}"
    if found.stopped:
        yield f"  stopped: {found.stopped}"
    for place, finding in enumerate(found.findings):
        yield _line(finding, found)
        if place in told.saved:
            yield f"    {_where(told.saved[place])}"
    if told.differing is not None:
        yield f"  not as recorded: {'; '.join(told.differing)}" if told.differing else "  as recorded"
    if found.exit_code():
        yield f"  again: {target.command}"


def headline(told: Told, code: int) -> str:
    """An exploration, which came to that exit code, in one line."""
    found = told.exploration
    recorded = "" if told.differing is None else "; not as recorded" if told.differing else "; as recorded"
    sizes = f"{plural(found.states, 'state')}, {plural(found.transitions, 'transition')}"
    stopped = f"; stopped: {found.stopped}" if found.stopped else ""
    return f"{told.target.name}: {WORDS[code]} ({sizes}{recorded}{stopped})"


def plural(count: int, noun: str) -> str:
    """So many of something."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _line(finding: Finding, found: Exploration) -> str:
    """A finding in one line: what it covers and its bounds are told once for all of them, and left out here."""
    of = finding.of.removesuffix(f" ({found.scheduler} scheduler)")
    whole = extent_of(found.states, found.transitions, found.bounds, found.beyond)
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


def pace(found: Exploration) -> float:
    """States a second."""
    return found.states / max(found.seconds, 1e-6)


def as_json(told: Told) -> dict[str, Any]:
    """An exploration as one JSON object."""
    found = told.exploration
    whole = {field: getattr(found, field) for field in Exploration.__struct_fields__ if field != "findings"}
    named = {"name": told.target.name, "about": told.target.about, **whole, "states_per_second": round(pace(found))}
    findings = [_finding(finding, told.saved.get(place)) for place, finding in enumerate(found.findings)]
    differing = {} if told.differing is None else {"differing": told.differing}
    return {**named, "findings": findings, "again": told.target.command, **differing}


def _finding(finding: Finding, saved: Saved | None) -> dict[str, Any]:
    run = None if finding.run is None else {"steps": len(finding.run.actions), "back": finding.run.back}
    said = {"promise": finding.promise, "of": finding.of, "verdict": finding.verdict, "worst": finding.worst}
    return {**said, "run": run, "saved": saved}
