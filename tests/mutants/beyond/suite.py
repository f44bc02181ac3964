"""Changes beyond the ring's rules, held against the tests that mirror the changed file.

A change is made in a copy of the whole project, so that programs that a test starts are changed too.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import msgspec

from tests.mutants.change import ROOT, changed, search_path

PARTS = ("spec", "impl", "checker", "tests", "traces", "pyproject.toml", "README.md", "Makefile")
LATE = "the tests take more than"
SECONDS = 900
"""How long the tests of one change may take; an endless loop is noticed by it."""


class Noticed(msgspec.Struct, frozen=True):
    """The first test that failed, or another event; None if every test passed."""

    test: str
    says: str = ""


def tests_of(change):
    """The tests that are tried: the file that mirrors the changed one, if there is one, and those that it names."""
    path = Path(change.path)
    mirror = Path("tests") / path.parent / f"test_{path.name}"
    return tuple(dict.fromkeys([*([str(mirror)] if (ROOT / mirror).exists() else []), *change.tests]))


def noticed(change, before="", seconds=SECONDS):
    """The verdict of the tests on a change: first the one that noticed it before, if there is one, then all."""
    with changed(change, *PARTS) as folder:
        if before:
            seen = _seen(folder, (before,), seconds)
            if seen is not None and seen.test == before:
                return seen
        return _seen(folder, tests_of(change), seconds)


def _seen(folder, tests, seconds):
    """The first of these tests that fails in the folder."""
    options = ["-q", "-x", "--no-header", "-p", "no:cacheprovider", "-rfE", "--tb=line", "-m", ""]
    environment = {**os.environ, "PYTHONPATH": search_path(folder), "PYTHONHASHSEED": "0", "THOROUGH": "yes"}
    command = [sys.executable, "-m", "pytest", *options, *tests]
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return Noticed("none", f"{LATE} {seconds} s")
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)(?: - (.*))?", done.stdout, re.MULTILINE)
    if failed:
        return Noticed(failed[1], failed[2] or "")
    return None if done.returncode == 0 else Noticed("none", (done.stdout + done.stderr).strip().split("\n")[-1])
