"""The report of a command that writes traces, in one line or as JSON."""

from pathlib import Path

import click
import msgspec

from gomboc.checker.cli.document import json_document
from gomboc.checker.core.phrases import counted


class Written(msgspec.Struct, frozen=True, omit_defaults=True):
    """The folder of the traces, and the numbers of traces, steps, packs, and runs that ended legitimate."""

    output: str
    traces: int
    steps: int | None = None
    packs: int | None = None
    legitimate: int | None = None


def say_written(command: str, form: str, output: Path, **counts: int) -> None:
    """Report the traces written to `output`."""
    report = Written(str(output), **counts)
    click.echo(json_document(command, None, report) if form == "json" else _line(report))


def _line(report: Written) -> str:
    packs = "" if report.packs is None else f" in {counted(report.packs, 'pack')}"
    steps = "" if report.steps is None else f", {counted(report.steps, 'step')}"
    legitimate = "" if report.legitimate is None else f"; {report.legitimate:,} ended legitimate"
    return f"{report.output}: {counted(report.traces, 'trace')}{packs}{steps}{legitimate}."
