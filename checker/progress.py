"""Progress of long work, on standard error: a bar on a terminal, a plain line every ten seconds elsewhere."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PLAIN_SECONDS = 10.0
"""Seconds between plain lines."""

TICK_SECONDS = 0.5
"""Seconds between looks at work that does not report its progress itself."""

Report = Callable[[int, int], None]
"""Takes the number of pieces that are done, and of all pieces."""


@contextmanager
def progress(what: str) -> Iterator[Report]:
    """Show the progress of `what` as long as the body runs."""
    if not sys.stderr.isatty():
        yield _plain(what)
        return
    # Only here, since every process of a pool would import it for nothing.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


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
    from rich.console import Console

    width = Console(stderr=True).width
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
