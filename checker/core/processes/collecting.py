"""Spare the collector of cycles work that makes many values and few cycles."""

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager

RARELY = 100_000
"""New values, more than have been freed, after which cycles are looked for."""


def collect_rarely() -> None:
    """Look for cycles less often in this process from here on, and not once more when it ends.

    Importing PyArrow and what else a command needs makes nearly no cycles; looking for them takes a quarter of the time
    of a small command.
    """
    gc.set_threshold(RARELY, *gc.get_threshold()[1:])
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)


@contextmanager
def without_collecting() -> Iterator[None]:
    """Switch garbage collection off: millions of values live until the end; looking for cycles costs a tenth."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
