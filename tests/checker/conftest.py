"""Fixtures shared by the checker's tests: protocols, implementations and modules that belong to one test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.checker.own import own_modules


@pytest.fixture
def own_folder(tmp_path: Path) -> Iterator[Path]:
    """The current folder, for a test's own modules: none of them is imported afterwards, and what they name unknown."""
    with own_modules(tmp_path):
        yield tmp_path
