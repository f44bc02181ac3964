"""Protocols and implementations of the user's own, named on the command line; available to all processes it starts."""

import os
import sys
from pathlib import Path

import click

from gomboc.checker.core.errors import UsageError
from gomboc.spec.core.registry import UnfitProtocolError, add, protocol_names
from gomboc.spec.layers.stacks import UnfitStackError, is_stack
from gomboc.spec.layers.stacks import add as add_stack


def look_here() -> None:
    """Put the current folder on the import path of this process, of its child processes, and of Spark's workers."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    path = os.environ.get("PYTHONPATH", "")
    if here not in path.split(os.pathsep):
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (here, path)))


def add_protocol(reference: str) -> str:
    """Register the protocol at package.module:NAME and return its name. Raises UsageError if it cannot be used."""
    look_here()
    if reference in protocol_names():
        raise UsageError(
            f"{reference!r} is an installed protocol, which the header of a trace or an argument names: leave out "
            "--protocol, which is for one of your own, as package.module:PROTOCOL."
        )
    try:
        return add(reference).name
    except UnfitProtocolError as error:
        raise UsageError(f"{error}.") from error


def add_named(reference: str) -> str:
    """Register the protocol, or the stack, at package.module:NAME and return its name. Raises UsageError."""
    look_here()
    try:
        if is_stack(reference):
            return add_stack(reference).name
    except UnfitStackError as error:
        raise UsageError(f"{error}.") from error
    return add_protocol(reference)


def _add(context: click.Context, parameter: click.Parameter, references: tuple[str, ...]) -> None:
    del context, parameter
    for reference in references:
        add_named(reference)


protocol_option = click.option(
    "--protocol",
    "strangers",
    metavar="MODULE:NAME",
    multiple=True,
    is_eager=True,
    expose_value=False,
    callback=_add,
    help="A protocol of your own: package.module:PROTOCOL; or a stack. Can be repeated.",
)
"""Registers a protocol of the user's own before the command reads its other arguments."""
