"""Run a command of gomboc in a process of its own: its output counts only if it ended by itself and
reported its end.
"""

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from gomboc.checker.core.processes.heir import Heir
from gomboc.checker.gate.case import FAULT, WORDS, Named
from gomboc.checker.judge.verdict import UNKNOWN, USAGE

AS_JSON = "--format", "json"
PROGRAM = "from gomboc.checker.cli import main; main()"

REMEDIES = {
    "give --protocol package.module:PROTOCOL": 'write protocol = "package.module:PROTOCOL" in [tool.gomboc]',
    "put its folder on PYTHONPATH": "name its folder in pythonpath",
}
"""Remedies of a command, and those of a table."""

NAMED = "from gomboc.checker.gate.named import main; main()"


class Ran(msgspec.Struct, frozen=True):
    """The result of a command: its exit code, the objects that it wrote, and its text on standard error.

    `lacking` is a sentence if its output cannot be its result. `seconds` is how long it took.
    """

    words: tuple[str, ...]
    code: int
    told: tuple[Mapping[str, Any], ...]
    errors: str
    lacking: str = ""
    seconds: float = 0.0

    @property
    def command(self) -> str:
        """The command as typed in a shell, for text output."""
        return shlex.join(["gomboc", *self.words[: -len(AS_JSON)]])

    def text(self) -> bytes:
        """Its output, an object a line."""
        return b"".join(msgspec.json.encode(written) + b"\n" for written in self.told)


class WorkingPlace(msgspec.Struct, frozen=True):
    """The place where commands run: a folder, the folders on Python's path, and the time limit in seconds."""

    folder: Path
    path: tuple[str, ...]
    seconds: float


def run(words: Sequence[str], where: WorkingPlace) -> Ran:
    """Run `gomboc WORDS --format json`."""
    began = time.monotonic()
    ran = _run(words, where)
    return msgspec.structs.replace(ran, seconds=time.monotonic() - began)


def _run(words: Sequence[str], where: WorkingPlace) -> Ran:
    words = (*words, *AS_JSON)
    debug = ("--debug",) if "--debug" in sys.argv else ()
    done = _done((*debug, *words), where)
    if done is None:
        ended = f"it was ended after {where.seconds / 60:g} minutes, and nothing is known: give it less, or more time"
        return Ran(words, UNKNOWN, (), "", ended)
    errors = done.stderr.decode(errors="replace").strip()
    if debug and errors:
        print(errors, file=sys.stderr)
    return Ran(words, *_trusted(words[0], done.returncode, _objects(done.stdout), errors))


def named(protocol: str, implementation: str, is_run: bool, where: WorkingPlace) -> Named:
    """The protocol that a table names, and why it or the implementation cannot be used.

    A module that does not end, or ends the process, is left to the stages, which report that.
    """
    done = _done((protocol, implementation, str(is_run)), where, NAMED)
    try:
        said = Named() if done is None else msgspec.json.decode(done.stdout.splitlines()[-1], type=Named)
    except (ValueError, IndexError):
        said = Named()
    return msgspec.structs.replace(said, says=in_table(said.says))


def in_table(sentence: str) -> str:
    """A sentence with the keys of the table in place of the options and variables of a command."""
    for remedy, key in REMEDIES.items():
        sentence = sentence.replace(remedy, key)
    return sentence


def _done(
    words: Sequence[str], where: WorkingPlace, program: str = PROGRAM
) -> subprocess.CompletedProcess[bytes] | None:
    """The result of a process; None if it took too long, and was killed."""
    with _process(words, where, program) as process:
        try:
            out, errors = process.communicate(timeout=where.seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return None
        return subprocess.CompletedProcess(process.args, process.returncode, out, errors)


@contextmanager
def _process(words: Sequence[str], where: WorkingPlace, program: str) -> Iterator[subprocess.Popen[bytes]]:
    """The process, which ends with this one, even if this one is killed."""
    folders = [str(where.folder / folder) for folder in where.path]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*folders, *_inherited()])}
    command = [sys.executable, "-c", program, *words]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, cwd=where.folder, env=environment, stdout=pipe, stderr=pipe)
    heir = Heir('kill "$1"', str(process.pid))
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            process.communicate()
        heir.dismiss()


def _inherited() -> list[str]:
    return [folder for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder]


def _objects(out: bytes) -> tuple[Mapping[str, Any], ...] | None:
    """The output of a command: one object, or one a line; None if it is neither."""
    for parts in ([out], out.splitlines()):
        try:
            return tuple(msgspec.json.decode(part, type=dict[str, Any]) for part in parts)
        except ValueError:
            continue
    return None


def _trusted(
    name: str, code: int, objects: tuple[Mapping[str, Any], ...] | None, errors: str
) -> tuple[int, tuple[Mapping[str, Any], ...], str, str]:
    """Exit code, objects, errors and the missing part: a code alone is no verdict, and neither are objects alone."""
    said = errors.splitlines()[-1].removeprefix("gomboc: ") if errors else "it said nothing"
    if code not in WORDS:
        ended = f"signal {-code}" if code < 0 else f"exit code {code}"
        return UNKNOWN, (), errors, f"it ended with {ended}, and nothing is known: {said}"
    if code in (USAGE, FAULT):
        return code, objects or (), errors, said
    if not objects:
        return UNKNOWN, (), errors, f"it ended with exit code {code} and wrote no JSON, so nothing is known: {said}"
    if any(written.get("format") != f"gomboc-{name}" or "verdict" not in written for written in objects):
        return UNKNOWN, (), errors, "its output is not a result of that command, so nothing is known"
    return code, objects, errors, ""
