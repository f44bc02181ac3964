"""Work in processes of this machine that end with whoever started them, however that one ends."""

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

from gomboc.checker.errors import UsageError

Result = TypeVar("Result")

ENDINGS = signal.SIGTERM, signal.SIGHUP
"""The signals that ask a process to end; an interrupt from the keyboard is the third."""

LEAVE_SECONDS = 20.0
"""How long a process may take to end after a signal has asked it to: code of others may hold up what ends it."""

AGAIN_SECONDS = 0.05
"""How long a signal may go unheard."""

NO_MEMORY = "There is not enough memory for this work: give fewer --jobs, or smaller traces."


class Ended(KeyboardInterrupt):
    """This process was asked to end by a signal. Whoever cleans up after an interrupt does so after this one, too."""


@contextmanager
def ending_in_order() -> Iterator[None]:
    """Let a signal that asks to end be an exception in the body, once; whatever becomes of that, exit as shells say it.

    A signal that is ignored (`nohup`) stays ignored.
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
    """Have this process end even if the exception is swallowed by whatever runs now. What is left is for its heirs."""
    timer = threading.Timer(LEAVE_SECONDS, leave, [128 + number])
    timer.daemon = True
    timer.start()


@contextmanager
def _not_missed(heard: list[int]) -> Iterator[None]:
    """Send a signal that asks to end once more as long as nobody has heard it.

    One that comes when the main thread is about to wait, or to another thread, would be heard after that wait only.
    """
    main, (told, tell) = threading.get_ident(), os.pipe()
    os.set_blocking(tell, False)

    def repeat() -> None:
        while number := os.read(told, 1):
            time.sleep(AGAIN_SECONDS)
            if number[0] in ENDINGS and not heard:
                signal.pthread_kill(main, number[0])

    before = signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
    thread = threading.Thread(target=repeat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(tell)
        thread.join()
        os.close(told)


@contextmanager
def _not_swallowed(heard: list[int]) -> Iterator[None]:
    """Send a signal once more whose exception came up in a destructor: Python lets none out of there."""
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
    """A shell that waits for the end of this process, and then does what this process cannot do if it is killed.

    It runs `script` with `arguments` as $1, $2, ... unless it is dismissed before. Files `kept` stay open, with their
    locks, until it is done.
    """

    def __init__(self, script: str, *arguments: str, kept: tuple[int, ...] = ()) -> None:
        nowhere = subprocess.DEVNULL
        # In a session of its own, it does not hear of an interrupt from the keyboard, nor of a terminal that is closed.
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
        """Nothing is left to be done."""
        # Killed before the pipe is closed, it never comes to its script.
        self._shell.kill()
        self._shell.wait()
        assert self._shell.stdin is not None, "it has a pipe"
        self._shell.stdin.close()


class _Deaf(SpawnProcess):
    """A process that sees no interrupt, not even while it starts: that is for whoever started it.

    Spawned, since a process with threads cannot be forked safely, and a progress bar is a thread.
    """

    def start(self) -> None:
        """Start it. What is blocked here while it starts is blocked there for good."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, *ENDINGS})
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Context(SpawnContext):
    Process = _Deaf


@contextmanager
def processes(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """So many processes. If the body fails or is interrupted, so do they, and if this process is killed."""
    before = set(multiprocessing.active_children())
    with ProcessPoolExecutor(jobs, _Context(), _end_with_parent) as pool:
        try:
            yield pool
        finally:
            for process in set(multiprocessing.active_children()) - before:
                process.kill()
            pool.shutdown(cancel_futures=True)


def _end_with_parent() -> None:
    """In a process of a pool: end as soon as whoever started it is gone.

    It would wait for work for ever: the pipe that the work comes through has this process, too, at its other end. What
    is waited for here is a pipe that only the parent holds, which is there on every system.
    """
    threading.Thread(target=_outlive_nobody, daemon=True).start()


def _outlive_nobody() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None, "this is a process that was started"
    parent.join()
    os._exit(1)


def _share(work: Callable[[int], Result], numbers: range) -> list[Result]:
    return [work(number) for number in numbers]


def in_processes(work: Callable[[int], Result], pieces: int, jobs: int, at_once: int = 1) -> Iterator[Result]:
    """What `work` gives for each number below `pieces`, in order, worked out in `jobs` processes.

    A process is given `at_once` of them at a time. If the caller stops, or is interrupted, so do the processes. Raises
    UsageError if one of them dies, or lacks memory.
    """
    portions = -(-pieces // at_once)
    try:
        if jobs == 1 or portions <= 1:
            # Not map, which would end here, as if all were done, at a StopIteration out of somebody's work.
            for number in range(pieces):
                yield work(number)
            return
        with processes(min(jobs, portions)) as pool:
            shares = (range(low, min(low + at_once, pieces)) for low in range(0, pieces, at_once))
            # Not pool.map, which cancels what is left when it is interrupted: the pool, whose processes are killed
            # then, would fail to tell that to what is cancelled, with a traceback of its own.
            waiting = deque(pool.submit(_share, work, numbers) for numbers in shares)
            while waiting:
                yield from waiting.popleft().result()
    except BrokenProcessPool as error:
        raise UsageError("A process that was at work died, perhaps for lack of memory: give fewer --jobs.") from error
    except MemoryError as error:
        raise UsageError(NO_MEMORY) from error
