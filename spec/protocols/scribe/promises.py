"""Promises over histories: each publication is delivered once, and only to an application that subscribes."""

from typing import Any

from gomboc.spec.core.model import Fault
from gomboc.spec.core.promises import Observer

ONCE = 'Section 3, "deliver each message just once"'
WANTED = 'Section 2.4.2, "only forwarded to the upper protocol (Pub/Sub) if the node in question is subscribed"'

Ids = tuple[tuple[str, int], ...]
"""Publisher and number of each publication, ascending."""


def delivered_once(node: str, seen: Ids, delivered: Any) -> tuple[Ids, tuple[Fault, ...]]:
    """No publication is delivered twice, unless the application has asked for all anew.

    Source: Section 3, "deliver each message just once"
    """
    if isinstance(delivered, dict):
        return (() if delivered.get("forget") else seen), ()
    _, publisher, number, *_ = delivered
    once = (publisher, number)
    if once in seen:
        return seen, (Fault("delivered_once", node, "delivered once", once, ONCE),)
    return tuple(sorted((*seen, once))), ()


def served_if_wanted(node: str, seen: bool, delivered: Any) -> tuple[bool, tuple[Fault, ...]]:
    """No publication is delivered after the application has unsubscribed, until it subscribes. `seen`: it has.

    Source: Section 2.4.2
    """
    if isinstance(delivered, dict):
        return {"Subscribed": False, "Unsubscribed": True}.get(delivered["kind"], seen), ()
    return seen, (Fault("served_if_wanted", node, "a subscriber", delivered, WANTED),) if seen else ()


OBSERVERS = (
    Observer("delivered_once", ONCE, (), delivered_once),
    Observer("served_if_wanted", WANTED, False, served_if_wanted),
)
