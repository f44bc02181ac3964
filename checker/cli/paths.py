"""Values that several commands take: names of files and folders, and stretches of time."""

import math
from pathlib import Path
from typing import Any

import click

from gomboc.checker.traces.trace_files import STANDARD_INPUT, standard_input


class NamedPath(click.Path):
    """A path with a name that can be written in a report."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, refused if its name is no UTF-8, or if it is a loop of links."""
        try:
            str(value).encode()
        except UnicodeEncodeError:
            self.fail(f"{str(value)!r} is no UTF-8, so no report can name it: rename it", param, ctx)
        try:
            Path(value).resolve()
        except (OSError, RuntimeError):
            self.fail(f"{str(value)!r} is a link that leads back to itself: remove it, or choose another", param, ctx)
        return super().convert(value, param, ctx)


class TracePath(NamedPath):
    """A path, or `-` for standard input; a file of that name is written as `./-`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path. Standard input is copied at once, and kept until the command ends."""
        if str(value) != "-" or ctx is None or ctx.resilient_parsing:
            path = super().convert(value, param, ctx)
            # pathlib takes ./- for -, which would be standard input.
            return path.absolute() if path == STANDARD_INPUT else path
        if Path("-").exists():
            self.fail("'-' is standard input, but there is a file of that name, too: rename it", param, ctx)
        return ctx.with_resource(standard_input())


class Seconds(click.ParamType[float]):
    """A finite number of seconds above 0."""

    name = "SECONDS"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read the number."""
        try:
            seconds = float(value)
        except ValueError:
            seconds = math.nan
        if not 0 < seconds < math.inf:
            self.fail(f"{value!r} is not a number of seconds above 0", param, ctx)
        return seconds


EXISTING = NamedPath(path_type=Path)
"""A path to be read or written; it is not checked before."""

TRACE = TracePath(path_type=Path)
"""The same, with `-` for standard input."""
