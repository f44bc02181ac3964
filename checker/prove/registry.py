"""Registry of lemmas: those of the evidence on each protocol, and the modules of `prove/lemmas`; each has LEMMAS."""

import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import NamedTuple

from gomboc.checker.core.errors import UsageError, lacking
from gomboc.checker.core.evidence import called, evidence_on, protocols_with_evidence
from gomboc.checker.core.phrases import nearest, suggestion
from gomboc.checker.prove import lemmas
from gomboc.checker.prove.lemma import Lemma


class Known(NamedTuple):
    """The usable lemmas, by folder and file, and a sentence about each evidence whose lemmas cannot be used."""

    lemmas: tuple[Lemma, ...]
    refusals: tuple[str, ...]

    @property
    def left_out(self) -> str:
        """The sentences, each after a blank; empty if all lemmas can be used."""
        return "".join(f" Left out: {refusal}" for refusal in self.refusals)


@cache
def known_lemmas() -> Known:
    """The lemmas about protocols first, then those about judging. Raises UsageError if z3 is not installed."""
    if find_spec("z3") is None:
        raise UsageError(lacking("gomboc prove", "z3"))
    usable: list[Lemma] = []
    refusals = []
    for protocol in (*protocols_with_evidence(), None):
        try:
            usable += [lemma for module in _modules(protocol) for lemma in _of(module)]
        except UsageError as error:
            refusals.append(str(error))
    return Known(tuple(usable), tuple(refusals))


def find_lemmas() -> tuple[Lemma, ...]:
    """Every usable lemma, by folder and file. Raises UsageError if z3 is not installed."""
    return known_lemmas().lemmas


def _modules(protocol: str | None) -> Iterator[ModuleType]:
    """The modules with lemmas about a protocol; about judging if it is None."""
    name = lemmas.__name__ if protocol is None else evidence_on(protocol).lemmas
    if name:
        package = called("lemmas", name, import_module, name)
        paths = () if hasattr(package, "LEMMAS") else getattr(package, "__path__", ())
        below = pkgutil.iter_modules(paths, f"{name}.")
        yield from [called("lemmas", module.name, import_module, module.name) for module in below] or [package]


def _of(module: ModuleType) -> tuple[Lemma, ...]:
    """The lemmas of a module. Raises UsageError if it has none."""
    there = getattr(module, "LEMMAS", None)
    if not (isinstance(there, tuple) and all(isinstance(lemma, Lemma) for lemma in there)):
        raise UsageError(f"The lemmas {module.__name__} have no tuple LEMMAS of gomboc.checker.Lemma: fix it.")
    return there


def choose_lemmas(names: tuple[str, ...]) -> tuple[Lemma, ...]:
    """The lemmas of these names, or all if there are none.

    Raises UsageError for an unknown one, for a name that two of them have, and for all if some cannot be used.
    """
    known = known_lemmas()
    if not names and known.refusals:
        raise UsageError(known.refusals[0])
    by_name = {lemma.name: lemma for lemma in known.lemmas}
    if unknown := [name for name in names if name not in by_name]:
        near = suggestion(unknown[0], by_name)
        there = f"{nearest(unknown[0], by_name)}; gomboc prove --list lists all"
        raise UsageError(f"There is no lemma {unknown[0]!r}; {there}.{near}{known.left_out}")
    chosen = names or tuple(lemma.name for lemma in known.lemmas)
    every = [lemma.name for lemma in known.lemmas]
    if repeated := [name for name in chosen if every.count(name) > 1]:
        raise UsageError(f"Two lemmas are called {repeated[0]!r}: rename one.")
    return tuple(by_name[name] for name in dict.fromkeys(chosen))
