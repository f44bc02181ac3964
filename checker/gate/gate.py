"""A whole gate: run its stages in order, and write the results."""

import shutil
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.output import mark, not_ours, write_whole
from gomboc.checker.gate.case import FAULT, GateCase, Named, Stage, worst
from gomboc.checker.gate.junit import STARTS_WITH, junit
from gomboc.checker.gate.mutants import run_mutants
from gomboc.checker.gate.running import named, run
from gomboc.checker.gate.stages import CORPUS, EXPLORED, VERDICTS, Gate, below, run_stage
from gomboc.checker.gate.table import ROOT, STAGES, Asked, line_of
from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, USAGE
from gomboc.checker.traces.trace_files import is_trace

JUNIT, REPORT, FOUND = "junit.xml", "report.html", "gate.json"

WRITTEN = (CORPUS, VERDICTS, EXPLORED, JUNIT, REPORT, FOUND, *(f"{stage}.json" for stage in STAGES))
"""All names that may occur in the output of a gate."""

MOST_WITNESSES = 3
"""Most failing traces shown in the report."""

SHOWN = "check", "explore", "prove", "errata"
"""Stages with output that the report shows; of the replay it shows the verdicts."""

ALL = (*STAGES, "report")
"""All stages, in the order in which they are run; the last one needs no table."""


class GateResult(msgspec.Struct, frozen=True):
    """The result of a gate: its stages, the requested stages that were not run, and the files that were written."""

    project: str
    stages: tuple[Stage, ...]
    left_out: tuple[str, ...]
    junit: str
    report: str

    @property
    def code(self) -> int:
        """The exit code of the whole gate."""
        return worst(stage.code for stage in self.stages)


def run_gate(gate: Gate, chosen: Iterable[str], junit_at: Path | None, say: Callable[[str], None]) -> GateResult:
    """Run those stages, in a folder that is ours, and that no other process writes.

    Raises UsageError if there is no folder for the JUnit XML.
    """
    stages = [name for name in ALL if name in {*chosen}]
    path = junit_at or gate.output / JUNIT
    if junit_at is not None and not junit_at.parent.is_dir():
        raise UsageError(f"{junit_at}: it cannot be written: there is no folder {junit_at.parent}.")
    _begin(gate.output)
    found = _named(gate, stages)
    unnamed = _unnamed(gate, found)
    done: list[Stage] = [] if unnamed is None else [unnamed]
    gate = msgspec.structs.replace(gate, protocol=found.protocol)
    for name in stages if unnamed is None else ():
        say(name)
        done.append(_run(gate, name, done))
    write_whole(path, junit(done))
    left_out = tuple(name for name in asked_for(gate.asked) if name not in stages or unnamed is not None)
    report = str(gate.output / REPORT) if (gate.output / REPORT).exists() else ""
    return GateResult(str(gate.asked.folder), tuple(done), left_out, str(path), report)


def _named(gate: Gate, stages: Collection[str]) -> Named:
    """The protocol that the table names, and what is wrong with it, or with the implementation if that is run."""
    top, simulated = gate.asked.top, gate.asked.stages.get("simulate", {})
    is_run = not {"simulate", "mutants"}.isdisjoint(stages) and not {"from-spec", "variant"} & simulated.keys()
    return named(top.protocol, top.implementation or "", is_run, gate.place)


def _unnamed(gate: Gate, found: Named) -> Stage | None:
    """A stage with the one case of a protocol or implementation that cannot be used, at its key; None if both can."""
    if not (key := found.key):
        return None
    line = line_of(gate.asked.lines, ROOT, key)
    return Stage(key, (), (GateCase(key, getattr(gate.asked.top, key) or "", USAGE, found.says, line=line),))


def asked_for(asked: Asked) -> tuple[str, ...]:
    """The stages that a project asks for, in order."""
    there = {*asked.stages, *(["mutants"] if asked.mutants else []), "report"}
    return tuple(name for name in ALL if name in there)


def forget(output: Path, junit_at: Path | None = None) -> None:
    """Remove the results of an earlier gate, which are out of date. A folder of others stays as it is."""
    if junit_at is not None and junit_at.is_file() and junit_at.read_bytes().startswith(STARTS_WITH):
        junit_at.unlink()
    if output.is_dir() and not_ours(output) is None:
        for name in (JUNIT, REPORT, FOUND, *(f"{stage}.json" for stage in STAGES)):
            (output / name).unlink(missing_ok=True)


def _begin(output: Path) -> None:
    """Remove the results of an earlier run, except the corpus and its verdicts, which their stages replace."""
    output.mkdir(parents=True, exist_ok=True)
    mark(output, WRITTEN)
    forget(output)
    shutil.rmtree(output / EXPLORED, ignore_errors=True)


def _run(gate: Gate, name: str, done: list[Stage]) -> Stage:
    """A stage; one without the corpus that it needs is not run, and that is no success."""
    if name == "mutants":
        return run_mutants(gate)
    if name == "report":
        return _report(gate, done)
    made = next((stage for stage in done if stage.name == "simulate"), None)
    if name == "replay" and made is not None and made.code != HOLDS:
        line = gate.asked.line(name)
        return Stage(
            name, (), (GateCase("run", name, UNKNOWN, "it is not run, since there is nothing to judge", line=line),)
        )
    return run_stage(gate, name)


def _report(gate: Gate, done: Iterable[Stage]) -> Stage:
    """The report on the results so far. A report that cannot be written is no success."""
    shown = [*_shown(gate, done)]
    if not shown:
        return Stage(
            "report", (), (GateCase("page", "", UNKNOWN, "there is nothing to show: run other stages with it"),)
        )
    output = gate.output / REPORT
    references = ("--protocol", gate.asked.top.protocol) if ":" in gate.asked.top.protocol else ()
    ran = run(("report", *references, *shown, "--output", str(output), "--overwrite"), gate.place)
    code = ran.code if ran.code in (USAGE, UNKNOWN, FAULT) else HOLDS
    case = GateCase("page", "", code, ran.lacking or str(output), seconds=ran.seconds)
    return Stage("report", (ran.command,), (case,))


def _shown(gate: Gate, done: Iterable[Stage]) -> Iterator[str]:
    """The files and folders that the page is about."""
    stages = {stage.name: stage for stage in done}
    verdicts = gate.output / VERDICTS
    if "replay" in stages and (verdicts / "summary.json").exists():
        yield below(gate, VERDICTS)
    for name in SHOWN:
        if name in stages and gate.file(name).exists() and gate.file(name).stat().st_size:
            yield below(gate, gate.file(name).name)
    wrong = (case.file for stage in stages.values() for case in stage.cases if case.code not in (HOLDS, USAGE))
    traces = [file for file in dict.fromkeys(wrong) if is_trace(file) and (gate.asked.folder / file).exists()]
    yield from traces[:MOST_WITNESSES]
