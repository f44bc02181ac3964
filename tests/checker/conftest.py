"""Fixtures shared by the checker's tests: protocols, implementations and modules that belong to one test."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gomboc.impl.api import registry as implementations
from gomboc.spec.core import registry as protocols


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current folder, for a test's own modules: none of them is imported afterwards, and what they name unknown."""
    before = set(sys.modules)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in (protocols.NAMED, implementations.NAMED, "PYTHONPATH"):
        monkeypatch.setenv(name, "")
    protocols.forget()
    yield tmp_path
    monkeypatch.undo()
    protocols.forget()
    for name in set(sys.modules) - before:
        # Ours stay, and Python's: a second copy of a type is another type.
        ours = name.partition(".")[0] in {"gomboc", "tests", *sys.stdlib_module_names}
        if not ours and "site-packages" not in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]
