"""Registry of lemmas: each module of `prove/lemmas` and of a `lemmas` below `evidence` exports LEMMAS."""

import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from gomboc.checker import evidence
from gomboc.checker.errors import UsageError, lacking
from gomboc.checker.phrases import nearest, suggestion
from gomboc.checker.prove import lemmas
from gomboc.checker.prove.lemma import Lemma


def _modules() -> Iterator[str]:
    """The name of every module with lemmas: those about protocols first, then those about judging."""
    for protocol in sorted(module.name for module in pkgutil.iter_modules(evidence.__path__)):
        if find_spec(f"{evidence.__name__}.{protocol}.lemmas") is not None:
            folder = import_module(f"{evidence.__name__}.{protocol}.lemmas")
            yield from (module.name for module in pkgutil.iter_modules(folder.__path__, f"{folder.__name__}."))
    yield from (module.name for module in pkgutil.iter_modules(lemmas.__path__, f"{lemmas.__name__}."))


@cache
def find_lemmas() -> tuple[Lemma, ...]:
    """Every lemma, by folder and file. Raises UsageError if z3 is not installed."""
    if find_spec("z3") is None:
        raise UsageError(lacking("gomboc prove", "z3"))
    every = [lemma for name in _modules() for lemma in import_module(name).LEMMAS]
    names = [lemma.name for lemma in every]
    assert len(set(names)) == len(names), f"two lemmas have one name: {names}"
    return tuple(every)


def choose_lemmas(names: tuple[str, ...]) -> tuple[Lemma, ...]:
    """The lemmas of these names, or all if there are none. Raises UsageError for an unknown one."""
    known = {lemma.name: lemma for lemma in find_lemmas()}
    unknown = [name for name in names if name not in known]
    if unknown:
        near = suggestion(unknown[0], known)
        there = f"{nearest(unknown[0], known)}; gomboc prove --list lists all"
        raise UsageError(f"There is no lemma {unknown[0]!r}; {there}.{near}")
    return tuple(known[name] for name in dict.fromkeys(names)) if names else tuple(known.values())
