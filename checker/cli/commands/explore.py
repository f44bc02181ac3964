"""`gomboc explore`: explore every state and every schedule of a small model, and check its properties."""

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import click
from msgspec.structs import replace

from gomboc.checker.cli.appearance import quiet_option, say
from gomboc.checker.cli.commands import completion
from gomboc.checker.cli.commands.check import worst
from gomboc.checker.cli.document import json_line
from gomboc.checker.cli.paths import NamedPath, Seconds
from gomboc.checker.cli.without_effect import given, refuse
from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.output import only_writer, write_whole
from gomboc.checker.core.protocol_option import protocol_option
from gomboc.checker.explore.engines import ENGINES, as_drn, explore
from gomboc.checker.explore.questions.bounds import Bounds
from gomboc.checker.explore.questions.question import DEFAULT, Coins, Fairness, Question
from gomboc.checker.explore.questions.schedulers import Scheduler
from gomboc.checker.explore.questions.target import Target, find_targets
from gomboc.checker.explore.results.finding import Exploration
from gomboc.checker.explore.results.progress import pace
from gomboc.checker.explore.results.report import ReportedExploration, as_json, differences, headline, lines, results_of
from gomboc.checker.explore.results.saving import Saved, save
from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, VIOLATED


@click.command("explore")
@click.argument("model", metavar="PROTOCOL|package.module:MODEL", shell_complete=completion.protocols)
@click.option(
    "--instance",
    metavar="NAME",
    shell_complete=completion.models,
    help="The model of the protocol. [default: the first]",
)
@click.option("--list", "only_list", is_flag=True, help="List the models of the protocol, and explore nothing.")
@click.option(
    "--recorded", is_flag=True, help="Explore every model of the protocol, and compare the results with its record."
)
@click.option("--exhaustive", is_flag=True, help="With --recorded: include models that take minutes.")
@click.option(
    "--scheduler",
    type=click.Choice([choice.value for choice in Scheduler]),
    default="central",
    show_default=True,
    help="The nodes that act at once: one, any subset, or all.",
)
@click.option(
    "--fairness",
    type=click.Choice([choice.value for choice in Fairness]),
    default="weak",
    show_default=True,
    help="Fairness assumption on timeouts and messages.",
)
@click.option(
    "--coins",
    type=click.Choice([choice.value for choice in Coins]),
    default="tossed",
    show_default=True,
    help="Random choices: made by chance, or by an adversary.",
)
@click.option(
    "--numbers",
    is_flag=True,
    help="Also compute probabilities and expected numbers of steps, under the best and the worst scheduler.",
)
@click.option("--engine", type=click.Choice(ENGINES), default="auto", show_default=True)
@click.option("--states", type=click.IntRange(min=1), metavar="N", help="Stop after so many states.")
@click.option("--seconds", type=Seconds(), help="Stop after so many seconds.")
@click.option("--memory", type=click.IntRange(min=1), metavar="MB", help="Stop at so many megabytes.")
@click.option("--output", type=NamedPath(path_type=Path, file_okay=False), metavar="DIR", help="Save counterexamples.")
@click.option(
    "--drn",
    type=NamedPath(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the whole graph for the model checker Storm, and judge nothing.",
)
@quiet_option("A line for each model, and no progress.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@protocol_option
def command(
    model: str,
    instance: str | None,
    only_list: bool,
    recorded: bool,
    exhaustive: bool,
    scheduler: str,
    fairness: str,
    coins: str,
    numbers: bool,
    engine: str,
    states: int | None,
    seconds: float | None,
    memory: int | None,
    output: Path | None,
    drn: Path | None,
    quiet: bool,
    form: str,
) -> int:
    """Explore a model of PROTOCOL, or the Model, Instance or SharedMemory of a module: every state, schedule and coin.

    Each finding names the property, the runs and the bounds. A counterexample is saved under --output:
    of a protocol as a trace for gomboc check, of any other model in the Informal Trace Format. JSON is one object per
    line, one for each model.

    Exit codes: 0 everything holds, 1 something is violated, 2 usage or a model that cannot be trusted, 3 something is
    unknown. With --recorded: 0 everything is as recorded, 1 something is not, 3 something was not explored to its end.
    """
    if only_list:
        refuse(set(given()) - BESIDE_LIST, "with --list")
    _refuse_together(instance, recorded, exhaustive)
    targets = find_targets(model, instance)
    if recorded and targets[0].pinned is None:
        raise UsageError(f"{model} has no record: --recorded is for the models of a protocol.")
    if only_list:
        return _list(targets, form)
    if recorded and numbers:
        raise UsageError("--numbers are in no record: leave out --recorded.")
    bounds = Bounds(states, seconds, memory)
    question = Question(Scheduler(scheduler), Fairness(fairness), Coins(coins), bounds, numbers)
    command = _options(question, engine)
    if drn is not None:
        refuse(set(given()) - BESIDE_DRN, "with --drn")
        write_whole(drn, as_drn(targets[0].model, question).encode())
        return HOLDS
    targets = tuple(replace(target, command=f"{target.command}{command}") for target in targets)
    chosen = [target for target in targets if exhaustive or _is_short(target)] if recorded else targets[:1]
    with nullcontext() if output is None else only_writer(output):
        return worst([_explored(target, engine, question, recorded, output, form, quiet) for target in chosen])


def _refuse_together(instance: str | None, recorded: bool, exhaustive: bool) -> None:
    if recorded and instance is not None:
        raise UsageError("--recorded explores every model of a protocol: leave out --instance.")
    if exhaustive and not recorded:
        raise UsageError("--exhaustive chooses the models for --recorded: give both.")


BESIDE_LIST = {"only_list", "instance", "form", "own"}
"""The options that a list of models has."""

BESIDE_DRN = {"drn", "instance", "scheduler", "states", "seconds", "memory", "own"}
"""The options that the writing of a graph has."""


def _list(targets: Sequence[Target], form: str) -> int:
    for target in targets:
        content = {"name": target.name, "about": target.about}
        click.echo(json_line("explore", None, content) if form == "json" else f"{target.name}: {target.about}")
    return HOLDS


def _options(question: Question, engine: str) -> str:
    """The options that reproduce this exploration, without those at their defaults."""
    bounds = question.bounds
    options = {
        "scheduler": (question.scheduler.value, DEFAULT.scheduler.value),
        "fairness": (question.fairness.value, DEFAULT.fairness.value),
        "coins": (question.coins.value, DEFAULT.coins.value),
        "engine": (engine, ENGINES[0]),
        "states": (bounds.most_states, None),
        "seconds": (None if bounds.seconds is None else f"{bounds.seconds:g}", None),
        "memory": (bounds.megabytes, None),
    }
    given_ = "".join(f" --{name} {value}" for name, (value, default) in options.items() if value != default)
    return f"{given_} --numbers" if question.numbers else given_


def _is_short(target: Target) -> bool:
    return target.pinned is None or not target.pinned.long


def _explored(
    target: Target, engine: str, question: Question, recorded: bool, output: Path | None, form: str, quiet: bool
) -> int:
    exploration = explore(target.model, engine, question, pace(target.name))
    saved = {} if output is None else _saved(target, exploration, output)
    differing, code = _compared(target, exploration) if recorded else (None, exploration.exit_code())
    report = ReportedExploration(target, exploration, saved, differing)
    if form == "json":
        click.echo(json_line("explore", code, as_json(report)))
    else:
        say(headline(report, code) if quiet else "\n".join(lines(report)))
    return code


def _saved(target: Target, exploration: Exploration, output: Path) -> dict[int, Saved]:
    try:
        output.mkdir(parents=True, exist_ok=True)
        saved: dict[int, Saved] = {}
        for index, finding in enumerate(exploration.findings):
            # One run may lead to what is unknown in many findings.
            same = next((saved[other] for other in saved if exploration.findings[other].run is finding.run), None)
            if finding.run is not None:
                path = output / f"{target.file_name}-{index + 1}-{finding.promise}"
                saved[index] = same or save(target, finding, path)
        return saved
    except OSError as error:
        raise UsageError(f"{error.filename or output}: {error.strerror}.") from error


def _compared(target: Target, exploration: Exploration) -> tuple[tuple[str, ...] | None, int]:
    """The differences of an exploration from its record, None if there is no record; and the exit code."""
    if target.pinned is None or target.pinned.results is None:
        return None, HOLDS
    differing = differences(target.pinned.results, results_of(exploration))
    if not differing:
        return (), HOLDS
    return differing, UNKNOWN if exploration.extent.stopped else VIOLATED
