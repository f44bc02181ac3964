"""The sample project, in a folder of its own, for each test of the gate."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gomboc.checker.gate import running
from tests.checker.gate.project import done_here, project


@pytest.fixture
def lamps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the project, the current folder; the commands of its gate run in this process."""
    folder = project(tmp_path)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(running, "_done", done_here)
    return folder


@pytest.fixture
def apart(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Makes each further command of the gate run in a process of its own, as it does for users."""
    in_a_process = running._done
    return lambda: monkeypatch.setattr(running, "_done", in_a_process)
