"""Registry of implementations: those of gomboc, installed ones, and those that the caller has named.

Every folder of `impl/protocols` that exports `IMPLEMENTATION` is one, with its variants; so is each entry point of the
group `gomboc.implementations`, and each reference package.module:IMPLEMENTATION of the caller.
"""

import importlib
import os
import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib.metadata import entry_points

from gomboc.impl import protocols
from gomboc.impl.core.automaton import Implementation
from gomboc.impl.core.errors import UsageError

GROUP = "gomboc.implementations"
"""The group of the entry points, whose names are those of the implementations."""

NAMED = "GOMBOC_IMPLEMENTATIONS"
"""The environment variable with the caller's references, separated by blanks: child processes inherit it."""


def implementations() -> dict[str, Implementation]:
    """All implementations by name, in order of their names; `UsageError` if two have the same name."""
    by_name: dict[str, Implementation] = {}
    for candidate in sorted(_every_implementation(), key=lambda candidate: candidate.name):
        if by_name.get(candidate.name, candidate) is not candidate:
            raise UsageError(f"Two implementations are called {candidate.name!r}: rename or remove one.")
        by_name[candidate.name] = candidate
    return by_name


def implementation(name: str) -> Implementation:
    """The implementation of this name; `UsageError` if there is none."""
    known = implementations()
    if name not in known:
        raise UsageError(f"There is no implementation {name!r}; there are: {', '.join(known)}.")
    return known[name]


def add(reference: str) -> Implementation:
    """Register the implementation at package.module:NAME, in this process and in its children.

    `UsageError` if it is none, or if another one has its name.
    """
    loaded = load(reference)
    if reference not in os.environ.get(NAMED, "").split():
        os.environ[NAMED] = f"{os.environ.get(NAMED, '')} {reference}".strip()
    return implementation(loaded.name)


def load(reference: str) -> Implementation:
    """The implementation at module:attribute; `UsageError` if it is none, or if its module fails."""
    name, _, attribute = reference.partition(":")
    if not name or not attribute:
        raise UsageError(f"{reference!r} names no implementation: write package.module:IMPLEMENTATION.")
    try:
        module = importlib.import_module(name)
    except (Exception, SystemExit) as error:
        failed = f"{type(error).__name__}: {error}{_renamed(error)}"
        raise UsageError(f"{reference} cannot be imported ({failed}): fix or install it.") from error
    value = getattr(module, attribute, None)
    if not isinstance(value, Implementation):
        problem = (
            f"has no {attribute!r}" if value is None else f"has {attribute!r}, which is of type {type(value).__name__}"
        )
        raise UsageError(
            f"The module {name} {problem}, and an implementation is a gomboc.impl.core.automaton.Implementation."
        )
    return value


def _renamed(error: BaseException) -> str:
    """Hint for a module that an implementation for version 0.1 imported by its old name."""
    name = (error.name or "") if isinstance(error, ModuleNotFoundError) else ""
    return f"; write gomboc.{name}" if name in ("spec", "impl", "checker") else ""


def exported(name: str, attribute: str) -> object:
    """The attribute that our package of this implementation exports; None without package or attribute."""
    package = f"{protocols.__name__}.{implementation(name).protocol}"
    ours = {
        module.name for module in pkgutil.iter_modules(protocols.__path__, f"{protocols.__name__}.") if module.ispkg
    }
    return getattr(importlib.import_module(package), attribute, None) if package in ours else None


def _every_implementation() -> Iterator[Implementation]:
    for module in pkgutil.iter_modules(protocols.__path__, f"{protocols.__name__}."):
        if module.ispkg:
            yield from _with_variants(load(f"{module.name}:IMPLEMENTATION"))
    for reference in _installed() | set(os.environ.get(NAMED, "").split()):
        yield from _with_variants(load(reference))


@cache
def _installed() -> frozenset[str]:
    # To read what is installed takes ten milliseconds, each time that an implementation is looked for by its name.
    return frozenset(point.value for point in entry_points(group=GROUP))


def _with_variants(loaded: Implementation) -> Iterator[Implementation]:
    yield loaded
    yield from loaded.variants
