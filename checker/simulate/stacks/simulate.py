"""Simulate a plan of a stack: each run in a folder of its own, with a trace for each layer and topic."""

from functools import partial
from pathlib import Path

from gomboc.checker.core.output import whole_folder
from gomboc.checker.core.processes.work import in_processes
from gomboc.checker.core.progress import Report
from gomboc.checker.simulate.stacks.applications import has_applications, run_applications, stack
from gomboc.checker.simulate.stacks.layered import check_layers, run_layers
from gomboc.checker.simulate.stacks.plan import Recorded, StackPlan
from gomboc.checker.stacks.fit import known_stack


def simulate_stack(plan: StackPlan, folder: Path, jobs: int, progress: Report, overwrite: bool) -> list[Recorded]:
    """Write every layer of every run as folder/RUN/LAYER.jsonl or folder/RUN/LAYER/TOPIC.jsonl.

    The folder appears when it is complete. Raises UsageError if the plan is invalid, or if it cannot be written.
    """
    check_stack_plan(plan)
    with whole_folder(folder, overwrite) as unfinished:
        done: list[Recorded] = []
        for recorded in in_processes(partial(simulate_run, plan, unfinished), plan.runs, jobs, 1):
            done.append(recorded)
            progress(len(done), plan.runs)
    return done


def check_stack_plan(plan: StackPlan) -> None:
    """Raise UsageError if the plan cannot be simulated."""
    known_stack(plan.stack)
    if has_applications(plan.stack):
        stack(plan)
    else:
        check_layers(plan)


def simulate_run(plan: StackPlan, folder: Path, index: int) -> Recorded:
    """Simulate run `index` into folder/RUN. Raises UsageError if an implementation refuses it."""
    run = run_applications if has_applications(plan.stack) else run_layers
    return run(plan, folder / f"{index:06d}", index)
