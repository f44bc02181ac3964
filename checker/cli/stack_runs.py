"""`gomboc simulate STACK`: the plan, and the traces or packs of its layers."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from gomboc.checker.cli.parameters import of_header
from gomboc.checker.cli.without_effect import given, refuse_of_detectors
from gomboc.checker.cli.written import say_written
from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.output import check_place
from gomboc.checker.core.progress import progress
from gomboc.checker.judge.verdict import HOLDS
from gomboc.checker.simulate.stacks.plan import StackPlan
from gomboc.checker.simulate.stacks.simulate import simulate_stack


def stack_plan(
    stack: str,
    nodes: tuple[int, ...],
    traces: int,
    parameters: tuple[tuple[str, Any], ...],
    topics: tuple[str, ...] | None,
    reproduce: str,
    options: Mapping[str, Any],
) -> StackPlan:
    """The plan of runs of a stack. Raises UsageError if an option is given that a stack does not have."""
    _refuse_of_protocols(stack)
    if options["start"] not in ("arbitrary", "legitimate"):
        raise UsageError(f"{stack} is a stack, and --start FILE is for one protocol: leave it out.")
    refuse_of_detectors(options)
    names = "seed", "disturb", "start", "outside", "messages", "detection", "patience", "loss"
    chosen = {name: options[name] for name in names} | ({} if topics is None else {"topics": topics})
    chosen["publications"] = options["publications"] or 0
    values = of_header(stack, parameters, False)
    return StackPlan(stack, nodes, traces, parameters=values, reproduce=reproduce, **chosen)


OF_STACKS = {"protocol", "output", "overwrite", "traces", "nodes", "parameters", "seed", "disturb", "topics", "jobs"}
OF_STACKS |= {"start", "outside", "messages", "publications", "detection", "into", "pack_size", "form", "quiet"}
OF_STACKS |= {"patience", "loss"}
"""The options that a stack has."""


def _refuse_of_protocols(stack: str) -> None:
    """Raise UsageError if an option is given that a stack does not have."""
    context = click.get_current_context()
    exposed = {param.name for param in context.command.get_params(context) if param.expose_value}
    for name, option in given().items():
        if name in exposed and name not in OF_STACKS:
            raise UsageError(f"{stack} is a stack, and {option} is for one protocol: leave it out.")


def simulate_into(
    plan: StackPlan, output: Path, into: str, size: int | None, jobs: int, overwrite: bool, form: str
) -> int:
    """Write every layer of the runs of a stack."""
    if into != "packs" and size is not None:
        raise UsageError("--pack-size is for packs: add --into packs.")
    if into == "packs":
        return _into_packs(plan, output, size, jobs, overwrite, form)
    with progress("simulating") as report:
        done = simulate_stack(plan, output, jobs, report, overwrite)
    traces, steps = sum(recorded.traces for recorded in done), sum(recorded.steps for recorded in done)
    say_written("simulate", form, output, traces=traces, steps=steps)
    return HOLDS


def _into_packs(plan: StackPlan, output: Path, size: int | None, jobs: int, overwrite: bool, form: str) -> int:
    """Write the runs of a stack into a corpus for each layer."""
    from gomboc.checker.replay.pack.corpus import PACK_SIZE
    from gomboc.checker.stacks.pack import ingest_stacks

    check_place(output, overwrite)
    with TemporaryDirectory(dir=output.resolve().parent, prefix=f".{output.name}.") as lines:
        with progress("simulating") as report:
            simulate_stack(plan, Path(lines, "runs"), jobs, report, False)
        with progress("packing") as report:
            written = ingest_stacks(Path(lines, "runs"), output, size or PACK_SIZE, jobs, report, overwrite)
    say_written("simulate", form, output, traces=written.traces, packs=written.packs, steps=written.steps)
    return HOLDS
