"""A whole gate: run its legs in order, and write the results."""

import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from gomboc.checker.errors import UsageError
from gomboc.checker.gate.case import FAULT, GateCase, Leg, worst
from gomboc.checker.gate.junit import STARTS_WITH, junit
from gomboc.checker.gate.legs import CORPUS, EXPLORED, VERDICTS, Gate, below, run_leg
from gomboc.checker.gate.mutants import run_mutants
from gomboc.checker.gate.running import run
from gomboc.checker.gate.table import LEGS, Asked
from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, USAGE
from gomboc.checker.output import mark, not_ours, write_whole
from gomboc.checker.trace_files import is_trace

JUNIT, REPORT, FOUND = "junit.xml", "report.html", "gate.json"

WRITTEN = (CORPUS, VERDICTS, EXPLORED, JUNIT, REPORT, FOUND, *(f"{leg}.json" for leg in LEGS))
"""All names that may occur in the output of a gate."""

MOST_WITNESSES = 3
"""Most failing traces shown in the report."""

SHOWN = "check", "explore", "prove", "errata"
"""Legs with output that the report shows; of the replay it shows the verdicts."""

ALL = (*LEGS, "report")
"""All legs, in the order in which they are run; the last one needs no table."""


class GateResult(msgspec.Struct, frozen=True):
    """The result of a gate: its legs, the requested legs that were not run, and the files that were written."""

    project: str
    legs: tuple[Leg, ...]
    left_out: tuple[str, ...]
    junit: str
    report: str

    @property
    def code(self) -> int:
        """The exit code of the whole gate."""
        return worst(leg.code for leg in self.legs)


def run_gate(gate: Gate, chosen: Iterable[str], junit_at: Path | None, say: Callable[[str], None]) -> GateResult:
    """Run those legs, in a folder that is ours, and that no other process writes.

    Raises UsageError if there is no folder for the JUnit XML.
    """
    legs = [name for name in ALL if name in {*chosen}]
    path = junit_at or gate.output / JUNIT
    if junit_at is not None and not junit_at.parent.is_dir():
        raise UsageError(f"{junit_at}: it cannot be written: there is no folder {junit_at.parent}.")
    _begin(gate.output)
    done: list[Leg] = []
    for name in legs:
        say(name)
        done.append(_run(gate, name, done))
    write_whole(path, junit(done))
    left_out = tuple(name for name in asked_for(gate.asked) if name not in legs)
    report = str(gate.output / REPORT) if (gate.output / REPORT).exists() else ""
    return GateResult(str(gate.asked.folder), tuple(done), left_out, str(path), report)


def asked_for(asked: Asked) -> tuple[str, ...]:
    """The legs that a project asks for, in order."""
    there = {*asked.legs, *(["mutants"] if asked.mutants else []), "report"}
    return tuple(name for name in ALL if name in there)


def forget(output: Path, junit_at: Path | None = None) -> None:
    """Remove the results of an earlier gate, which are out of date. A folder of others stays as it is."""
    if junit_at is not None and junit_at.is_file() and junit_at.read_bytes().startswith(STARTS_WITH):
        junit_at.unlink()
    if output.is_dir() and not_ours(output) is None:
        for name in (JUNIT, REPORT, FOUND, *(f"{leg}.json" for leg in LEGS)):
            (output / name).unlink(missing_ok=True)


def _begin(output: Path) -> None:
    """Remove the results of an earlier run, except the corpus and its verdicts, which their legs replace."""
    output.mkdir(parents=True, exist_ok=True)
    mark(output, WRITTEN)
    forget(output)
    shutil.rmtree(output / EXPLORED, ignore_errors=True)


def _run(gate: Gate, name: str, done: list[Leg]) -> Leg:
    """A leg; one without the corpus that it needs is not run, and that is no success."""
    if name == "mutants":
        return run_mutants(gate)
    if name == "report":
        return _report(gate, done)
    made = next((leg for leg in done if leg.name == "simulate"), None)
    if name == "replay" and made is not None and made.code != HOLDS:
        line = gate.asked.line(name)
        return Leg(
            name, (), (GateCase("run", name, UNKNOWN, "it is not run, since there is nothing to judge", line=line),)
        )
    return run_leg(gate, name)


def _report(gate: Gate, done: Iterable[Leg]) -> Leg:
    """The report on the results so far. A report that cannot be written is no success."""
    shown = [*_shown(gate, done)]
    if not shown:
        return Leg("report", (), (GateCase("page", "", UNKNOWN, "there is nothing to show: run other legs with it"),))
    output = gate.output / REPORT
    references = ("--protocol", gate.asked.top.protocol) if ":" in gate.asked.top.protocol else ()
    ran = run(("report", *references, *shown, "--output", str(output), "--overwrite"), gate.place)
    code = ran.code if ran.code in (USAGE, UNKNOWN, FAULT) else HOLDS
    case = GateCase("page", "", code, ran.lacking or str(output), seconds=ran.seconds)
    return Leg("report", (ran.command,), (case,))


def _shown(gate: Gate, done: Iterable[Leg]) -> Iterator[str]:
    """The files and folders that the page is about."""
    legs = {leg.name: leg for leg in done}
    verdicts = gate.output / VERDICTS
    if "replay" in legs and (verdicts / "summary.json").exists():
        yield below(gate, VERDICTS)
    for name in SHOWN:
        if name in legs and gate.file(name).exists() and gate.file(name).stat().st_size:
            yield below(gate, gate.file(name).name)
    wrong = (case.file for leg in legs.values() for case in leg.cases if case.code not in (HOLDS, USAGE))
    traces = [file for file in dict.fromkeys(wrong) if is_trace(file) and (gate.asked.folder / file).exists()]
    yield from traces[:MOST_WITNESSES]
