"""`gomboc prove`: prove the lemmas with z3, and report the expected and the actual result of each."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import click

from gomboc.checker.cli.appearance import say
from gomboc.checker.cli.commands import completion
from gomboc.checker.cli.commands.check import worst
from gomboc.checker.cli.document import json_line
from gomboc.checker.cli.paths import Seconds
from gomboc.checker.cli.without_effect import refuse
from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.progress import erase, progress
from gomboc.checker.judge.verdict import HOLDS
from gomboc.checker.prove.lemma import Lemma
from gomboc.checker.prove.report import counts, describe, description, lines, summary
from gomboc.checker.prove.settlement import Settlement


@click.command("prove")
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=completion.lemmas)
@click.option("--list", "only_list", is_flag=True, help="List the lemmas, and prove nothing.")
@click.option(
    "--timeout",
    type=Seconds(),
    default=180.0,
    show_default=True,
    metavar="SECONDS",
    help="How long each statement may take, in seconds of a processor.",
)
@click.option(
    "--counts", "counted", is_flag=True, help="Also list each case of a proof along paths, with its paths and its time."
)
@click.option(
    "--smtlib",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write every query that a result rests on to FOLDER, as SMT-LIB with its answer; contrasts are left out.",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(
    names: tuple[str, ...], only_list: bool, timeout: float, counted: bool, smtlib: Path | None, form: str
) -> int:
    """Prove each lemma NAME, or all: a line for each, and one for each negative control, which must be refuted.

    Claims of the papers that do not hold are expected to be refuted, and reported so. JSON is one document per line,
    one for each lemma.

    Exit codes: 0 every result is as expected, 1 one is not, 2 usage, 3 something is undecided.
    """
    from gomboc.checker.prove.registry import choose_lemmas, known_lemmas

    if only_list:
        refuse(("timeout", "counted", "smtlib"), "with --list")
        known = known_lemmas()
        for refusal in known.refusals:
            click.echo(f"gomboc: left out: {refusal}", err=True)
        return _list(choose_lemmas(names) if names else known.lemmas, form)
    if counted and form == "json":
        raise UsageError("--counts has no effect with --format json, which has all counts: leave it out.")
    settled = _prove(choose_lemmas(names), timeout, Shown(form, counted, smtlib))
    if form == "text":
        click.echo(summary(settled))
    return worst(settlement.exit_code() for settlement in settled)


def _list(lemmas: Iterable[Lemma], form: str) -> int:
    for lemma in lemmas:
        click.echo(
            json_line("prove", None, describe(lemma)) if form == "json" else "\n".join(description(describe(lemma)))
        )
    return HOLDS


class Shown(NamedTuple):
    """The form of the output, whether it has the counts of each case, and the folder for queries."""

    form: str
    counted: bool
    smtlib: Path | None


def _say(settlement: Settlement, shown: Shown) -> None:
    if shown.form == "json":
        click.echo(json_line("prove", settlement.exit_code(), settlement))
        return
    say("\n".join((*lines(settlement), *(counts(settlement) if shown.counted else ()))))


def _prove(lemmas: tuple[Lemma, ...], seconds: float, shown: Shown) -> list[Settlement]:
    from gomboc.checker.prove.queries import journal
    from gomboc.checker.prove.runner import prove

    settled = []
    with progress("proving") as report:
        for number, lemma in enumerate(lemmas):
            report(number, len(lemmas))
            with journal(shown.smtlib, lemma.name) as take:
                settled.append(prove(lemma, seconds, take))
            erase()
            _say(settled[-1], shown)
        report(len(lemmas), len(lemmas))
    return settled
