"""Registry of lemmas: each module of `prove/lemmas` and of a `lemmas` below `evidence` exports PROOFS, by name.

The words of the lemmas of a folder are in `lemmas.toml` beside it.
"""

import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from gomboc.checker import evidence
from gomboc.checker.core.errors import UsageError, lacking
from gomboc.checker.core.phrases import nearest, suggestion
from gomboc.checker.prove import lemmas
from gomboc.checker.prove.lemma import Lemma
from gomboc.checker.prove.wording import read_lemmas


def _folders() -> Iterator[ModuleType]:
    """Every folder with lemmas: those about protocols first, then those about judging."""
    for protocol in sorted(module.name for module in pkgutil.iter_modules(evidence.__path__)):
        if find_spec(f"{evidence.__name__}.{protocol}.lemmas") is not None:
            yield import_module(f"{evidence.__name__}.{protocol}.lemmas")
    yield lemmas


def _lemmas_in(folder: ModuleType) -> tuple[Lemma, ...]:
    names = (module.name for module in pkgutil.iter_modules(folder.__path__, f"{folder.__name__}."))
    proofs = [entry for name in names for entry in import_module(name).PROOFS.items()]
    assert len(dict(proofs)) == len(proofs), f"two proofs in {folder.__name__} have one name"
    return read_lemmas(Path(folder.__path__[0]).parent / "lemmas.toml", dict(proofs))


@cache
def find_lemmas() -> tuple[Lemma, ...]:
    """Every lemma, by folder and file. Raises UsageError if z3 is not installed."""
    if find_spec("z3") is None:
        raise UsageError(lacking("gomboc prove", "z3"))
    every = [lemma for folder in _folders() for lemma in _lemmas_in(folder)]
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
