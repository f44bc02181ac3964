"""Simulate a plan: run the implementation, watch it as the judge does to know when to stop, and record it."""

from collections.abc import Iterable
from functools import partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.output import MARKER, mark, only_writer, unwritable, whole_file, whole_folder
from gomboc.checker.core.phrases import counted
from gomboc.checker.core.processes.work import in_processes
from gomboc.checker.core.progress import Report
from gomboc.checker.judge.stabilisation import Stabilisation
from gomboc.checker.judge.system import System
from gomboc.checker.simulate.plan import Plan, check_plan, header
from gomboc.checker.simulate.refusals import refusals
from gomboc.checker.simulate.under_test import End, simulation, under_test
from gomboc.checker.traces.trace import TraceReader
from gomboc.impl.api.recorder import lines

MOST_AT_ONCE = 8
"""The most traces that a process is given at a time; few, so that it can be stopped soon."""


class Simulated(msgspec.Struct, frozen=True):
    """The result of one trace: its file, its steps, and the rounds until it was legitimate, if it was."""

    path: str
    steps: int
    rounds: int | None


class _Recording:
    """A file that is written as it is read: each line asked for is taken from `produced`, recorded, and handed out."""

    def __init__(self, produced: Iterable[bytes], file: BinaryIO) -> None:
        self._produced = iter(produced)
        self._file = file

    def readline(self, limit: int, /) -> bytes:
        """The next line. `limit` is ignored: no line of ours is that long."""
        del limit
        line = next(self._produced, b"")
        self._file.write(line)
        return line


def simulate_plan(plan: Plan, folder: Path, jobs: int, progress: Report, overwrite: bool = False) -> list[Simulated]:
    """Write all traces of `plan` into `folder`, which appears when it is complete.

    Raises UsageError if the plan is invalid, or if the folder cannot be written.
    """
    check_plan(plan)
    with whole_folder(folder, overwrite) as unfinished:
        done: list[Simulated] = []
        at_once = min(MOST_AT_ONCE, max(1, plan.traces // (16 * jobs)))
        for simulated in in_processes(partial(simulate_trace, plan, unfinished), plan.traces, jobs, at_once):
            done.append(simulated)
            progress(len(done), plan.traces)
    return done


def simulate_one(plan: Plan, folder: Path, index: int) -> Simulated:
    """Write one trace of `plan` into a folder that may be there already; a trace of the same name is replaced.

    Raises UsageError if the plan has no such trace, if another process is writing there, and as `simulate_trace`.
    """
    check_plan(plan)
    if index >= plan.traces:
        raise UsageError(
            f"The plan has {counted(plan.traces, 'trace')}, numbered from 0, so there is no trace {index}."
        )
    with only_writer(folder):
        ours = not folder.exists() or (folder / MARKER).exists()
        try:
            folder.mkdir(exist_ok=True)
        except OSError as error:
            raise unwritable(folder, error) from error
        simulated = simulate_trace(plan, folder, index)
        if ours:
            mark(folder, [plan.file_name(index)])
    return simulated


@refusals()
def simulate_trace(plan: Plan, folder: Path, index: int) -> Simulated:
    """Run trace `index` of the plan, and record it: the file appears when it is complete.

    Raises UsageError if the implementation refuses the trace, and if the file cannot be written.
    """
    path = folder / plan.file_name(index)
    with whole_file(path) as unfinished, unfinished.open("wb") as file:
        steps, rounds = _watch(plan, index, path, file)
    return Simulated(str(path), steps, rounds)


def _watch(plan: Plan, index: int, path: Path, file: BinaryIO) -> tuple[int, int | None]:
    """Follow the run until the plan ends it. Returns the steps, and the rounds until legitimate."""
    head = header(plan, index)
    run, due = simulation(plan, index, head, under_test(plan, head["parameters"]))
    reader = TraceReader(path, _Recording(lines(head, islice(run.steps(), plan.steps)), file))
    protocol, system = reader.protocol, System(reader.header, reader.protocol)
    end = End(plan, protocol, reader.header.roles, run, due)
    watched = Stabilisation(protocol, system, end.bound)
    steps, commanded, earlier = 0, 0, 0
    for steps, step in enumerate(reader.steps(), 1):
        commanded += step.took != "timeout" and not isinstance(step.took, int)
        taken = system.apply(step)
        if system.begins_anew:
            earlier += watched.rounds_completed
        watched.observe(steps, step, taken)
        completed = watched.rounds_completed
        if end.is_reached(commanded, watched.rounds, completed, earlier + completed):
            break
    return steps, watched.rounds
