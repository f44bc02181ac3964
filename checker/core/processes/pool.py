"""Worker processes of this machine that end with the process that started them, even if it is killed."""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import TypeVar

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.processes.collecting import collect_rarely
from gomboc.checker.core.processes.signals import ENDINGS

Result = TypeVar("Result")


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
    with ProcessPoolExecutor(jobs, _Context(), _begin) as pool:
        try:
            yield pool
        finally:
            for process in set(multiprocessing.active_children()) - before:
                process.kill()
            pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """The beginning of a process of a pool."""
    collect_rarely()
    _end_with_parent()


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


def in_pool(work: Callable[[int], Result], pieces: int, jobs: int, at_once: int) -> Iterator[Result]:
    """The result of `work` for each number below `pieces`, in order, `at_once` at a time in each of `jobs` processes.

    Raises UsageError if one of them dies.
    """
    try:
        with processes(jobs) as pool:
            shares = (range(low, min(low + at_once, pieces)) for low in range(0, pieces, at_once))
            # Not pool.map, which cancels the remaining futures when it is interrupted: the processes of the pool are
            # killed then, and the pool would fail on the cancelled futures with a traceback of its own.
            waiting = deque(pool.submit(_share, work, numbers) for numbers in shares)
            while waiting:
                yield from waiting.popleft().result()
    except BrokenProcessPool as error:
        raise UsageError("A process that was at work died, perhaps for lack of memory: give fewer --jobs.") from error


def _share(work: Callable[[int], Result], numbers: range) -> list[Result]:
    return [work(number) for number in numbers]
