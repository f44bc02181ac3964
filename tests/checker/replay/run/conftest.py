"""The corpora that the tests of engines share, made once."""

import shutil

import pytest

from gomboc.checker.simulate.packs import local, simulate_packs
from gomboc.checker.simulate.plan import Plan
from tests.checker.replay.pack.packs import quiet
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


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """Six honest traces of two subscribers, in three packs."""
    folder = tmp_path_factory.mktemp("small") / "corpus"
    simulate_packs(Plan("skip_ring", "skip_ring", (2,), 6, seed=3, settle=2), folder, 2, local(1), quiet)
    return folder


@pytest.fixture
def own(true, tmp_path):
    """A copy of the honest corpus, to be damaged."""
    return shutil.copytree(true, tmp_path / "own")
