"""Work in processes of this machine that end with whoever started them."""

import multiprocessing
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import TypeVar

from checker.errors import UsageError

Result = TypeVar("Result")


class _Deaf(SpawnProcess):
    """A process that sees no interrupt, not even while it starts: that is for whoever started it.

    Spawned, since a process with threads cannot be forked safely, and a progress bar is a thread.
    """

    def start(self) -> None:
        """Start it. What is blocked here while it starts is blocked there for good."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Context(SpawnContext):
    Process = _Deaf


@contextmanager
def processes(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """So many processes. If the body fails or is interrupted, so do they."""
    before = set(multiprocessing.active_children())
    with ProcessPoolExecutor(jobs, _Context()) as pool:
        try:
            yield pool
        finally:
            for process in set(multiprocessing.active_children()) - before:
                process.terminate()
            pool.shutdown(cancel_futures=True)


def in_processes(work: Callable[[int], Result], pieces: int, jobs: int, at_once: int = 1) -> Iterator[Result]:
    """What `work` gives for each number below `pieces`, in order, worked out in `jobs` processes.

    A process is given `at_once` of them at a time. If the caller stops, or is interrupted, so do the processes. Raises
    UsageError if one of them dies.
    """
    if jobs == 1 or pieces == 1:
        yield from map(work, range(pieces))
        return
    with processes(min(jobs, pieces)) as pool:
        try:
            yield from pool.map(work, range(pieces), chunksize=at_once)
        except BrokenProcessPool as error:
            raise UsageError(
                "A process that was at work died, perhaps for lack of memory: give fewer --jobs."
            ) from error
