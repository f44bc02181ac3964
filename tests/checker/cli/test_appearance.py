"""Colours are for terminals, one line is for -q, and a pipe gets plain text."""

import os
import pty
import subprocess
import sys

import pytest

from gomboc.checker.cli.appearance import coloured
from tests.checker.cli.command import gomboc
from tests.checker.ring import HOLDS, VIOLATED

PROGRAM = "from gomboc.checker.cli import main; main()"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "good.jsonl").write_bytes(HOLDS)
    (tmp_path / "in" / "bad.jsonl").write_bytes(VIOLATED)
    return tmp_path


def on_a_terminal(*words, **environment):
    """Output of the installed command on a terminal."""
    main, terminal = pty.openpty()
    clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    subprocess.run(
        [sys.executable, "-c", PROGRAM, *words],
        stdout=terminal,
        env={**clean, "TERM": "xterm", **environment},
        check=False,
    )
    os.close(terminal)
    return os.read(main, 1 << 16).decode()


def test_a_terminal_shows_verdicts_in_colours(here):
    shown = on_a_terminal("check", "-q", "in")
    assert "\x1b[31mviolated\x1b[0m" in shown
    assert "\x1b[32mholds\x1b[0m" in shown


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_a_terminal_without_colours_and_a_pipe_show_plain_text(environment, here):
    assert "\x1b" not in on_a_terminal("check", "in", **environment)
    assert "\x1b" not in gomboc("check", "in").out


def test_a_word_in_a_name_or_value_has_no_colour():
    assert coloured('a/holds.jsonl: {"kind":"violated"}') == 'a/holds.jsonl: {"kind":"violated"}'


def test_quiet_is_one_line_a_trace_or_one_in_all(here):
    ran = gomboc("check", "-q", "in")
    assert (ran.code, [line.split(":")[0] for line in ran.out.splitlines()]) == (1, ["in/bad.jsonl", "in/good.jsonl"])
    ran = gomboc("replay", "-q", "in", "--output", "verdicts")
    assert ran.code == 1
    assert ran.out.startswith("in: violated (2 traces: 1 holds, 1 violated; ")
    assert ran.out.count("\n") == 1
    ran = gomboc("explore", "-q", "tests.checker.cli.explored:COUNTER")
    assert (ran.code, ran.out.count("\n")) == (0, 1)
    assert ran.out.startswith("tests.checker.cli.explored:COUNTER: holds (")


def test_quiet_leaves_json_whole(here):
    for words in (("check", "in"), ("replay", "in", "--overwrite", "--output", "verdicts")):
        assert gomboc(*words, "-q", "--format", "json").out == gomboc(*words, "--format", "json").out


def test_quiet_decides_nothing_of_a_trace(here):
    made = [gomboc("simulate", "skip_ring", *q, "--output", name).code for q, name in (((), "a"), (("-q",), "b"))]
    assert made == [0, 0]
    one, other = ((here / name / "skip_ring-000000.jsonl").read_bytes() for name in "ab")
    assert one == other
