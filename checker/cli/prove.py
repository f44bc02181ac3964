"""`gomboc prove`: settle the lemmas with z3, and say of each what it should come to and what it does."""

from collections.abc import Iterable

import click

from gomboc.checker.cli import completion
from gomboc.checker.cli.appearance import say
from gomboc.checker.cli.check import worst
from gomboc.checker.cli.document import json_line
from gomboc.checker.cli.paths import Seconds
from gomboc.checker.judge.verdict import HOLDS
from gomboc.checker.progress import erase, progress
from gomboc.checker.prove.lemma import Lemma
from gomboc.checker.prove.report import describe, description, lines, summary
from gomboc.checker.prove.settlement import Settlement


@click.command("prove")
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=completion.lemmas)
@click.option("--list", "only_list", is_flag=True, help="Say what there is to prove, and prove nothing.")
@click.option(
    "--timeout",
    type=Seconds(),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="How long z3 may take for each statement.",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(names: tuple[str, ...], only_list: bool, timeout: float, form: str) -> int:
    """Settle each lemma NAME, or all: a line for what it says, and one for each version that must turn out otherwise.

    Claims of the papers that do not hold are expected to be refuted, and said to be. JSON is a document a line, one for
    each lemma.

    Exit codes: 0 everything is as it is meant to be, 1 something is not, 2 usage, 3 something is undecided.
    """
    from gomboc.checker.prove.registry import choose_lemmas

    lemmas = choose_lemmas(names)
    if only_list:
        return _list(lemmas, form)
    settled = _prove(lemmas, timeout, form)
    if form == "text":
        click.echo(summary(settled))
    return worst(each.exit_code() for each in settled)


def _list(lemmas: Iterable[Lemma], form: str) -> int:
    for lemma in lemmas:
        click.echo(
            json_line("prove", None, describe(lemma)) if form == "json" else "\n".join(description(describe(lemma)))
        )
    return HOLDS


def _say(found: Settlement, form: str) -> None:
    if form == "json":
        click.echo(json_line("prove", found.exit_code(), found))
    else:
        say("\n".join(lines(found)))


def _prove(lemmas: tuple[Lemma, ...], seconds: float, form: str) -> list[Settlement]:
    from gomboc.checker.prove.runner import prove

    settled = []
    with progress("proving") as report:
        for number, lemma in enumerate(lemmas):
            report(number, len(lemmas))
            settled.append(prove(lemma, seconds))
            erase()
            _say(settled[-1], form)
        report(len(lemmas), len(lemmas))
    return settled
