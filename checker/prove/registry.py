"""Registry of lemmas: those of the evidence on each protocol, and the modules of `prove/lemmas`; each has LEMMAS."""

import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from gomboc.checker.core.errors import UsageError, lacking
from gomboc.checker.core.evidence import called, evidence_on, protocols_with_evidence
from gomboc.checker.core.phrases import nearest, suggestion
from gomboc.checker.prove import lemmas
from gomboc.checker.prove.lemma import Lemma


def _modules() -> Iterator[ModuleType]:
    """Every module with lemmas: those about protocols first, then those about judging."""
    named = [evidence_on(protocol).lemmas for protocol in protocols_with_evidence()]
    for name in (*filter(None, named), lemmas.__name__):
        package = called("lemmas", name, import_module, name)
        paths = () if hasattr(package, "LEMMAS") else getattr(package, "__path__", ())
        below = pkgutil.iter_modules(paths, f"{name}.")
        yield from [called("lemmas", module.name, import_module, module.name) for module in below] or [package]


@cache
def find_lemmas() -> tuple[Lemma, ...]:
    """Every lemma, by folder and file. Raises UsageError if z3 is not installed."""
    if find_spec("z3") is None:
        raise UsageError(lacking("gomboc prove", "z3"))
    every = [lemma for module in _modules() for lemma in _of(module)]
    names = [lemma.name for lemma in every]
    if repeated := [name for name in names if names.count(name) > 1]:
        raise UsageError(f"Two lemmas are called {repeated[0]!r}: rename one.")
    return tuple(every)


def _of(module: ModuleType) -> tuple[Lemma, ...]:
    """The lemmas of a module. Raises UsageError if it has none."""
    there = getattr(module, "LEMMAS", None)
    if not (isinstance(there, tuple) and all(isinstance(lemma, Lemma) for lemma in there)):
        raise UsageError(f"The lemmas {module.__name__} have no tuple LEMMAS of gomboc.checker.Lemma: fix it.")
    return there


def choose_lemmas(names: tuple[str, ...]) -> tuple[Lemma, ...]:
    """The lemmas of these names, or all if there are none. Raises UsageError for an unknown one."""
    known = {lemma.name: lemma for lemma in find_lemmas()}
    unknown = [name for name in names if name not in known]
    if unknown:
        near = suggestion(unknown[0], known)
        there = f"{nearest(unknown[0], known)}; gomboc prove --list lists all"
        raise UsageError(f"There is no lemma {unknown[0]!r}; {there}.{near}")
    return tuple(known[name] for name in dict.fromkeys(names)) if names else tuple(known.values())
