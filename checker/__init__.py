"""The judge: replays traces against the specifications, explores and proves them, and reports verdicts.

Heavy libraries (pyspark, pyarrow, z3) are imported by the folder that needs them, when it is needed.

The names in `__all__` are public; all others may move without notice. Each is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if __name__ != "gomboc.checker":
    # A checkout on the path would otherwise load every module a second time, under another name.
    raise ImportError(f"there is no top-level package {__name__!r}: import gomboc.checker")

if TYPE_CHECKING:
    from gomboc.checker.core.evidence import ProtocolEvidence
    from gomboc.checker.errata.claim import Evidence, Result, by_readings, settled
    from gomboc.checker.prove.closure.around import Around
    from gomboc.checker.prove.closure.cases import World
    from gomboc.checker.prove.closure.paths import Path
    from gomboc.checker.prove.closure.statement import closure
    from gomboc.checker.prove.closure.symbols import Number, Symbol
    from gomboc.checker.prove.lemma import Lemma, Obligation, Replayed, Sample, Statement
    from gomboc.checker.report.page.picture import Line, Picture, Spot, on_circle

__all__ = [
    "Around",
    "Evidence",
    "Lemma",
    "Line",
    "Number",
    "Obligation",
    "Path",
    "Picture",
    "ProtocolEvidence",
    "Replayed",
    "Result",
    "Sample",
    "Spot",
    "Statement",
    "Symbol",
    "World",
    "by_readings",
    "closure",
    "on_circle",
    "settled",
]

_HOMES = {
    "core.evidence": "ProtocolEvidence",
    "errata.claim": "Evidence Result by_readings settled",
    "prove.closure.around": "Around",
    "prove.closure.cases": "World",
    "prove.closure.paths": "Path",
    "prove.closure.statement": "closure",
    "prove.closure.symbols": "Number Symbol",
    "prove.lemma": "Lemma Obligation Replayed Sample Statement",
    "report.page.picture": "Line Picture Spot on_circle",
}
"""The module of each public name: the modules, each with its public names."""

if not TYPE_CHECKING:
    # Hidden from type checkers, which would take any name for an attribute of this package.
    def __getattr__(name: str) -> object:
        for module, names in _HOMES.items():
            if name in names.split():
                return globals().setdefault(name, getattr(import_module(f"{__name__}.{module}"), name))
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
