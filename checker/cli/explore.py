"""`gomboc explore`: every state and every schedule of a small model, and what is true of all of them."""

from contextlib import nullcontext
from pathlib import Path

import click
from msgspec.structs import replace

from gomboc.checker.cli import completion
from gomboc.checker.cli.appearance import quiet_option, say
from gomboc.checker.cli.check import worst
from gomboc.checker.cli.document import json_line
from gomboc.checker.cli.paths import Named, Seconds
from gomboc.checker.cli.strangers import protocol_option
from gomboc.checker.errors import UsageError
from gomboc.checker.explore.bounds import Bounds
from gomboc.checker.explore.engines import ENGINES, explore
from gomboc.checker.explore.fairness import Coins, Fairness
from gomboc.checker.explore.finding import Exploration
from gomboc.checker.explore.progress import pace
from gomboc.checker.explore.question import DEFAULT, Question
from gomboc.checker.explore.report import Told, as_json, differences, headline, lines, results_of
from gomboc.checker.explore.saving import Saved, save
from gomboc.checker.explore.schedulers import Scheduler
from gomboc.checker.explore.target import Target, find_targets
from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, VIOLATED
from gomboc.checker.output import only_writer


@click.command("explore")
@click.argument("model", metavar="PROTOCOL|package.module:MODEL", shell_complete=completion.protocols)
@click.option(
    "--instance",
    metavar="NAME",
    shell_complete=completion.models,
    help="Which model of the protocol; without it, the first.",
)
@click.option("--list", "only_list", is_flag=True, help="Say which models the protocol has, and explore nothing.")
@click.option("--recorded", is_flag=True, help="Explore every model of the protocol, and hold it against its record.")
@click.option("--exhaustive", is_flag=True, help="With --recorded: those too that take minutes.")
@click.option(
    "--scheduler",
    type=click.Choice([each.value for each in Scheduler]),
    default="central",
    show_default=True,
    help="Who acts at once: one node, any of them, or all.",
)
@click.option(
    "--fairness",
    type=click.Choice([each.value for each in Fairness]),
    default="weak",
    show_default=True,
    help="What each timeout and each message is owed.",
)
@click.option(
    "--coins",
    type=click.Choice([each.value for each in Coins]),
    default="tossed",
    show_default=True,
    help="Who decides how coins fall: chance, or an adversary.",
)
@click.option("--engine", type=click.Choice(ENGINES), default="auto", show_default=True)
@click.option("--states", type=click.IntRange(min=1), metavar="N", help="Stop after so many states.")
@click.option("--seconds", type=Seconds(), help="Stop after so many seconds.")
@click.option("--memory", type=click.IntRange(min=1), metavar="MB", help="Stop at so many megabytes.")
@click.option("--output", type=Named(path_type=Path, file_okay=False), metavar="DIR", help="Save counterexamples.")
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
    engine: str,
    states: int | None,
    seconds: float | None,
    memory: int | None,
    output: Path | None,
    quiet: bool,
    form: str,
) -> int:
    """Explore a model of PROTOCOL, or the Model, Instance or SharedMemory of a module: every state, schedule and coin.

    Each finding says what is claimed of which runs, and within which bounds. A counterexample is saved under --output:
    of a protocol as a trace for gomboc check, of any other model in the Informal Trace Format. JSON is an object a
    line, one for each model.

    Exit codes: 0 everything holds, 1 something is violated, 2 usage or a model that cannot be trusted, 3 something is
    unknown. With --recorded: 0 everything is as recorded, 1 something is not, 3 something was not explored to its end.
    """
    if recorded and instance is not None:
        raise UsageError("--recorded explores every model of a protocol: leave out --instance.")
    if exhaustive and not recorded:
        raise UsageError("--exhaustive says which models --recorded explores: give both.")
    targets = find_targets(model, instance)
    if recorded and targets[0].pinned is None:
        raise UsageError(f"{model} has no record: --recorded is for the models of a protocol.")
    if only_list:
        click.echo("\n".join(f"{target.name}: {target.about}" for target in targets))
        return HOLDS
    question = Question(Scheduler(scheduler), Fairness(fairness), Coins(coins), Bounds(states, seconds, memory))
    command = _options(question, engine)
    targets = tuple(replace(target, command=f"{target.command}{command}") for target in targets)
    chosen = [target for target in targets if exhaustive or _is_short(target)] if recorded else targets[:1]
    with nullcontext() if output is None else only_writer(output):
        return worst([_explored(target, engine, question, recorded, output, form, quiet) for target in chosen])


def _options(question: Question, engine: str) -> str:
    """The options that ask this question again, as far as they are not the defaults."""
    bounds = question.bounds
    given = {
        "scheduler": (question.scheduler.value, DEFAULT.scheduler.value),
        "fairness": (question.fairness.value, DEFAULT.fairness.value),
        "coins": (question.coins.value, DEFAULT.coins.value),
        "engine": (engine, ENGINES[0]),
        "states": (bounds.most_states, None),
        "seconds": (None if bounds.seconds is None else f"{bounds.seconds:g}", None),
        "memory": (bounds.megabytes, None),
    }
    return "".join(f" --{name} {value}" for name, (value, default) in given.items() if value != default)


def _is_short(target: Target) -> bool:
    return target.pinned is None or not target.pinned.long


def _explored(
    target: Target, engine: str, question: Question, recorded: bool, output: Path | None, form: str, quiet: bool
) -> int:
    found = explore(target.model, engine, question, pace(target.name))
    saved = {} if output is None else _saved(target, found, output)
    differing, code = _compared(target, found) if recorded else (None, found.exit_code())
    told = Told(target, found, saved, differing)
    if form == "json":
        click.echo(json_line("explore", code, as_json(told)))
    else:
        say(headline(told, code) if quiet else "\n".join(lines(told)))
    return code


def _saved(target: Target, found: Exploration, output: Path) -> dict[int, Saved]:
    try:
        output.mkdir(parents=True, exist_ok=True)
        return {
            place: save(target, finding, output / f"{target.file_name}-{place + 1}-{finding.promise}")
            for place, finding in enumerate(found.findings)
            if finding.run is not None
        }
    except OSError as error:
        raise UsageError(f"{error.filename or output}: {error.strerror}.") from error


def _compared(target: Target, found: Exploration) -> tuple[tuple[str, ...] | None, int]:
    """Where an exploration differs from its record, if there is one, and the exit code of that."""
    if target.pinned is None or target.pinned.results is None:
        return None, HOLDS
    differing = differences(target.pinned.results, results_of(found))
    if not differing:
        return (), HOLDS
    return differing, UNKNOWN if found.stopped else VIOLATED
