"""Work in pieces, in this process or in as many as are worth it."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from gomboc.checker.core.errors import UsageError

Result = TypeVar("Result")

NO_MEMORY = "There is not enough memory for this work: give fewer --jobs, or smaller traces."


def in_processes(work: Callable[[int], Result], pieces: int, jobs: int, at_once: int = 1) -> Iterator[Result]:
    """The result of `work` for each number below `pieces`, in order, computed in `jobs` processes.

    A process gets `at_once` of them at a time. If the caller stops, or is interrupted, the processes end. Raises
    UsageError if one of them dies, or lacks memory.
    """
    portions = -(-pieces // at_once)
    try:
        if jobs > 1 and portions > 1:
            # Imported here: work in this process alone starts sooner without it.
            from gomboc.checker.core.processes.pool import in_pool

            yield from in_pool(work, pieces, min(jobs, portions), at_once)
            return
        # Not map: a StopIteration raised by the work would end it here, as if all were done.
        for number in range(pieces):
            yield work(number)
    except MemoryError as error:
        raise UsageError(NO_MEMORY) from error
