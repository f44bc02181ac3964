"""Options without effect: what a call says in vain is refused, so that nobody relies on it."""

from collections.abc import Iterable, Mapping
from typing import Any

import click
from click.core import ParameterSource

from gomboc.checker.core.errors import UsageError

OF_SPARK = "master", "java", "silence"
"""The options that only a run on Spark reads."""


def given() -> dict[str, str]:
    """The options on the command line, by the names of their parameters, each as it is written there."""
    context = click.get_current_context()
    options = [param for param in context.command.get_params(context) if isinstance(param, click.Option)]
    written = {param.name or "": max(param.opts, key=len) for param in options}
    return {
        name: option
        for name, option in written.items()
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }


def first_given(names: Iterable[str]) -> str | None:
    """The first of these options that is on the command line, as it is written there; None without one."""
    there = given()
    return next((there[name] for name in names if name in there), None)


def refuse(names: Iterable[str], why: str) -> None:
    """Raise UsageError if one of these options is on the command line; `why` says when it has no effect."""
    if option := first_given(names):
        raise UsageError(f"{option} has no effect {why}: leave it out.")


def refuse_of_detectors(options: Mapping[str, Any]) -> None:
    """Raise UsageError if options of a detector are given without one, or beside another detector."""
    if options["patience"] is None:
        refuse(("loss",), "without --patience")
    else:
        refuse(("detection",), "with --patience, by which each node has a detector of its own")
