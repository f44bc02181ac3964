"""Gives a mutant to the killers: a copy of the specification with one line replaced, in a process of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from tests.mutants.change import lay_package, search_path
from tests.mutants.trial import Seen

ROOT = Path(__file__).resolve().parent.parent.parent
SECONDS = 300
"""How long all killers together may take."""


def source_of(mutant):
    """The file that a mutant changes."""
    return ROOT / "spec/protocols/skip_ring" / f"{mutant.file}.py"


def places(mutant):
    """The numbers, from 0, of the lines that a mutant would change: one, unless it is out of date."""
    lines = source_of(mutant).read_text(encoding="utf-8").split("\n")
    return [number for number, line in enumerate(lines) if line.strip() == mutant.before]


def mutated(mutant):
    """The text of a mutant's file, changed. Raises ValueError unless the line occurs once."""
    (index,) = places(mutant)
    lines = source_of(mutant).read_text(encoding="utf-8").split("\n")
    lines[index] = lines[index].replace(mutant.before, mutant.after)
    return "\n".join(lines)


def judge(mutant, killers, first=True):
    """The verdict of each named killer on a mutant (None: the specification as it is), in order.

    With `first`, only up to the first that sees something.
    """
    with TemporaryDirectory(prefix="mutant-") as folder:
        copy = Path(folder) / "spec"
        # With Python's compiled files: all but one file is as it was.
        shutil.copytree(ROOT / "spec", copy)
        if mutant is not None:
            (copy / "protocols" / "skip_ring" / f"{mutant.file}.py").write_text(mutated(mutant), encoding="utf-8")
        lay_package(Path(folder))
        return _try(Path(folder), killers, first)


def _try(folder, killers, first):
    """The killers' answers from a process with the `spec` of `folder`."""
    command = [sys.executable, "-m", "tests.mutants.trial", *(["--first"] if first else []), *killers]
    # One hash seed, so that the order of sets is the same in every run.
    environment = {
        **os.environ,
        "PYTHONPATH": search_path(folder),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
        )
        written, code, errors = done.stdout, done.returncode, done.stderr
    except subprocess.TimeoutExpired as expired:
        written, code, errors = (expired.stdout or b"").decode(), None, ""
    seen = [msgspec.json.decode(line, type=Seen) for line in written.splitlines()]
    if code != 0:
        name = killers[len(seen)] if len(seen) < len(killers) else killers[-1]
        how, says = ("timeout", f"more than {SECONDS} s") if code is None else ("crash", _last_line(errors, code))
        seen.append(Seen(name, how, says, 0.0))
    return seen


def _last_line(errors, code):
    lines = errors.strip().splitlines()
    return lines[-1] if lines else f"the process ends with {code}"
