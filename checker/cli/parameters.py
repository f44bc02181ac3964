"""Command-line options of a protocol: one for each of its parameters, as a trace's header names them."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import click
import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.protocol_option import add_protocol
from gomboc.spec.core.registry import find_protocol, protocol_names

GIVEN, VALUES = "gomboc.parameters", "gomboc.values"
"""Keys of click's context for the names of the protocol's parameters, and for their values on the command line."""


class NamedValue(click.ParamType[tuple[str, Any]]):
    """A name and a JSON value: "chunk=64"."""

    name = "NAME=JSON"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, Any]:
        """Read the name and the value."""
        if isinstance(value, tuple):
            return value
        name, equals, text = str(value).partition("=")
        if not name or not equals:
            self.fail(f"{value!r} is not a parameter such as chunk=64", param, ctx)
        return name, _json(self, text, param, ctx)


class OneValue(click.ParamType[Any]):
    """A JSON value: 64."""

    name = "JSON"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the value."""
        return _json(self, str(value), param, ctx)


def _json(kind: click.ParamType[Any], text: str, param: click.Parameter | None, ctx: click.Context | None) -> Any:
    try:
        return msgspec.json.decode(text)
    except (ValueError, RecursionError):
        return kind.fail(f'{text!r} is not a JSON value such as 64, true or "a word"', param, ctx)


class OfProtocol(click.Command):
    """A command on a protocol, its first argument: each parameter of the protocol is an option of the command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, with the options of the protocol."""
        for flag, value in pairwise(args):
            if flag == "--protocol":
                add_protocol(value)
        known = protocol_names()
        named = next((word for word in args if word in known), None)
        ctx.meta[GIVEN] = () if named is None else find_protocol(named).variants.parameters
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The options of the command, and those of the protocol under names that the command does not use."""
        own = super().get_params(ctx)
        taken = {flag for param in own for flag in param.opts}
        names = [name for name in ctx.meta.get(GIVEN, ()) if _flag(name) not in taken]
        return [*own, *map(_brought, names)]


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _brought(name: str) -> click.Option:
    def keep(context: click.Context, option: click.Parameter, value: Any) -> None:
        del option
        if value is not None:
            context.meta.setdefault(VALUES, {})[name] = value

    words = [_flag(name), f"parameter_{name}"]
    return click.Option(words, type=OneValue(), expose_value=False, callback=keep, help="A parameter of the protocol.")


def of_header(protocol: str, named: Iterable[tuple[str, Any]], publishing: bool) -> dict[str, Any]:
    """The parameters of the headers, in the protocol's order, from both kinds of options.

    For publications, parameters that are not given are those that the protocol has for publishing. Raises UsageError if
    one is given twice.
    """
    values = dict(click.get_current_context().meta.get(VALUES, {}))
    for name, value in named:
        if name in values:
            raise UsageError(f"The parameter {name!r} is given twice: give it once.")
        values[name] = value
    if protocol not in protocol_names():
        return values
    specification = find_protocol(protocol)
    if publishing:
        values = {**specification.variants.publishing, **values}
    order = {name: position for position, name in enumerate(specification.variants.parameters)}
    return dict(sorted(values.items(), key=lambda item: order.get(item[0], len(order))))
