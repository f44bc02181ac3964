"""Promises over the deliveries of each node."""

from typing import Any

from gomboc.spec.core.model import Fault
from gomboc.spec.core.promises import Observer
from gomboc.spec.protocols.hyparview.state import Heard, Id

NO_DUPLICATION = "first report, Section 3.2.2, No Duplication"


def observe(node: str, seen: frozenset[Id], delivered: Any) -> tuple[frozenset[Id], tuple[Fault, ...]]:
    """The ids delivered so far, and a fault if this one has been delivered before."""
    if not isinstance(delivered, Heard):
        return seen, ()
    name = Id(delivered.topic, delivered.publication.publisher, delivered.publication.number)
    fault = Fault("delivered_once", node, "a new publication", name, NO_DUPLICATION)
    return seen | {name}, (fault,) if name in seen else ()


OBSERVERS = (Observer("delivered_once", NO_DUPLICATION, frozenset(), observe),)
