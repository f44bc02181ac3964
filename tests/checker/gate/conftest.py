"""The sample project, in a folder of its own, for each test of the gate."""

from pathlib import Path

import pytest

from tests.checker.gate.project import project


@pytest.fixture
def lamps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the project, the current folder."""
    folder = project(tmp_path)
    monkeypatch.chdir(folder)
    return folder
