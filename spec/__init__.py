"""Executable small-step specifications of the protocols, with the predicates that they promise.

The names in `__all__` are public; all others may move without notice. Each is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if __name__ != "gomboc.spec":
    # A checkout on the path would otherwise load every module a second time, under another name.
    raise ImportError(f"there is no top-level package {__name__!r}: import gomboc.spec")

if TYPE_CHECKING:
    from gomboc.spec.core.domain import Bag, Domain, OneOf, Record, Table, Union, optional, pair
    from gomboc.spec.core.instance import Instance
    from gomboc.spec.core.model import (
        CERTAIN,
        Choice,
        Commanded,
        Fault,
        Input,
        Kind,
        Model,
        Offer,
        Outcome,
        Promise,
        Received,
        Send,
        Timeout,
    )
    from gomboc.spec.core.pinned import Closure, Pinned, Results
    from gomboc.spec.core.promises import Always, Observer
    from gomboc.spec.core.protocol import (
        Actor,
        Cited,
        Discipline,
        Disturbance,
        Environment,
        Erratum,
        Legitimacy,
        Naming,
        Promises,
        Protocol,
        Size,
        Start,
        Starts,
        Variants,
        Vocabulary,
    )
    from gomboc.spec.core.shared_memory import Counted, Machine, Moved, SharedMemory
    from gomboc.spec.layers.stack import HandOver, Layer, Opening, Stack
    from gomboc.spec.types.derived import Derived
    from gomboc.spec.types.fields import Ascending, AtMost, Distinct, Holds, NodeName, OnlyWith, Within

__all__ = [
    "CERTAIN",
    "Actor",
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
    "Environment",
    "Erratum",
    "Fault",
    "HandOver",
    "Holds",
    "Input",
    "Instance",
    "Kind",
    "Layer",
    "Legitimacy",
    "Machine",
    "Model",
    "Moved",
    "Naming",
    "NodeName",
    "Observer",
    "Offer",
    "OneOf",
    "OnlyWith",
    "Opening",
    "Outcome",
    "Pinned",
    "Promise",
    "Promises",
    "Protocol",
    "Received",
    "Record",
    "Results",
    "Send",
    "SharedMemory",
    "Size",
    "Stack",
    "Start",
    "Starts",
    "Table",
    "Timeout",
    "Union",
    "Variants",
    "Vocabulary",
    "Within",
    "optional",
    "pair",
]

_HOMES = {
    "types.derived": "Derived",
    "core.domain": "Bag Domain OneOf Record Table Union optional pair",
    "types.fields": "Ascending AtMost Distinct Holds NodeName OnlyWith Within",
    "core.instance": "Instance",
    "core.model": "CERTAIN Choice Commanded Fault Input Kind Model Offer Outcome Promise Received Send Timeout",
    "core.pinned": "Closure Pinned Results",
    "core.promises": "Always Observer",
    "core.protocol": (
        "Actor Cited Discipline Disturbance Environment Erratum Legitimacy Naming Promises Protocol Size Start Starts "
        "Variants Vocabulary"
    ),
    "layers.stack": "HandOver Layer Opening Stack",
    "core.shared_memory": "Counted Machine Moved SharedMemory",
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
