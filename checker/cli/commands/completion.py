"""Completions for shells: names of protocols, variants, claims, lemmas and models.

Each function takes click's context, the parameter and the incomplete word, and returns the names that begin with it.
Imports stand within the functions, since every command imports this module.
"""

from collections.abc import Callable, Iterable
from typing import Any

import click


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    return sorted({name for name in names if name.startswith(incomplete)})


def _first(ctx: click.Context, name: str) -> str:
    """The value of the first argument: before an option that still lacks its value, click leaves it unparsed."""
    return str(ctx.params.get(name) or next(iter(ctx.args), ""))


def protocols(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The protocols of this repository, and those that are installed."""
    from gomboc.spec.core.registry import protocol_names

    del ctx, param
    return _beginning(protocol_names(), incomplete)


def variants(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The variants (rules as printed) of the protocol that the command line names; else those of all protocols."""
    from gomboc.spec.core.registry import find_protocol, protocol_names

    del param
    named = _first(ctx, "protocol")
    chosen = [named] if named in protocol_names() else protocol_names()
    return _beginning((erratum.name for name in chosen for erratum in find_protocol(name).variants.errata), incomplete)


def _known(find: Callable[[], Iterable[str]], incomplete: str) -> list[str]:
    """Those names that begin so; none where they cannot be found."""
    from gomboc.checker.core.errors import UsageError

    try:
        return _beginning(find(), incomplete)
    except UsageError:
        return []


def claims(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The claims of the paper of the protocol that the command line names."""
    from gomboc.checker.errata.registry import find_claims

    del param
    return _known(lambda: [claim.name for claim in find_claims(_first(ctx, "protocol"))], incomplete)


def papers(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The protocols with claims of a paper."""
    from gomboc.checker.errata.registry import protocols_with_claims

    del ctx, param
    return _known(protocols_with_claims, incomplete)


def lemmas(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The lemmas; none where z3 is not installed."""
    from gomboc.checker.prove.registry import find_lemmas

    del ctx, param
    return _known(lambda: [lemma.name for lemma in find_lemmas()], incomplete)


def models(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The models of the protocol that the command line names."""
    from gomboc.checker.explore.questions.target import pinned_models

    del param
    return _known(lambda: [pinned.name for pinned in pinned_models(_first(ctx, "model"))], incomplete)


def variant_option(text: str) -> Callable[[Any], Any]:
    """The option --variant of a command, with this text as its help."""
    return click.option("--variant", metavar="NAME", shell_complete=variants, help=text)
