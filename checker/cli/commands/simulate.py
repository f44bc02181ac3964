"""`gomboc simulate`: run an implementation from corrupted states, and record traces."""

import os
import shlex
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
import msgspec

from gomboc.checker.cli import parameters
from gomboc.checker.cli.appearance import quiet_option
from gomboc.checker.cli.commands import completion
from gomboc.checker.cli.parameters import of_header
from gomboc.checker.cli.paths import EXISTING, Seconds
from gomboc.checker.cli.planned import CommandAt, NodeCounts, Topics
from gomboc.checker.cli.without_effect import OF_SPARK, given, refuse, refuse_of_detectors
from gomboc.checker.cli.written import say_written
from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.progress import progress
from gomboc.checker.core.protocol_option import add_named, look_here, protocol_option
from gomboc.checker.judge.verdict import HOLDS
from gomboc.checker.simulate.plan import LATEST, MOST_STEPS, STARTS, Plan
from gomboc.checker.simulate.simulate import simulate_one, simulate_plan
from gomboc.checker.simulate.under_test import named_implementation
from gomboc.spec.core.registry import protocol_names
from gomboc.spec.layers.stacks import stack_names


@click.command("simulate", cls=parameters.OfProtocol)
@click.argument("protocol", shell_complete=completion.protocols)
@click.option(
    "--output",
    required=True,
    type=EXISTING,
    metavar="DIR",
    help="The folder for the traces or packs.",
)
@click.option("--overwrite", is_flag=True, help="Replace the traces that are there.")
@click.option("--traces", type=click.IntRange(min=1), default=1, show_default=True, help="Number of traces.")
@click.option("--nodes", type=NodeCounts(), default="4", show_default=True, help="Members: 8, 1..16 or 2,4,8, in turn.")
@click.option(
    "--start",
    default="arbitrary",
    show_default=True,
    metavar="arbitrary|legitimate|FILE",
    help="The initial state; FILE is a trace, which begins in the same state.",
)
@click.option(
    "--messages",
    type=click.IntRange(min=0),
    help="Messages in flight at an arbitrary start, at most. [default: 3 per member]",
)
@click.option(
    "--publications",
    type=click.IntRange(min=1),
    help="Publications at an arbitrary start, at most. [default: none]",
)
@click.option(
    "--parameter",
    "parameters",
    type=parameters.NamedValue(),
    multiple=True,
    help="A parameter of the protocol, the same as --NAME VALUE. Can be repeated.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of every random choice.")
