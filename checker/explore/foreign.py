"""Calls of a stranger's code: whatever that code raises is a fault of its own, and it cannot end the exploration."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from gomboc.checker.looked import AskedForMore
from gomboc.checker.processes import Ended

FAULTS = (BaseException,)
"""What a stranger's code may raise: whatever there is. `let_through` is asked first wherever it is caught."""


class _Keyboard:
    """Whether somebody has really interrupted; as long as nobody watches for it, every interrupt counts as real."""

    real = True


def let_through(error: BaseException) -> None:
    """Raise again what a stranger's code has not raised by itself: an interrupt, a signal, or our own question."""
    if isinstance(error, AskedForMore | Ended) or (isinstance(error, KeyboardInterrupt) and _Keyboard.real):
        raise error


@contextmanager
def under_guard() -> Iterator[None]:
    """Within, `os._exit` raises SystemExit, and an interrupt is told apart from one that a stranger's code raises."""
    leave, listens = os._exit, threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGINT) if listens else None

    def refuse(status: int) -> None:
        raise SystemExit(status)

    def interrupt(number: int, frame: FrameType | None) -> None:
        del number, frame
        _Keyboard.real = True
        raise KeyboardInterrupt

    if listens and before is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, interrupt)
    os._exit = refuse  # type: ignore[assignment]
    _Keyboard.real = not listens
    try:
        yield
    finally:
        os._exit = leave
        _Keyboard.real = True
        if listens and before is not None:
            signal.signal(signal.SIGINT, before)
