"""`gomboc export`: traces of a pack or a corpus as JSON Lines."""

from pathlib import Path

import click

from checker.cli.paths import EXISTING
from checker.cli.strangers import protocol_option
from checker.cli.written import say_written
from checker.judge.verdict import HOLDS


@click.command("export", short_help="Write traces of a corpus as JSON Lines.")
@click.argument("source", type=EXISTING, metavar="CORPUS|PACK")
@click.argument("names", nargs=-1, metavar="[TRACE]...")
@click.option("--output", required=True, type=EXISTING, metavar="DIR", help="The folder for the traces.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@protocol_option
def command(source: Path, names: tuple[str, ...], output: Path, form: str) -> int:
    """Write traces of a corpus, or of one pack, as the recorder would have written them: those named, or all.

    Each is whole or absent; a file of the same name is replaced.
    """
    from checker.replay.pack.export import export

    written = export(source, names, output)
    say_written("export", form, output, traces=written)
    return HOLDS
