"""Worker processes of this machine that end with the process that started them, even if it is killed."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from types import FrameType
from typing import TypeVar

from gomboc.checker.core.errors import UsageError

Result = TypeVar("Result")

ENDINGS = signal.SIGTERM, signal.SIGHUP
"""The signals that ask a process to end; an interrupt from the keyboard is the third."""

LEAVE_SECONDS = 20.0
"""Seconds for a process to end after a signal has asked it to: user code may delay its end."""

AGAIN_SECONDS = 0.05
"""Seconds after which an unnoticed signal is sent again."""

NO_MEMORY = "There is not enough memory for this work: give fewer --jobs, or smaller traces."


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


class Heir:
    """A shell that waits for the end of this process, and then cleans up if this process was killed.

    It runs `script` with `arguments` as $1, $2, ... unless it is dismissed before. Files `kept` stay open, with their
    locks, until it is done.
    """

    def __init__(self, script: str, *arguments: str, kept: tuple[int, ...] = ()) -> None:
        nowhere = subprocess.DEVNULL
        # In a session of its own, it gets no interrupt from the keyboard, nor a hang-up of a terminal that is closed.
        self._shell = subprocess.Popen(
            ["/bin/sh", "-c", f"read -r never\n{script}", "sh", *arguments],
            env={"PATH": "/usr/bin:/bin"},
            stdin=subprocess.PIPE,
            stdout=nowhere,
            stderr=nowhere,
            pass_fds=kept,
            start_new_session=True,
        )

    def dismiss(self) -> None:
        """End the shell, because nothing is left to clean up."""
        # Killed before the pipe is closed, it never comes to its script.
        self._shell.kill()
        self._shell.wait()
        assert self._shell.stdin is not None, "it has a pipe"
        self._shell.stdin.close()


class _Deaf(SpawnProcess):
    """A process that ignores interrupts, even while it starts: they are for the process that started it.

    Spawned, since a process with threads cannot be forked safely, and a progress bar is a thread.
    """

    def start(self) -> None:
        """Start it. Signals that are blocked here while it starts stay blocked there."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, *ENDINGS})
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Context(SpawnContext):
    Process = _Deaf


@contextmanager
def processes(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """A pool of so many processes. They end if the body fails or is interrupted, and if this process is killed."""
    before = set(multiprocessing.active_children())
    with ProcessPoolExecutor(jobs, _Context(), _end_with_parent) as pool:
        try:
            yield pool
        finally:
            for process in set(multiprocessing.active_children()) - before:
                process.kill()
            pool.shutdown(cancel_futures=True)


def _end_with_parent() -> None:
    """In a process of a pool: end as soon as the process that started it is gone.

    Otherwise it would wait for work for ever: this process, too, holds the other end of the pipe of its work. So it
    waits for a pipe that only the parent holds, which exists on every system.
    """
    threading.Thread(target=_exit_after_parent, daemon=True).start()


def _exit_after_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None, "this is a process that was started"
    parent.join()
    os._exit(1)


def _share(work: Callable[[int], Result], numbers: range) -> list[Result]:
    return [work(number) for number in numbers]


def in_processes(work: Callable[[int], Result], pieces: int, jobs: int, at_once: int = 1) -> Iterator[Result]:
    """The result of `work` for each number below `pieces`, in order, computed in `jobs` processes.

    A process gets `at_once` of them at a time. If the caller stops, or is interrupted, the processes end. Raises
    UsageError if one of them dies, or lacks memory.
    """
    portions = -(-pieces // at_once)
    try:
        if jobs == 1 or portions <= 1:
            # Not map: a StopIteration raised by the work would end it here, as if all were done.
            for number in range(pieces):
                yield work(number)
            return
        with processes(min(jobs, portions)) as pool:
            shares = (range(low, min(low + at_once, pieces)) for low in range(0, pieces, at_once))
            # Not pool.map, which cancels the remaining futures when it is interrupted: the processes of the pool are
            # killed then, and the pool would fail on the cancelled futures with a traceback of its own.
            waiting = deque(pool.submit(_share, work, numbers) for numbers in shares)
            while waiting:
                yield from waiting.popleft().result()
    except BrokenProcessPool as error:
        raise UsageError("A process that was at work died, perhaps for lack of memory: give fewer --jobs.") from error
    except MemoryError as error:
        raise UsageError(NO_MEMORY) from error
