"""Calls of user code: any exception that it raises is reported as its fault, and cannot end the exploration."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from gomboc.checker.core.dependency_tracker import MissingRead
from gomboc.checker.core.processes.signals import Ended

FAULTS = (BaseException,)
"""Exceptions that user code may raise: all. `let_through` is called first wherever one is caught."""


class _Keyboard:
    """Whether an interrupt is real, not raised by user code; outside `under_guard` every interrupt counts as real."""

    real = True


def let_through(error: BaseException) -> None:
    """Raise again an error that is not the user code's own: an interrupt, a signal, or `MissingRead`."""
    if isinstance(error, MissingRead | Ended) or (isinstance(error, KeyboardInterrupt) and _Keyboard.real):
        raise error


@contextmanager
def under_guard() -> Iterator[None]:
    """Make `os._exit` raise SystemExit within, and tell real interrupts from those that user code raises."""
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
