"""Tries mutants: changes a copy of the project, and runs tests there."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.mutants.rows import ROOT, Row

PARTS = (".package", "spec", "impl", "checker", "tests", "traces", "pyproject.toml", "README.md", "Makefile")
SECONDS = 120
"""The processor time of one test, by which an endless loop is noticed; the others take less than ten."""
OF_A_GROUP = 900
"""The same of a group of test files."""
MEMORY = 6 << 30
"""Bytes, so that an endless loop that collects does not take the machine with it."""

SOME_FAILED, NO_TESTS = 1, 5
"""The exit codes of pytest if it ran all tests and some failed, and if it ran none."""

READINGS = "tests/paper/test_two_readings_of_delta_fault_tolerance.py"
FILTERS = ("client", "content", "keeping")
ALSO = {
    "impl/protocols/skip_ring": ("tests/lockstep/test_publications.py",),
    "impl/protocols/skip_plus": ("tests/impl/applications/test_any_application.py",),
    "impl/protocols/delta_fault_tolerance": (READINGS, *(f"tests/impl/api/test_{part}.py" for part in FILTERS)),
    "spec/protocols/delta_fault_tolerance": (READINGS,),
    "checker/cli/commands/prove.py": ("tests/checker/prove/test_command.py",),
    "checker/judge": ("tests/traces/test_golden.py",),
}
"""Tests that are tried, too, where a file lies below."""


@dataclass(frozen=True)
class Done:
    """A run of pytest that is over; the code is negative if a signal ended it."""

    returncode: int
    stdout: str
    stderr: str


@dataclass(frozen=True)
class Project:
    """A copy of the project, and the process that runs pytest in it."""

    folder: Path
    runner: subprocess.Popen[str]

    def run(self, arguments: Sequence[str], seconds: int) -> Done:
        """Run pytest, and end it after so many seconds of the processor; a negative number is no limit."""
        options = ["-v", "--no-header", "-p", "no:cacheprovider", "-rfE", "--tb=line", "-m", ""]
        options.append("--hypothesis-profile=first")
        out, err = (self.folder.with_suffix(suffix) for suffix in (".out", ".err"))
        order = {"arguments": [*options, *arguments], "out": str(out), "err": str(err)}
        assert self.runner.stdin is not None
        assert self.runner.stdout is not None
        self.runner.stdin.write(json.dumps({**order, "seconds": seconds, "memory": MEMORY}) + "\n")
        self.runner.stdin.flush()
        code = int(self.runner.stdout.readline())
        return Done(code, *(path.read_text(encoding="utf-8", errors="replace") for path in (out, err)))


@contextmanager
def project() -> Iterator[Project]:
    """A copy of the project."""
    with TemporaryDirectory(prefix="mutants-") as name:
        folder = Path(name, "project")
        folder.mkdir()
        for part in PARTS:
            if (ROOT / part).is_dir():
                # With Python's compiled files: all but one file is as it was.
                shutil.copytree(ROOT / part, folder / part, symlinks=True)
            else:
                shutil.copy2(ROOT / part, folder / part)
        with _runner(folder) as runner:
            yield Project(folder, runner)


@contextmanager
def _runner(folder: Path) -> Iterator[subprocess.Popen[str]]:
    # One hash seed and the same examples in every run; all examples, and the slow tests. The runner is none of the
    # processes to which pytest-xdist distributes, though whoever tries a mutant may be one.
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("PYTEST_XDIST")},
        "PYTHONPATH": os.pathsep.join((str(folder / ".package"), str(folder))),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "THOROUGH": "yes",
        "CI": "yes",
    }
    command, pipe = [sys.executable, "-P", "tests/mutants/warm.py"], subprocess.PIPE
    with subprocess.Popen(command, cwd=folder, env=environment, stdin=pipe, stdout=pipe, text=True) as runner:
        yield runner


@contextmanager
def changed(copy: Project, row: Row) -> Iterator[None]:
    """The copy of the project with the change of a row."""
    file = copy.folder / row.file
    before = file.read_bytes()
    file.write_text(row.text(), encoding="utf-8")
    try:
        yield
    finally:
        file.write_bytes(before)


def noticing(copy: Project, row: Row) -> tuple[str, ...]:
    """The tests that notice a row in a copy of the project: those that must, or else the first one found; none."""
    with changed(copy, row):
        tests = failing_of(copy, row.tests)
    return tests or _search(copy, row)


def _search(copy: Project, row: Row) -> tuple[str, ...]:
    """The first test near a row that fails with it, alone too, and not without it; none."""
    for group in near(row):
        with changed(copy, row):
            test = failing(copy, group, OF_A_GROUP)
            fails_alone = test and failing(copy, test)
        if fails_alone and not failing(copy, test):
            return test
    return ()


def near(row: Row) -> list[list[str]]:
    """Groups of tests that may notice a row, nearest first.

    The files of the tests that noticed it before; the mirror of the changed file; the mirror of its folder; of its
    protocol the paper's claims, the steps side by side and the traces.
    """
    path = Path(row.file)
    folder = "tests" / path.parent
    while not (ROOT / folder).is_dir():
        folder = folder.parent
    protocol = path.parent.name
    also = [test for prefix, tests in ALSO.items() if row.file.startswith(prefix) for test in tests]
    groups = (
        [test.split("::")[0] for test in row.tests],
        [str("tests" / path.with_name(f"test_{path.name}"))],
        [str(folder)],
        [*(f"tests/{kind}/test_{protocol}.py" for kind in ("paper", "lockstep", "traces")), *also],
    )
    existing = ([test for test in tests if (ROOT / test).exists()] for tests in groups)
    return [tests for tests in existing if tests]


def failing(copy: Project, tests: Sequence[str], seconds: int = SECONDS) -> tuple[str, ...]:
    """The first test that fails in a copy of the project, alone in a tuple; empty if all pass or are not there."""
    done = copy.run(["-x", *tests], seconds)
    if done.returncode in (0, NO_TESTS) or "ERROR: not found: " in done.stderr:
        return ()
    # The process may have been ended for its time or memory: by the test that began last, or before the first.
    begun = re.findall(r"^(tests/\S+\.py::.+?) *(?:PASSED.*|SKIPPED.*)?$", done.stdout, re.MULTILINE)
    return tuple(_failed(done) or begun[-1:] or tests)[:1]


def failing_of(copy: Project, tests: Sequence[str], seconds: int = SECONDS) -> tuple[str, ...]:
    """Those of these tests that fail in a copy of the project; a file fails if one of its tests does.

    All in one process. If that was ended, or could not begin, each in one of its own.
    """
    if len(tests) > 1 and (done := copy.run(tests, seconds)).returncode in (0, SOME_FAILED):
        failed = _failed(done)
        return tuple(test for test in tests if test in failed or any(id_.startswith(f"{test}::") for id_ in failed))
    return tuple(test for test in tests if failing(copy, [test], seconds))


def _failed(done: Done) -> list[str]:
    return re.findall(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", done.stdout, re.MULTILINE)
