"""Any wrong input of a user is answered by a sentence and exit code 2: never a traceback, never a yes or a no."""

import re
import subprocess
import sys
from itertools import chain, product
from pathlib import Path

import pytest

from gomboc.checker.replay.spark import session
from tests.checker.cli.bad_inputs import LONG, prepare, wrong_calls
from tests.checker.cli.command import refused

CALLS = wrong_calls()
IMPOSSIBLE = CALLS["what cannot be simulated"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    index = tmp_path_factory.mktemp("bad")
    prepare(index)
    return index


@pytest.fixture
def here(own_folder, folder, monkeypatch):
    """The folder that calls are made in; any further file in it afterwards would be left behind by a refused call."""

    def spark_session(*arguments, **options):
        raise AssertionError("Spark was started")

    monkeypatch.chdir(folder)
    monkeypatch.setattr(session, "spark_session", spark_session)
    before = contents(folder)
    yield
    assert contents(folder) == before


def contents(folder):
    paths = (path for path in folder.rglob("*") if "__pycache__" not in path.parts)
    return {path: path.read_bytes() if path.is_file() else None for path in paths}


@pytest.mark.parametrize("call", [*chain(*CALLS.values())], ids=str)
def test_a_bad_input_is_answered_by_a_sentence(call, here):
    usage = "Usage: gomboc .*\nTry 'gomboc.* --help' for help.\n\n" if call.sentence.startswith("Error: ") else ""
    wanted = ".*".join(map(re.escape, call.sentence.split("...")))
    said = refused(*call.words)
    assert re.fullmatch(f"{usage}{wanted}\n", said), said


@pytest.mark.parametrize(
    ("call", "more"),
    [
        *product(IMPOSSIBLE, ["--jobs 1", "--only 0"]),
        # Each starts two processes, to which one exception is as good as another.
        *(
            pytest.param(call, "--jobs 2 --traces 2", marks=[pytest.mark.dear] * (place % 4 > 0))
            for place, call in enumerate(IMPOSSIBLE)
        ),
    ],
    ids=str,
)
def test_what_cannot_be_simulated_is_refused_in_any_process_and_leaves_a_folder_as_it_is(call, more, here):
    assert refused(*call.words, *more.split(), "--overwrite", "--output", "ours") == f"{call.sentence}\n"


def test_a_name_that_is_no_utf_8_is_refused(here):
    says = r"Error: Invalid value for 'FILE|DIR...': '\udcff.jsonl' is no UTF-8, so no report can name it: rename it"
    assert refused("check", "\udcff.jsonl").splitlines()[-1] == says


@pytest.mark.parametrize("debug", [(), ("--debug",)])
def test_a_protocol_that_fails_on_a_trace_leaves_it_unknown_and_is_named(debug, here):
    ran = called([*debug, "check", "--protocol", "stranger:REACT", "stranger.jsonl"], stdout=subprocess.PIPE)
    assert (ran.returncode, ran.stdout) == (3, "")
    assert ("Traceback" in ran.stderr) == bool(debug)
    said = ran.stderr.splitlines()[-1]
    assert said.startswith("gomboc: stranger.jsonl: stranger:REACT: react('v1', Subscriber(")
    assert said.endswith(") raises TypeError: no reaction: fix it, so nothing is known of this trace.")


def test_no_call_stands_twice_in_the_table():
    words = [call.words for call in chain(*CALLS.values())]
    assert len(set(words)) == len(words) >= 180


def called(words, **options):
    """The installed command: its streams cannot be observed in this process."""
    program = "from gomboc.checker.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", program, *words], stderr=subprocess.PIPE, text=True, check=False, timeout=60, **options
    )


def test_a_full_device_is_no_violation(folder):
    with Path("/dev/full").open("w") as full:
        done = called(["check", str(folder / "good.jsonl")], stdout=full)
    assert (done.returncode, done.stderr) == (2, "gomboc: Input or output failed: No space left on device.\n")


def test_a_name_that_is_too_long_is_named(folder):
    done = called(["check", LONG], stdout=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (2, f"gomboc: {LONG}: File name too long.\n")