@click.option(
    "--settle",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="Rounds to continue after the system has become legitimate.",
)
@click.option(
    "--rounds", type=click.IntRange(min=1), help="Rounds to run at most. [default: the protocol's bound, and --settle]"
)
@click.option(
    "--steps",
    type=click.IntRange(min=1),
    default=MOST_STEPS,
    show_default=True,
    help="Steps to run at most in any case.",
)
@click.option(
    "--bound", type=click.IntRange(min=0), help="Rounds within which each run must become legitimate, for the judge."
)
@click.option(
    "--command",
    "commands",
    type=CommandAt(),
    multiple=True,
    help="An application's command, at a time in timeout periods (about rounds). Can be repeated.",
)
@click.option(
    "--disturb",
    is_flag=True,
    help="Disturb each run, as its seed says: leave, crash, publish, and the other disturbances of the protocol.",
)
@click.option(
    "--crashes",
    type=click.IntRange(min=0),
    default=0,
    help="Number of nodes that crash in each run, chosen by its seed.",
)
@click.option("--restarts", type=click.IntRange(min=0), default=0, help="Number of crashed nodes that restart.")
@click.option(
    "--within",
    type=click.FloatRange(min=0, min_open=True, max=LATEST),
    default=10.0,
    show_default=True,
    help="Timeout periods from the start within which nodes crash; restarts follow within as many more.",
)
@click.option(
    "--detection",
    type=click.FloatRange(min=0, min_open=True, max=LATEST),
    help="Mean time, in periods, until the failure detector reports a crashed node. [default: there is no detector]",
)
@click.option(
    "--patience",
    type=click.FloatRange(min=0, min_open=True, max=LATEST),
    help="Periods of silence after which a node's own detector suspects another one. Signs of life are delayed as "
    "messages are. [default: there is no detector]",
)
@click.option(
    "--loss",
    type=click.FloatRange(min=0, max=1, max_open=True),
    default=0.0,
    help="Probability that a sign of life is lost, for --patience.",
)
@click.option(
    "--outside", type=click.IntRange(min=0), default=0, help="Number of further nodes, outside the system at first."
)
@click.option(
    "--topics",
    type=Topics(),
    help="The topics of a stack. [default: news,sport]",
)
@click.option("--from-spec", is_flag=True, help="Run the specification itself instead of an implementation.")
@completion.variant_option("Run a rule as printed instead.")
@click.option(
    "--only", type=click.IntRange(min=0), metavar="INDEX", help="Write only the trace with this index, as JSON Lines."
)
@click.option(
    "--into",
    type=click.Choice(["jsonl", "packs"]),
    default="jsonl",
    show_default=True,
    help="A file of JSON Lines for each trace, or a corpus of packs; packs are faster, and much smaller.",
)
@click.option("--pack-size", type=click.IntRange(min=1), metavar="TRACES", help="Traces in a pack. [default: 10000]")
@click.option("--engine", type=click.Choice(["local", "spark"]), default="local", show_default=True)
@click.option("--master", default="local[*]", show_default=True, help="The Spark master, for --engine spark.")
@click.option("--java", metavar="PATH", help="The Java to run Spark on; 17, 21 or 25.")
@click.option(
    "--silence", type=Seconds(), help="How long Spark may be silent while it starts. [default: by the master]"
)
@quiet_option("No progress.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes, for --engine local. [default: one per core]")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@protocol_option
@click.option(
    "--implementation", metavar="MODULE:NAME", help="An implementation of your own: package.module:IMPLEMENTATION."
)
def command(
    protocol: str,
    output: Path,
    overwrite: bool,
    traces: int,
    nodes: tuple[int, ...],
    variant: str | None,
    only: int | None,
    into: str,
    pack_size: int | None,
    engine: str,
    master: str,
    java: str | None,
    silence: float | None,
    jobs: int | None,
    quiet: bool,
    parameters: tuple[tuple[str, Any], ...],
    implementation: str | None,
    form: str,
    topics: tuple[str, ...] | None,
    **options: Any,
) -> int:
    """Simulate an implementation of PROTOCOL, and write one trace per run.

    PROTOCOL is a name, or package.module:PROTOCOL of your own. So is a stack of protocols: of each run, every layer is
    written, as DIR/RUN/LAYER.jsonl or DIR/RUN/LAYER/TOPIC.jsonl.

    Same options, same traces, byte for byte, wherever and in how many processes they are made.
    """
    del quiet
    if ":" in protocol:
        protocol = add_named(protocol)
    at_once = jobs or os.cpu_count() or 1
    # To look for stacks imports all protocols with one: a protocol's run starts sooner without it.
    if protocol not in protocol_names() and protocol in stack_names():
        from gomboc.checker.cli.stack_runs import simulate_into, stack_plan

        of_stack = stack_plan(protocol, nodes, traces, parameters, topics, _reproduce(), options)
        return simulate_into(of_stack, output, into, pack_size, at_once, overwrite, form)
    _refuse_without_effect(protocol, implementation, only, into, engine, options)
    refuse_of_detectors(options)
    plan = _plan(protocol, variant, implementation, nodes, traces, parameters, options)
    if only is not None:
        return _simulate_only(plan, output, only, form)
    if into == "packs":
        spread = Spread(None if engine == "spark" else at_once, master, java, silence)
        return _simulate_packs(plan, output, pack_size, spread, overwrite, form)
    if engine == "spark" or pack_size is not None:
        raise UsageError("--engine spark and --pack-size are for packs: add --into packs.")
    return _simulate_lines(plan, output, at_once, overwrite, form)


def _plan(
    protocol: str,
    variant: str | None,
    implementation: str | None,
    nodes: tuple[int, ...],
    traces: int,
    parameters: tuple[tuple[str, Any], ...],
    options: Mapping[str, Any],
) -> Plan:
    """The plan that the options describe."""
    tested = _tested(protocol, variant, implementation, options["from_spec"])
    publications = options["publications"] or 0
    values = of_header(protocol, parameters, publications > 0)
    described = {**options, "publications": publications, "parameters": values}
    return Plan(protocol, tested, nodes, traces, reproduce=_reproduce(), **described)


