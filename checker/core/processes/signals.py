"""How signals end this process: in order, and for certain."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

ENDINGS = signal.SIGTERM, signal.SIGHUP
"""The signals that ask a process to end; an interrupt from the keyboard is the third."""

LEAVE_SECONDS = 20.0
"""Seconds for a process to end after a signal has asked it to: user code may delay its end."""

AGAIN_SECONDS = 0.05
"""Seconds after which an unnoticed signal is sent again."""


class Ended(KeyboardInterrupt):
    """This process was asked to end by a signal. Code that cleans up after an interrupt does so after this one, too."""


@contextmanager
def ending_in_order() -> Iterator[None]:
    """Turn a signal that asks to end into an exception in the body, once, and exit with the shell's code for the
    signal.

    The exit code is the same however the body handles the exception. A signal that is ignored (`nohup`) stays ignored.
    """
    listening = [number for number in ENDINGS if signal.getsignal(number) is signal.SIG_DFL]
    heard: list[int] = []

    def end(number: int, frame: FrameType | None) -> None:
        del frame
        heard.append(number)
        if len(heard) == 1:
            _leave_late(number)
            raise Ended

    for number in listening:
        signal.signal(number, end)
    try:
        with _not_missed(heard), _not_swallowed(heard):
            yield
    finally:
        for number in listening:
            signal.signal(number, signal.SIG_DFL)
        if heard:
            sys.exit(128 + heard[0])


def _leave_late(number: int, leave: Callable[[int], None] = os._exit) -> None:
    """End this process even if the running code swallows the exception. Its heirs do the rest."""
    timer = threading.Timer(LEAVE_SECONDS, leave, [128 + number])
    timer.daemon = True
    timer.start()


@contextmanager
def _not_missed(heard: list[int]) -> Iterator[None]:
    """Send a signal that asks to end again until this process has noticed it.

    A signal that arrives when the main thread is about to wait, or in another thread, would be noticed after that wait
    only.
    """
    main, (read_end, write_end) = threading.get_ident(), os.pipe()
    os.set_blocking(write_end, False)

    def repeat() -> None:
        while number := os.read(read_end, 1):
            time.sleep(AGAIN_SECONDS)
            if number[0] in ENDINGS and not heard:
                signal.pthread_kill(main, number[0])

    before = signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
    thread = threading.Thread(target=repeat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(write_end)
        thread.join()
        os.close(read_end)


@contextmanager
def _not_swallowed(heard: list[int]) -> Iterator[None]:
    """Send a signal again if its exception was raised in a destructor: Python swallows it there."""
    main, before = threading.get_ident(), sys.unraisablehook

    def send_again(number: int) -> None:
        heard.clear()
        signal.pthread_kill(main, number)

    def look(swallowed: "sys.UnraisableHookArgs") -> None:
        if isinstance(swallowed.exc_value, KeyboardInterrupt):
            # Not at once, which would still be within the destructor.
            again = threading.Timer(AGAIN_SECONDS, send_again, [heard[0] if heard else signal.SIGINT])
            again.daemon = True
            again.start()
        else:
            before(swallowed)

    sys.unraisablehook = look
    try:
        yield
    finally:
        sys.unraisablehook = before
