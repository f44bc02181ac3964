"""Any wrong input of a user is answered by a sentence and exit code 2: never a traceback, never a yes or a no."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from gomboc.spec.core.registry import NAMED, forget
from tests.checker.cli.bad_inputs import CALLS, LONG, prepare
from tests.checker.cli.command import gomboc


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    index = tmp_path_factory.mktemp("bad")
    prepare(index)
    return index


@pytest.fixture
def here(folder, monkeypatch):
    """The folder that calls are made in; any further file in it afterwards would be left behind by a refused call."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in (NAMED, "GOMBOC_IMPLEMENTATIONS", "PYTHONPATH"):
        monkeypatch.setenv(name, "")
    forget()
    before = names(folder)
    yield
    monkeypatch.undo()
    forget()
    assert names(folder) == before


def names(folder):
    return sorted(path.name for path in folder.rglob("*") if "__pycache__" not in path.parts)


@pytest.mark.parametrize(("words", "sentence"), CALLS, ids=lambda value: " ".join(value)[:60] if value else "")
def test_a_bad_input_is_answered_by_a_sentence(words, sentence, here):
    ran = gomboc(*words)
    assert (ran.code, ran.out) in ((2, ""), (2, "1 trace, 1 not as expected.\n"))
    assert "Traceback" not in ran.err
    wanted = ".*".join(map(re.escape, sentence.split("...")))
    assert re.fullmatch(wanted, ran.err.splitlines()[-1]), ran.err


@pytest.mark.parametrize("debug", [(), ("--debug",)])
def test_a_protocol_that_fails_on_a_trace_leaves_it_unknown_and_is_named(debug, here):
    ran = called([*debug, "check", "--protocol", "stranger:REACT", "stranger.jsonl"], stdout=subprocess.PIPE)
    assert (ran.returncode, ran.stdout) == (3, "")
    assert ("Traceback" in ran.stderr) == bool(debug)
    said = ran.stderr.splitlines()[-1]
    assert said.startswith("gomboc: stranger.jsonl: stranger:REACT: react('v1', Subscriber(")
    assert said.endswith(") raises TypeError: no reaction: fix it, so nothing is known of this trace.")


def test_the_table_has_sixty_rows_and_more():
    assert len({words for words, _ in CALLS}) == len(CALLS) >= 60


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
