"""Work in processes of this machine that end with whoever started them, however that one ends."""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from types import FrameType
from typing import TypeVar

from checker.errors import UsageError

Result = TypeVar("Result")

ENDINGS = signal.SIGTERM, signal.SIGHUP
"""The signals that ask a process to end; an interrupt from the keyboard is the third."""

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
            raise Ended

    for number in listening:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in listening:
            signal.signal(number, signal.SIG_DFL)
        if heard:
            sys.exit(128 + heard[0])


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


def in_processes(work: Callable[[int], Result], pieces: int, jobs: int, at_once: int = 1) -> Iterator[Result]:
    """What `work` gives for each number below `pieces`, in order, worked out in `jobs` processes.

    A process is given `at_once` of them at a time. If the caller stops, or is interrupted, so do the processes. Raises
    UsageError if one of them dies, or lacks memory.
    """
    portions = -(-pieces // at_once)
    try:
        if jobs == 1 or portions <= 1:
            yield from map(work, range(pieces))
            return
        with processes(min(jobs, portions)) as pool:
            yield from pool.map(work, range(pieces), chunksize=at_once)
    except BrokenProcessPool as error:
        raise UsageError("A process that was at work died, perhaps for lack of memory: give fewer --jobs.") from error
    except MemoryError as error:
        raise UsageError(NO_MEMORY) from error
