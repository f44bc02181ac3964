"""Simulate a plan: run the implementation, watch it with the judge's eyes to know when to stop, and record it."""

import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import BinaryIO

import msgspec

from checker.campaign.plan import Plan, check_plan, commands, header
from checker.campaign.under_test import under_test
from checker.errors import UsageError
from checker.stabilisation import Stabilisation
from checker.system import System
from checker.trace import TraceReader
from checker.whole import whole_file, whole_folder
from impl.errors import UsageError as ImplementationUsageError
from impl.recorder import lines
from impl.simulator import Options, Simulation, TimedCommand

Progress = Callable[[int, int], None]

MOST_AT_ONCE = 8
"""Traces that a process is given at a time, so that it can be stopped soon."""


class Simulated(msgspec.Struct, frozen=True):
    """What became of one trace: its file, its steps, and the rounds until it was legitimate, if it was."""

    path: str
    steps: int
    rounds: int | None


class _Recording:
    """A file that is written as it is read: each line asked for is taken from `produced`, recorded, and handed out."""

    def __init__(self, produced: Iterable[bytes], file: BinaryIO) -> None:
        self._produced = iter(produced)
        self._file = file

    def readline(self, limit: int, /) -> bytes:
        """The next line; `limit` is the reader's business, and no line of ours reaches it."""
        del limit
        line = next(self._produced, b"")
        self._file.write(line)
        return line


def simulate_plan(plan: Plan, folder: Path, jobs: int, progress: Progress, overwrite: bool = False) -> list[Simulated]:
    """Write all traces of `plan` into `folder`, which appears when it is complete.

    Raises UsageError if the plan makes no sense, or if the folder cannot be written.
    """
    check_plan(plan)
    with whole_folder(folder, _holds_something_else if overwrite else None) as unfinished:
        done: list[Simulated] = []
        for simulated in _simulated(plan, unfinished, jobs):
            done.append(simulated)
            progress(len(done), plan.traces)
    return done


def _holds_something_else(folder: Path) -> str | None:
    if not folder.is_dir():
        return "it is no folder"
    others = sorted(path.name for path in folder.iterdir() if path.suffix != ".jsonl")
    return f"it holds {others[0]!r}, which is no trace" if others else None


def _simulated(plan: Plan, folder: Path, jobs: int) -> Iterator[Simulated]:
    one = partial(simulate_trace, plan, folder)
    if jobs == 1 or plan.traces == 1:
        yield from map(one, range(plan.traces))
        return
    chunk = min(MOST_AT_ONCE, max(1, plan.traces // (16 * jobs)))
    with ProcessPoolExecutor(max_workers=jobs, initializer=_leave_interrupts_to_the_parent) as pool:
        try:
            yield from pool.map(one, range(plan.traces), chunksize=chunk)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def simulate_trace(plan: Plan, folder: Path, index: int) -> Simulated:
    """Run trace `index` of the plan, and record it: the file appears when it is complete.

    Raises UsageError for what the implementation refuses, and if the file cannot be written.
    """
    path = folder / plan.file_name(index)
    try:
        with whole_file(path) as unfinished, unfinished.open("wb") as file:
            steps, rounds = _watch(plan, index, path, file)
    except ImplementationUsageError as error:
        raise UsageError(str(error)) from error
    return Simulated(str(path), steps, rounds)


def _watch(plan: Plan, index: int, path: Path, file: BinaryIO) -> tuple[int, int | None]:
    """Follow the run until the plan says that it is enough: steps, and rounds until legitimate."""
    head = header(plan, index)
    due = tuple(TimedCommand(each.at, each.node, each.command()) for each in commands(plan, index))
    run = Simulation(head, under_test(plan), plan.seed_of(index, "run"), Options(commands=due))
    reader = TraceReader(path, _Recording(lines(head, run.steps()), file))
    protocol, system = reader.protocol, System(reader.header)
    members = sum(role == protocol.member for role in reader.header.roles.values())
    bound = protocol.bound(members)
    most = bound + plan.settle if plan.rounds is None else plan.rounds
    watched = Stabilisation(protocol, system, bound)
    steps, commanded = 0, 0
    for steps, step in enumerate(reader.steps(), 1):
        watched.observe(steps, step, system.apply(step))
        commanded += step.took != "timeout" and not isinstance(step.took, int)
        settled = watched.rounds is not None and watched.rounds_after >= plan.settle
        if commanded == len(due) and (settled or watched.rounds_completed >= most):
            break
    return steps, watched.rounds
