"""Registry of implementations: those of gomboc, installed ones, and those that the caller has named.

Every folder of `impl/protocols` exports one as `IMPLEMENTATION`, with its variants; so does each entry point of the
group `gomboc.implementations`, and each reference package.module:IMPLEMENTATION of the caller. Folder and entry point
have the name of the implementation, and a variant the name of its implementation, a dot, and its own: an implementation
is imported only if it is asked for.
"""

import importlib
import os
import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib.metadata import entry_points
from typing import NamedTuple

from gomboc.impl import protocols
from gomboc.impl.core.automaton import Implementation
from gomboc.impl.core.errors import UsageError

GROUP = "gomboc.implementations"
"""The group of the entry points, whose names are those of the implementations."""

NAMED = "GOMBOC_IMPLEMENTATIONS"
"""The environment variable with the caller's references, separated by blanks: child processes inherit it."""


class _Entry(NamedTuple):
    """A reference to an implementation, and the name under which it is installed; empty if the caller gave it."""

    name: str
    reference: str

    def with_variants(self) -> Iterator[Implementation]:
        """The implementation and its variants; `UsageError` if it cannot be used, or has another name."""
        loaded = load(self.reference)
        if self.name not in ("", loaded.name):
            called = f"is installed as {self.name!r} and calls itself {loaded.name!r}"
            raise UsageError(f"{self.reference} {called}: use one name.")
        yield loaded
        yield from loaded.variants


def implementations() -> dict[str, Implementation]:
    """All implementations by name, in order of their names; those that cannot be used are left out."""
    return _usable()[0]


def implementation(name: str) -> Implementation:
    """The implementation of this name; `UsageError` if there is none, or two, or if it cannot be used."""
    near = [entry for entry in _entries() if entry.name in ("", name, name.rpartition(".")[0])]
    chosen = [candidate for entry in near for candidate in entry.with_variants() if candidate.name == name]
    if not chosen:
        usable, refusals = _usable()
        left_out = "".join(f" Left out: {refusal}" for refusal in refusals)
        raise UsageError(f"There is no implementation {name!r}; there are: {', '.join(usable)}.{left_out}")
    if any(candidate is not chosen[0] for candidate in chosen):
        raise UsageError(f"Two implementations are called {name!r}: rename or remove one.")
    return chosen[0]


def add(reference: str) -> Implementation:
    """Register the implementation at package.module:NAME, in this process and in its children.

    `UsageError` if it is none, or if another one has its name.
    """
    loaded = load(reference)
    if reference not in os.environ.get(NAMED, "").split():
        os.environ[NAMED] = f"{os.environ.get(NAMED, '')} {reference}".strip()
    return implementation(loaded.name)


def forget() -> None:
    """Clear the cache, so that the next call looks up the installed implementations anew."""
    _installed.cache_clear()


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


def _usable() -> tuple[dict[str, Implementation], list[str]]:
    """All usable implementations by name, in order of their names, and a sentence about each that is not."""
    usable: dict[str, Implementation] = {}
    refusals = []
    for entry in _entries():
        try:
            usable |= {candidate.name: candidate for candidate in entry.with_variants()}
        except UsageError as error:
            refusals.append(str(error))
    return dict(sorted(usable.items())), refusals


def _entries() -> Iterator[_Entry]:
    """The references to all implementations; none of them is imported."""
    yield from _installed()
    yield from (_Entry("", reference) for reference in os.environ.get(NAMED, "").split())


@cache
def _installed() -> tuple[_Entry, ...]:
    # To read what is installed takes ten milliseconds, each time that an implementation is looked for by its name.
    ours = (module for module in pkgutil.iter_modules(protocols.__path__) if module.ispkg)
    entries = {_Entry(module.name, f"{protocols.__name__}.{module.name}:IMPLEMENTATION") for module in ours}
    return tuple(sorted(entries | {_Entry(point.name, point.value) for point in entry_points(group=GROUP)}))
