"""Which implementations there are: every folder of this package that exports `IMPLEMENTATION`, and its variants."""

import importlib
import pkgutil
from collections.abc import Iterator

import impl
from impl.automaton import Implementation
from impl.errors import UsageError


def implementations() -> dict[str, Implementation]:
    """All implementations by name, in order of their names."""
    return {each.name: each for each in sorted(_every_implementation(), key=lambda each: each.name)}


def implementation(name: str) -> Implementation:
    """The implementation of this name; `UsageError` if there is none."""
    known = implementations()
    if name not in known:
        raise UsageError(f"There is no implementation {name!r}; there are: {', '.join(known)}.")
    return known[name]


def exported(name: str, what: str) -> object:
    """What the package of the implementation of this name exports as `what`; None if it exports no such thing."""
    return getattr(importlib.import_module(f"impl.{implementation(name).protocol}"), what, None)


def _every_implementation() -> Iterator[Implementation]:
    for module in pkgutil.iter_modules(impl.__path__, "impl."):
        if module.ispkg:
            found: Implementation = importlib.import_module(module.name).IMPLEMENTATION
            yield found
            yield from found.variants
