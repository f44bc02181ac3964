"""Output for terminals only, not for pipes: colours of verdicts, and progress unless -q is given."""

import os
import re
import sys
from collections.abc import Callable
from typing import Any

import click

from gomboc.checker.core.progress import silence

COLOURS = {"holds": "green", "violated": "red", "unreadable": "red", "unknown": "yellow"}

VERDICT = re.compile(rf"(?m)(?:^ *|(?<=: )|(?<=\d ))({'|'.join(COLOURS)})\b")
"""A verdict at the beginning of a line, after a colon, or counted; elsewhere the word may be part of a name."""


def say(text: str) -> None:
    """Write a text with verdicts to standard output."""
    click.echo(coloured(text) if has_colours() else text)


def has_colours() -> bool:
    """Whether standard output is a terminal with colours, and the user has not set NO_COLOR."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


def coloured(text: str) -> str:
    """The text with its verdicts in colours."""
    return VERDICT.sub(lambda match: match[0].replace(match[1], click.style(match[1], fg=COLOURS[match[1]])), text)


def _silence(context: click.Context, parameter: click.Parameter, quiet: bool) -> bool:
    del parameter
    if quiet:
        context.with_resource(silence())
    return quiet


def quiet_option(text: str) -> Callable[[Any], Any]:
    """The option -q of a command, with this text as its help."""
    return click.option("--quiet", "-q", is_flag=True, callback=_silence, help=text)
