"""Progress of long work, on standard error: a bar on a terminal, a plain line every ten seconds elsewhere."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

PLAIN_SECONDS = 10.0
"""How often a plain line is written."""

Report = Callable[[int, int], None]
"""Is told how many of how many pieces are done."""


@contextmanager
def progress(what: str) -> Iterator[Report]:
    """Show how far `what` has come, for as long as the body runs."""
    if not sys.stderr.isatty():
        yield _plain(what)
        return
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _plain(what: str) -> Report:
    last = time.monotonic()

    def report(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last >= PLAIN_SECONDS:
            last = time.monotonic()
            print(f"{what}: {done:,} of {total:,}", file=sys.stderr, flush=True)

    return report
