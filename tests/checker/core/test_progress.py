"""Progress goes to standard error: a line every ten seconds, a bar on a terminal, and nothing on standard output."""

import io
import re
import sys
import threading

import pytest

from gomboc.checker.core import progress as module
from gomboc.checker.core.progress import cut, looking, progress
from gomboc.checker.explore.results.progress import pace


@pytest.fixture
def clock(monkeypatch):
    """Seconds that pass when the test says so."""
    now = [100.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    return now


def test_elsewhere_than_on_a_terminal_a_plain_line_is_written_every_ten_seconds(clock, capsys):
    with progress("judging") as report:
        for second, done in ((0, 1), (9.9, 2), (10, 3_000), (19.9, 4_000), (20, 5_000)):
            clock[0] = 100.0 + second
            report(done, 12_345)
    assert tuple(capsys.readouterr()) == ("", "judging: 3,000 of 12,345\njudging: 5,000 of 12,345\n")


def test_work_of_which_something_was_told_says_once_that_it_is_done(clock, capsys):
    with progress("judging") as report:
        for second, done in ((10, 3), (11, 7), (12, 7)):
            clock[0] = 100.0 + second
            report(done, 7)
    assert tuple(capsys.readouterr()) == ("", "judging: 3 of 7\njudging: 7 of 7\n")


def test_short_work_says_nothing(clock, capsys):
    with progress("judging") as report:
        report(1, 1)
    assert tuple(capsys.readouterr()) == ("", "")


def terminal_of_40_columns(monkeypatch):
    """Make standard error a terminal, and return the text written to it. Not a fixture: capturing starts
    after those.
    """

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    written = Terminal()
    monkeypatch.setattr(sys, "stderr", written)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return written


LONG = "a name that is longer than a terminal of forty columns is wide"


def test_a_bar_is_no_wider_than_the_terminal(monkeypatch):
    terminal = terminal_of_40_columns(monkeypatch)
    with progress(LONG) as report:
        report(3, 7)
    rows = re.split(r"[\r\n]", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.getvalue()))
    assert max(map(len, rows)) <= 40
    assert any(row.startswith("a name that") for row in rows)


def test_a_line_is_cut_to_the_width_of_the_terminal_and_a_short_one_is_left_alone(monkeypatch):
    terminal_of_40_columns(monkeypatch)
    assert cut(LONG) == "a name that is longer than a terminal o…"
    assert cut("short") == "short"


def test_elsewhere_no_line_is_cut(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    assert cut(LONG) == LONG


def test_the_pace_of_an_exploration_is_cut_too(monkeypatch, clock):
    terminal = terminal_of_40_columns(monkeypatch)
    report = pace(LONG)
    clock[0] += 60
    report(1, 2, 3)
    assert terminal.getvalue() == "a name that is longer than a terminal o…\n"


def test_on_a_terminal_a_bar_is_shown_and_taken_away(monkeypatch, capsys):
    terminal = terminal_of_40_columns(monkeypatch)
    with progress("judging") as report:
        report(3, 7)
    shown = terminal.getvalue()
    assert "judging" in shown
    assert "3/7" in shown
    assert shown.endswith("\x1b[2K")
    assert capsys.readouterr().out == ""


def test_an_exception_is_not_swallowed(clock):
    with pytest.raises(ValueError, match="out of ink"), progress("judging"):
        raise ValueError("out of ink")


def test_the_last_look_sees_all_that_is_done():
    done, seen = [], []
    with looking(lambda: seen.append(len(done))):
        done.extend("abc")
    assert seen[-1] == 3


def test_looks_happen_while_work_goes_on(monkeypatch):
    monkeypatch.setattr(module, "TICK_SECONDS", 0.001)
    looked = threading.Event()
    with looking(looked.set):
        assert looked.wait(60)


def test_there_is_no_look_after_work_that_failed(monkeypatch):
    seen = []
    with pytest.raises(ValueError, match="out of ink"), looking(lambda: seen.append(1)):
        raise ValueError("out of ink")
    assert seen == []
