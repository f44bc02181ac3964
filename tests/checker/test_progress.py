"""Progress goes to standard error: a line every ten seconds, a bar on a terminal, and nothing on standard output."""

import io
import sys
import threading

import pytest

from checker import progress as module
from checker.progress import looking, progress


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


def test_on_a_terminal_a_bar_is_shown_and_taken_away(monkeypatch, capsys):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
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


def test_who_looks_sees_what_is_done_at_the_end():
    done, seen = [], []
    with looking(lambda: seen.append(len(done))):
        done.extend("abc")
    assert seen[-1] == 3


def test_who_looks_does_so_while_work_goes_on(monkeypatch):
    monkeypatch.setattr(module, "TICK_SECONDS", 0.001)
    looked = threading.Event()
    with looking(looked.set):
        assert looked.wait(60)


def test_nobody_looks_after_work_that_failed(monkeypatch):
    seen = []
    with pytest.raises(ValueError, match="out of ink"), looking(lambda: seen.append(1)):
        raise ValueError("out of ink")
    assert seen == []
