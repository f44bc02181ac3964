"""The sample project, faults of it, and its gate: `faults.toml` has each fault with the expected answer."""

import json
import shutil
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any
from unittest.mock import patch

import msgspec

from gomboc.checker.cli import main
from gomboc.checker.gate import named, running
from gomboc.checker.gate.running import PROGRAM, WorkingPlace
from tests.checker.cli.command import Ran, called, gomboc
from tests.checker.own import own_modules

SAMPLE = Path(__file__).resolve().parents[2] / "sample"
TABLE = tomllib.loads(Path(__file__).with_name("faults.toml").read_text(encoding="utf-8"))


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One change: in `file`, `old` becomes `new`. The `stages` run, the gate ends with `code` and these sentences.

    If `apart`, that only a process of its own shows it.
    """

    file: str = "pyproject.toml"
    old: str
    new: str
    stages: tuple[str, ...] = ()
    code: int = 2
    says: str
    at: str = ""
    apart: bool = False

    def plant(self, folder: Path) -> None:
        """Make the change in a copy of the project."""
        change(folder, self.file, self.old, self.new)


FAULTS, REFUSED = (msgspec.convert(TABLE[kind], dict[str, Fault]) for kind in ("found", "refused"))
"""Faults that the gate finds and names; and faults of the table itself, under which nothing runs."""


def project(folder: Path) -> Path:
    """A copy of the sample project in a folder."""
    return Path(shutil.copytree(SAMPLE, folder / "lamps", ignore=shutil.ignore_patterns("__pycache__", "build")))


def change(folder: Path, file: str, old: str, new: str) -> None:
    """Replace a text in a file of a project, which has it."""
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new))


def done_here(words: Sequence[str], where: WorkingPlace, program: str = PROGRAM) -> CompletedProcess[bytes]:
    """The result of a program of the gate in this process, which has imported what another one would import first."""
    path = tuple(str(where.folder / folder) for folder in where.path)
    with own_modules(where.folder, path), patch.object(sys, "dont_write_bytecode", True):
        ran = called(named.main if program == running.NAMED else main, *words)
    return CompletedProcess([*words], ran.code, ran.out.encode(), ran.err.encode())


def gate(*words: str) -> tuple[Ran, Any]:
    """The text and the files of the gate of the project in the current folder."""
    ran = gomboc("gate", "--jobs", "1", *words)
    result = Path("build/gomboc/gate.json")
    return ran, json.loads(result.read_text()) if result.exists() else None