def _tested(protocol: str, variant: str | None, implementation: str | None, from_spec: bool) -> str:
    """The name of what is run. Raises UsageError if it is an implementation beside the specification."""
    if from_spec and (variant or implementation):
        raise UsageError("--from-spec runs no implementation: give no --variant, and no --implementation.")
    if implementation is not None:
        look_here()
        return named_implementation(implementation, protocol)
    return f"{protocol}.{variant}" if variant else protocol


def _simulate_lines(plan: Plan, output: Path, jobs: int, overwrite: bool, form: str) -> int:
    """Write the plan as files of JSON Lines."""
    with progress("simulating") as report:
        done = simulate_plan(plan, output, jobs, report, overwrite)
    legitimate = sum(simulated.rounds is not None for simulated in done)
    steps = sum(simulated.steps for simulated in done)
    say_written("simulate", form, output, traces=len(done), steps=steps, legitimate=legitimate)
    return HOLDS


def _refuse_without_effect(
    protocol: str, implementation: str | None, only: int | None, into: str, engine: str, options: Mapping[str, Any]
) -> None:
    """Raise UsageError if an option is given that a protocol, or another option, leaves without effect."""
    if "topics" in given():
        raise UsageError(f"--topics is for stacks, and {protocol} is none: leave it out.")
    if implementation is not None:
        refuse(("variant",), "with --implementation, which names what is run")
    if options["start"] != "arbitrary":
        refuse(("messages",), "at a start that is not arbitrary")
    if options["start"] not in STARTS:
        refuse(("nodes",), "where the start is that of a trace, which has its nodes")
    if not options["crashes"]:
        refuse(("within",), "without --crashes")
    if only is not None:
        refuse(("into", "pack_size", "engine", *OF_SPARK), "with --only, which writes one trace")
    elif engine != "spark":
        refuse(OF_SPARK, "without --engine spark")
    elif into == "packs":
        refuse(("jobs",), "with --engine spark")


class Spread(msgspec.Struct, frozen=True):
    """The workers: a number of processes, or, if it is None, a Spark master on that Java."""

    jobs: int | None
    master: str
    java: str | None
    silence: float | None


def _simulate_packs(plan: Plan, output: Path, size: int | None, spread: Spread, overwrite: bool, form: str) -> int:
    """Write the plan into packs."""
    from gomboc.checker.replay.pack.corpus import PACK_SIZE
    from gomboc.checker.replay.spark.session import spark_session
    from gomboc.checker.simulate.on_spark import on_spark
    from gomboc.checker.simulate.packs import local, simulate_packs

    with ExitStack() as stack:
        report = stack.enter_context(progress("simulating pieces"))
        if spread.jobs is None:
            session = spark_session(spread.master, java=spread.java, silence=spread.silence)
            engine = on_spark(stack.enter_context(session), report)
        else:
            engine = local(spread.jobs)
        manifest, legitimate = simulate_packs(plan, output, size or PACK_SIZE, engine, report, overwrite)
    counts = manifest.counts
    packs = len(manifest.packs)
    say_written("simulate", form, output, traces=counts.traces, packs=packs, steps=counts.events, legitimate=legitimate)
    return HOLDS


def _simulate_only(plan: Plan, output: Path, index: int, form: str) -> int:
    """Write one trace of the plan into a folder that may be there already."""
    simulated = simulate_one(plan, output, index)
    legitimate = int(simulated.rounds is not None)
    say_written("simulate", form, Path(simulated.path), traces=1, steps=simulated.steps, legitimate=legitimate)
    return HOLDS


LEFT_OUT = (
    "--output",
    "--only",
    "--jobs",
    "--into",
    "--pack-size",
    "--engine",
    "--master",
    "--java",
    "--silence",
    "--format",
)
"""Options with a value that have no influence on the contents of a trace."""

LEFT_OUT_FLAGS = ("--overwrite", "--quiet", "-q")
"""Flags that have no influence on the contents of a trace."""


def _reproduce() -> str:
    """The command line, with only the options that influence the contents of a trace."""
    words = iter(sys.argv[1:])
    kept = ["gomboc"]
    for word in words:
        if word in LEFT_OUT:
            next(words, None)
        elif word not in LEFT_OUT_FLAGS and not word.startswith(tuple(f"{option}=" for option in LEFT_OUT)):
            kept.append(word)
    return shlex.join(kept)
