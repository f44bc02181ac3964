"""`gomboc shrink`: a smaller trace with the same first violation."""

from pathlib import Path

import click
import msgspec

from gomboc.checker.cli.commands import completion
from gomboc.checker.cli.document import json_document
from gomboc.checker.cli.paths import EXISTING, TRACE, Seconds
from gomboc.checker.core.apart import check_apart
from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.output import new_file, whole_folder, write_whole
from gomboc.checker.core.phrases import counted
from gomboc.checker.core.protocol_option import look_here, protocol_option
from gomboc.checker.judge.naive import Options, judge_file
from gomboc.checker.judge.verdict import HOLDS
from gomboc.checker.shrink.case import Size, read_case
from gomboc.checker.simulate.apart import shrink_apart
from gomboc.checker.simulate.under_test import named_implementation
from gomboc.checker.stacks.recorded import is_stack
from gomboc.checker.stacks.shrink import shrink_run
from gomboc.checker.summary.clusters import CUT, RUN
from gomboc.checker.summary.repro_command import check_again
from gomboc.checker.traces.trace_files import STANDARD_INPUT, compressed, trace_name

SMALL = ".small.jsonl"

HOW = {"run": RUN, "cut": CUT, "whole": "It is the trace itself."}
"""The sentence for each kind of result."""


class ShrinkOutcome(msgspec.Struct, frozen=True):
    """The result: the violation, the sizes before and after, the number of tries, and why the search ended.

    `how` is `run` for a new run, `cut` for a part of the trace, `whole` for the trace itself.
    """

    trace: str
    output: str
    violated: str
    was: Size
    now: Size
    tried: int
    why: str
    how: str


@click.command("shrink")
@click.argument("trace", type=TRACE, metavar="TRACE")
@click.option(
    "--output", type=EXISTING, metavar="FILE", help="The smaller trace. [default: TRACE.small.jsonl, beside TRACE]"
)
@click.option("--overwrite", is_flag=True, help="Replace the file that is there.")
@completion.variant_option("Judge the trace by a rule as printed.")
@click.option("--bound", type=click.IntRange(min=0), help="Rounds within which a run must become legitimate.")
@click.option("--seconds", type=Seconds(), default=60.0, show_default=True, help="How long to look for a smaller one.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--implementation", metavar="MODULE:NAME", help="Your own implementation that recorded the trace.")
@protocol_option
def command(
    trace: Path,
    output: Path | None,
    overwrite: bool,
    variant: str | None,
    bound: int | None,
    seconds: float,
    form: str,
    implementation: str | None,
) -> int:
    """Look for a smaller trace with the same first violation: the same promise, rule and false conjuncts.

    Steps, nodes, messages in flight and values are left out for as long as the judge finds the same. If the trace names
    an implementation that is installed here, each smaller case is run anew by it, and only the new run counts.
    Otherwise the trace is only cut: the violating step, its node's state before it and its input stay unchanged.

    If the layers of a run of a stack do not join, the shortest time is sought in which the same hand-over is wrong;
    then topics, nodes, turns and messages are left out in all layers, as long as each trace stays as right as it was.

    Exit codes: 0 it is written, 2 usage, or the trace has no violation.
    """
    if output is None and trace == STANDARD_INPUT:
        raise UsageError("-: standard input has no place beside it: say with --output where the smaller trace goes.")
    options = Options(variant, bound)
    if is_stack(trace):
        return _shrink_stack(trace, output, overwrite, variant or bound or implementation, form, seconds)
    name = _implementation(trace, options, implementation)
    goal = output or trace.with_name(trace_name(trace.name) + SMALL)
    check_apart(goal, [trace])
    with new_file(goal, overwrite):
        case = read_case(trace)
        result = shrink_apart(case, options, name, seconds)
        write_whole(goal, compressed(goal, result.case.text()))
    how = "run" if result.run else "whole" if result.case == case else "cut"
    report = ShrinkOutcome(
        str(trace), str(goal), result.kind.says(), result.was, result.now, result.tried, result.why, how
    )
    click.echo(json_document("shrink", None, report) if form == "json" else _text(report, check_again(goal, options)))
    return HOLDS


def _shrink_stack(folder: Path, output: Path | None, overwrite: bool, given: object, form: str, seconds: float) -> int:
    """Write the part of a run in which a hand-over is wrong."""
    if given:
        raise UsageError("A run of a stack is only cut: give no --variant, no --bound and no --implementation with it.")
    goal = output or folder.resolve().with_name(f"{folder.resolve().name}.small")
    check_apart(goal, [folder])
    with whole_folder(goal, overwrite) as unfinished:
        report = shrink_run(folder, unfinished, str(goal), seconds)
    if form == "json":
        click.echo(json_document("shrink", None, report))
    else:
        sizes = (
            f"{counted(steps, 'step')} in {counted(traces, 'trace')}" for traces, steps in (report.was, report.now)
        )
        was, now = sizes
        tried = counted(report.tried, "part was", "parts were")
        click.echo(f"{folder}: {report.violated}; {was}.\n{goal}: the same in {now}.\n{tried} tried.")
        click.echo(f"view: gomboc check {goal}")
    return HOLDS


def _implementation(trace: Path, options: Options, implementation: str | None) -> str | None:
    """The name of the implementation that the option names. Raises UsageError if the trace has no violation."""
    judgement = judge_file(trace, options)
    if not judgement.violations():
        raise UsageError(f"{trace}: nothing is violated in it, so there is nothing to shrink.")
    if implementation is None:
        return None
    look_here()
    return named_implementation(implementation, judgement.protocol)


def _text(report: ShrinkOutcome, again: str) -> str:
    return "\n".join(
        (
            f"{report.trace}: {report.violated}; {_sized(report.was)}.",
            f"{report.output}: the same in {_sized(report.now)}.",
            HOW[report.how],
            f"{counted(report.tried, 'trace was', 'traces were')} tried; {report.why}.",
            f"view: {again}",
        )
    )


def _sized(size: Size) -> str:
    messages = f", {counted(size.messages, 'message')} in flight at first" if size.messages else ""
    return f"{counted(size.steps, 'step')}, {counted(size.nodes, 'node')}{messages}, {counted(size.bytes, 'byte')}"
