"""The corpora that the tests of engines share, made once."""

import shutil

import pytest

from tests.checker.replay.run.corpora import LIES, corpus_of, lines_folder


@pytest.fixture(scope="session")
def lying(tmp_path_factory):
    """A folder of traces of which some lie, and the same as packs."""
    folder = tmp_path_factory.mktemp("lying")
    lines = lines_folder(folder, LIES)
    return lines, corpus_of(lines, folder / "packs")


@pytest.fixture(scope="session")
def true(tmp_path_factory):
    """A corpus of honest traces, in four packs."""
    folder = tmp_path_factory.mktemp("true")
    return corpus_of(lines_folder(folder), folder / "packs")


@pytest.fixture
def own(true, tmp_path):
    """A copy of the honest corpus, to be damaged."""
    return shutil.copytree(true, tmp_path / "own")
