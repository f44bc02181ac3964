"""Mutants of a project: its files with one change, in a copy, in which the gate must find a violation."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from msgspec.structs import replace

from gomboc.checker.core.errors import UsageError
from gomboc.checker.gate.case import GateCase, Stage
from gomboc.checker.gate.stages import Gate, run_stage
from gomboc.checker.gate.table import Mutant
from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, USAGE, VIOLATED

LEFT_BEHIND = shutil.ignore_patterns(".git", ".venv", "__pycache__", "node_modules", ".*_cache")
"""Files and folders that a copy of a project omits."""

TRIED = "simulate", "replay"
"""The stages that have to notice a mutant."""


def run_mutants(gate: Gate) -> Stage:
    """Try each mutant: one without a violation in any stage has survived."""
    commands: list[str] = []
    cases = []
    unchanged = [*_unchanged(gate)]
    if unchanged[-1].code != HOLDS:
        says = f"it is not tried: the unchanged project does not hold: {_why(unchanged[-1])}"
        cases = [_case(gate, mutant, unchanged[-1].code, says) for mutant in gate.asked.mutants]
        return Stage("mutants", tuple(command for stage in unchanged for command in stage.commands), tuple(cases))
    for mutant in gate.asked.mutants:
        began = time.monotonic()
        with TemporaryDirectory() as folder:
            try:
                changed = _changed(gate, mutant, Path(folder) / "project")
            except UsageError as error:
                cases.append(_case(gate, mutant, USAGE, str(error)))
                continue
            stages = [*_tried(changed)]
        commands.extend(command for stage in stages for command in stage.commands)
        cases.append(replace(_verdict(gate, mutant, stages), seconds=time.monotonic() - began))
    return Stage("mutants", tuple(dict.fromkeys(commands)), tuple(cases))


def _unchanged(gate: Gate) -> list[Stage]:
    """The results of the stages in a copy of the unchanged project: a failure there kills no mutant."""
    with TemporaryDirectory() as folder:
        return [*_tried(_copied(gate, Path(folder) / "project"))]


def _why(stage: Stage) -> str:
    return next((case.says for case in stage.cases if case.code == stage.code), "nothing was found")


def _tried(gate: Gate) -> Iterator[Stage]:
    for name in TRIED:
        stage = run_stage(gate, name)
        yield stage
        if stage.code != HOLDS:
            return


def _changed(gate: Gate, mutant: Mutant, copy: Path) -> Gate:
    """The gate of a copy of the project with the change in it. Raises UsageError if the old text does
    not occur once.
    """
    source = gate.asked.folder / mutant.file
    try:
        text = source.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise UsageError(f"{mutant.file} cannot be read: {error}") from error
    if (times := text.count(mutant.old)) != 1:
        raise UsageError(f"{mutant.file} has the text {mutant.old!r} {times} times: name one that is there once")
    changed = _copied(gate, copy)
    (copy / mutant.file).write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
    return changed


def _copied(gate: Gate, copy: Path) -> Gate:
    """The gate of a copy of the project."""
    asked = gate.asked
    output = gate.output.resolve()

    def left_behind(folder: str, names: list[str]) -> set[str]:
        return {*LEFT_BEHIND(folder, names), *(name for name in names if Path(folder, name).resolve() == output)}

    shutil.copytree(asked.folder, copy, ignore=left_behind, symlinks=True)
    output = copy / "build" / "gomboc-mutant"
    output.mkdir(parents=True)
    return msgspec.structs.replace(gate, asked=msgspec.structs.replace(asked, folder=copy), output=output)


def _verdict(gate: Gate, mutant: Mutant, stages: list[Stage]) -> GateCase:
    """A violation kills a mutant. A mutant that could not be run, or is only not covered, was not noticed."""
    code = stages[-1].code
    why = _why(stages[-1])
    if code == VIOLATED:
        return _case(gate, mutant, HOLDS, f"killed: {why}")
    if code in (HOLDS, UNKNOWN):
        return _case(gate, mutant, VIOLATED, f"it survives: {' and '.join(TRIED)} find nothing violated ({why})")
    return _case(gate, mutant, code, f"it cannot be tried: {why}")


def _case(gate: Gate, mutant: Mutant, code: int, says: str) -> GateCase:
    """The case of a mutant, at the line that it changes."""
    lines = _lines(gate.asked.folder / mutant.file)
    line_number = next((number for number, line in enumerate(lines, 1) if mutant.old.splitlines()[0] in line), 1)
    return GateCase("mutant", mutant.name, code, says, mutant.file, line_number)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return []
