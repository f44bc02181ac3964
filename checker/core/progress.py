"""Progress of long work, on standard error: a bar on a terminal, a plain line every ten seconds elsewhere."""

import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

PLAIN_SECONDS = 10.0
"""Seconds between plain lines."""

TICK_SECONDS = 0.5
"""Seconds between looks at work that does not report its progress itself."""

BAR = 16
"""The characters of a whole bar."""

ERASE = "\r\x1b[2K"
"""What a terminal is sent to empty the line."""

Report = Callable[[int, int], None]
"""Takes the number of pieces that are done, and of all pieces."""

_silent: ContextVar[bool] = ContextVar("silent", default=False)


@contextmanager
def silence() -> Iterator[None]:
    """Show no progress for as long as the body runs."""
    token = _silent.set(True)
    try:
        yield
    finally:
        _silent.reset(token)


def is_silent() -> bool:
    """Whether no progress is to be shown."""
    return _silent.get()


@contextmanager
def progress(what: str) -> Iterator[Report]:
    """Show how far `what` has come, for as long as the body runs."""
    if is_silent():
        yield _nothing
    elif _has_lines():
        with _bar(what) as report:
            yield report
    else:
        yield _plain(what)


def _nothing(done: int, total: int) -> None:
    del done, total


def erase() -> None:
    """Take a bar away before something else is written to the terminal; its next tick shows it again."""
    if _has_lines():
        print(ERASE, end="", file=sys.stderr, flush=True)


def _has_lines() -> bool:
    """Whether standard error is a terminal that can rewrite a line."""
    return sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"


@contextmanager
def _bar(what: str) -> Iterator[Report]:
    counts, began = (0, 0), time.monotonic()

    def report(done: int, total: int) -> None:
        nonlocal counts
        counts = done, total

    def draw() -> None:
        print(f"{ERASE}{_line(what, *counts, time.monotonic() - began)}", end="", file=sys.stderr, flush=True)

    try:
        with looking(draw):
            yield report
    finally:
        erase()


def _line(what: str, done: int, total: int, seconds: float) -> str:
    """A bar of one line, which leaves the last column free: some terminals begin a new line once it is full."""
    filled = BAR * done // total if total else 0
    minutes, rest = divmod(int(seconds), 60)
    bar = f" {'━' * filled}{'·' * (BAR - filled)} {done:,}/{total:,} {minutes}:{rest:02}"
    width = _columns() - 1
    return f"{what[: max(0, width - len(bar))]}{bar}"[:width]


def _columns() -> int:
    return shutil.get_terminal_size().columns


@contextmanager
def looking(look: Callable[[], None]) -> Iterator[None]:
    """Call `look` regularly, in a thread of its own, while the body runs, and once more after it."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(TICK_SECONDS):
            look()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
    look()


def cut(line: str) -> str:
    """As much of a line as fits the terminal on standard error; all of it if there is no terminal."""
    if not sys.stderr.isatty():
        return line
    width = _columns()
    return line if len(line) <= width else f"{line[: width - 1]}…"


def _plain(what: str) -> Report:
    last = time.monotonic()
    reported: tuple[int, int] | None = None

    def report(done: int, total: int) -> None:
        nonlocal last, reported
        # Work with at least one report gets a last one when it is done.
        is_last = done == total and reported not in (None, (done, total))
        if is_last or time.monotonic() - last >= PLAIN_SECONDS:
            last, reported = time.monotonic(), (done, total)
            print(f"{what}: {done:,} of {total:,}", file=sys.stderr, flush=True)

    return report
