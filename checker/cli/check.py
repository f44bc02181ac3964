"""`gomboc check`: judge a few traces, and explain what is wrong with them."""

from collections.abc import Iterable
from pathlib import Path

import click
import msgspec

from checker.again import check_again
from checker.cli.strangers import protocol_option
from checker.errors import UsageError
from checker.judge.naive import Options, judge_file
from checker.judge.verdict import HOLDS, UNKNOWN, USAGE, VIOLATED
from checker.report.text import lines


@click.command("check")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--variant", metavar="NAME", help="Hold the traces against a rule as printed, such as printed_linearize.")
@click.option("--bound", type=click.IntRange(min=0), help="Rounds within which a run must become legitimate.")
@click.option("--max-steps", type=click.IntRange(min=1), help="Steps of each trace to judge at most.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@protocol_option
def command(files: tuple[Path, ...], variant: str | None, bound: int | None, max_steps: int | None, form: str) -> int:
    """Replay traces step by step against the specification: a verdict a line, and an explanation where one is due.

    Exit codes: 0 every trace holds, 1 one is violated, 2 one cannot be read, 3 one is undecided.
    """
    options = Options(variant, bound, max_steps)
    return worst([_check(path, options, form) for path in files])


def _check(path: Path, options: Options, form: str) -> int:
    try:
        judgement = judge_file(path, options)
    except UsageError as error:
        click.echo(f"gomboc: {error}", err=True)
        return USAGE
    if form == "json":
        click.echo(msgspec.json.encode(judgement))
    else:
        click.echo("\n".join(lines(judgement, check_again(judgement.trace, options))))
    return judgement.exit_code()


def worst(codes: Iterable[int]) -> int:
    """The exit code for several: violated before unreadable before undecided."""
    found = set(codes)
    return next((code for code in (VIOLATED, USAGE, UNKNOWN) if code in found), HOLDS)
