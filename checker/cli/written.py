"""What a command has written, in one line or as JSON."""

from pathlib import Path

import click
import msgspec

from gomboc.checker.cli.document import json_document
from gomboc.checker.words import counted


class Written(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where traces were written, how many, with how many steps, in how many packs, and how many ended legitimate."""

    output: str
    traces: int
    steps: int | None = None
    packs: int | None = None
    legitimate: int | None = None


def say_written(command: str, form: str, output: Path, **counts: int) -> None:
    """Say what was written to `output`."""
    told = Written(str(output), **counts)
    click.echo(json_document(command, None, told) if form == "json" else _line(told))


def _line(told: Written) -> str:
    packs = "" if told.packs is None else f" in {counted(told.packs, 'pack')}"
    steps = "" if told.steps is None else f", {counted(told.steps, 'step')}"
    legitimate = "" if told.legitimate is None else f"; {told.legitimate:,} ended legitimate"
    return f"{told.output}: {counted(told.traces, 'trace')}{packs}{steps}{legitimate}."
