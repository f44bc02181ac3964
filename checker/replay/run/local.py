"""The engine on this machine: processes. If one dies, the others go on, and its work is repeated with more care."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.processes.pool import processes
from gomboc.checker.core.progress import Report
from gomboc.checker.replay.run.tasks import Done, do_part, do_unit
from gomboc.checker.replay.run.work import Job, Part, Unit

MOST_DEATHS = 100
"""Processes that may die before the run is given up."""

AHEAD = 2
"""Pieces of work that each process gets in advance. If it dies, all of them are done again."""

Task = Callable[[], Done]


class LocalPool:
    """Works with that many processes; with one, in this very process."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.name = f"factored replay in {jobs} process{'es' if jobs > 1 else ''}"

    @property
    def parts(self) -> int:
        """The best number of parts for judging."""
        return self.jobs

    def judge(self, job: Job, parts: Sequence[Part], packs: Sequence[str]) -> list[Done]:
        """Judge those parts."""
        return list(self._all([partial(do_part, job, part, packs) for part in parts]))

    def compose(self, job: Job, units: Sequence[Unit], report: Report) -> list[Done]:
        """Judge those units."""
        done: list[Done] = []
        for result in self._all([partial(do_unit, job, unit) for unit in units]):
            done.append(result)
            report(len(done), len(units))
        return done

    def _all(self, tasks: Sequence[Task]) -> Iterator[Done]:
        if self.jobs == 1 or len(tasks) <= 1:
            for task in tasks:
                yield task()
            return
        left = list(reversed(tasks))
        for _ in range(MOST_DEATHS):
            yield from self._in_pool(left)
            if not left:
                return
        raise UsageError(
            f"{MOST_DEATHS} processes died, so nothing more is tried: look at the memory, or give fewer --jobs."
        )

    def _in_pool(self, left: list[Task]) -> Iterator[Done]:
        """Do the tasks on the list `left`, from its end; the tasks of a dead process stay on it."""
        running: dict[Future[Done], Task] = {}
        with processes(min(self.jobs, len(left))) as pool:
            try:
                while left or running:
                    while left and len(running) < AHEAD * self.jobs:
                        task = left.pop()
                        running[pool.submit(task)] = task
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        done = future.result()
                        del running[future]
                        yield done
            except BrokenProcessPool:
                left.extend(running.values())
