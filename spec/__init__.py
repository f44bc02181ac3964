"""Executable small-step specifications of the protocols, with the predicates that they promise.

The names in `__all__` are public; all others may move without notice. Each is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if __name__ != "gomboc.spec":
    # A checkout on the path would otherwise load every module a second time, under another name.
    raise ImportError(f"there is no top-level package {__name__!r}: import gomboc.spec")

if TYPE_CHECKING:
    from gomboc.spec.derived import Derived
    from gomboc.spec.domain import Bag, Domain, OneOf, Record, Table, Union, optional, pair
    from gomboc.spec.fields import Ascending, AtMost, Distinct, Holds, NodeName, OnlyWith, Within
    from gomboc.spec.instance import Instance
    from gomboc.spec.model import (
        CERTAIN,
        Choice,
        Commanded,
        Fault,
        Input,
        Kind,
        Model,
        Outcome,
        Promise,
        Received,
        Send,
        Timeout,
    )
    from gomboc.spec.pinned import Closure, Pinned, Results
    from gomboc.spec.promises import Always, Observer
    from gomboc.spec.protocol import Cited, Discipline, Disturbance, Erratum, Protocol, Size, Start
    from gomboc.spec.shared_memory import Counted, Machine, Moved, SharedMemory

__all__ = [
    "CERTAIN",
    "Always",
    "Ascending",
    "AtMost",
    "Bag",
    "Choice",
    "Cited",
    "Closure",
    "Commanded",
    "Counted",
    "Derived",
    "Discipline",
    "Distinct",
    "Disturbance",
    "Domain",
    "Erratum",
    "Fault",
    "Holds",
    "Input",
    "Instance",
    "Kind",
    "Machine",
    "Model",
    "Moved",
    "NodeName",
    "Observer",
    "OneOf",
    "OnlyWith",
    "Outcome",
    "Pinned",
    "Promise",
    "Protocol",
    "Received",
    "Record",
    "Results",
    "Send",
    "SharedMemory",
    "Size",
    "Start",
    "Table",
    "Timeout",
    "Union",
    "Within",
    "optional",
    "pair",
]

_HOMES = {
    "derived": "Derived",
    "domain": "Bag Domain OneOf Record Table Union optional pair",
    "fields": "Ascending AtMost Distinct Holds NodeName OnlyWith Within",
    "instance": "Instance",
    "model": "CERTAIN Choice Commanded Fault Input Kind Model Outcome Promise Received Send Timeout",
    "pinned": "Closure Pinned Results",
    "promises": "Always Observer",
    "protocol": "Cited Discipline Disturbance Erratum Protocol Size Start",
    "shared_memory": "Counted Machine Moved SharedMemory",
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
