"""An implementation may do anything where it is run anew: the violation that was seen is shown.

The command meets the faults that show at once, and the assertion those that show later: both shrink in one way.
"""

import os
from pathlib import Path

import pytest

from gomboc.checker.core.errors import UsageError
from gomboc.checker.judge.naive import DEFAULT, judge_file
from gomboc.checker.shrink.case import read_case
from gomboc.checker.shrink.kind import is_same, kind_of
from gomboc.checker.shrink.shrink import shrink
from gomboc.checker.simulate.apart import shrink_apart
from gomboc.checker.simulate.redone import redo_of
from gomboc.checker.testing import assert_stabilises
from tests.checker.cli.command import gomboc
from tests.checker.testing.faulty import LATER, NAMES

FAULTY = "tests.checker.testing.faulty"
TRACES = Path(__file__).resolve().parents[3] / "traces" / "skip_ring"

ENOUGH = 240.0
"""Seconds for a search that ends by itself, on a machine with other work too."""


@pytest.fixture(scope="module", autouse=True)
def named_here():
    """All faulty implementations are named, here and nowhere else."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GOMBOC_IMPLEMENTATIONS", " ".join(f"{FAULTY}:{name}" for name in NAMES))
        patch.setenv("PYTHONPATH", os.environ.get("PYTHONPATH", ""))
        yield


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """A search is ended soon after its time."""
    monkeypatch.setattr("gomboc.checker.simulate.apart.GRACE", 1.0)


@pytest.fixture(scope="module")
def deaf(named_here, tmp_path_factory):
    """A violated run of a faulty implementation, which does nothing wrong but being deaf while it is recorded."""
    folder = tmp_path_factory.mktemp("deaf") / "runs"
    words = ("--implementation", f"{FAULTY}:raises_0", "--nodes", 3, "--steps", 30, "--seed", 3, "--output", folder)
    assert gomboc("simulate", "skip_ring", *words).code == 0
    (path,) = folder.glob("*.jsonl")
    assert judge_file(path).violations()
    return path


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith("_0")])
def test_the_command_writes_a_trace_that_is_violated_alike(name, deaf, tmp_path):
    small = tmp_path / "small.jsonl"
    words = ("--implementation", f"{FAULTY}:{name}", "--seconds", 1, "--output", small)
    ran = gomboc("shrink", deaf, *words)
    assert ran.code == 0, ran
    assert ran.out.startswith(f"{deaf}: conformance is violated by set_data ")
    assert is_same(kind_of(judge_file(deaf)), judge_file(small))


@pytest.mark.parametrize("name", [name for name in NAMES if not name.endswith("_0")])
def test_the_assertion_shows_the_violation(name):
    with pytest.raises(AssertionError, match="set_data: the step is not what the rule 'set_data' produces") as failed:
        assert_stabilises("skip_ring", f"{FAULTY}:{name}", members=1, messages=2, examples=40, seconds=1.0)
    assert "Error" not in str(failed.value).partition("\n")[0]


def test_what_was_run_anew_before_the_process_died_is_kept(deaf):
    shrunk = shrink_apart(read_case(deaf), DEFAULT, f"skip_ring.dies.{LATER}", ENOUGH)
    assert shrunk.why == "its process ended with exit code 0"
    assert shrunk.run
    assert shrunk.now.steps < shrunk.was.steps


def test_without_any_new_run_the_trace_is_cut_and_says_why(deaf):
    shrunk = shrink_apart(read_case(deaf), DEFAULT, "skip_ring.dies.0", ENOUGH)
    assert shrunk.why.startswith("a new run of it was tried, but its process ended with exit code 0; ")
    assert not shrunk.run
    assert shrunk.now.steps == 1


def test_what_is_right_or_cannot_be_read_is_not_shrunk():
    with pytest.raises(UsageError, match="Nothing is violated"):
        shrink_apart(read_case(TRACES / "corrupted_database.ok.jsonl"))


def test_it_is_what_is_found_in_one_process():
    case = read_case(TRACES / "printed_linearize.bad.jsonl")
    assert shrink_apart(case).case == shrink(case, redo=redo_of(case.header)).case


def test_a_result_that_cannot_be_saved_is_shown(tmp_path):
    (tmp_path / "none").write_text("")
    path, deaf = tmp_path / "none" / "small.jsonl", "tests.checker.testing.deaf:IMPLEMENTATION"
    with pytest.raises(AssertionError, match="set_data: the step is not what") as failed:
        assert_stabilises("skip_ring", deaf, members=1, messages=2, examples=40, save_to=path)
    assert "It is not saved: " in str(failed.value)
