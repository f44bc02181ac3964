"""Promises over histories: each delivery matches, happens once and in the publisher's order; and nothing is lost."""

from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.model import Fault
from gomboc.spec.core.promises import Observer
from gomboc.spec.protocols.delta_fault_tolerance.filters import Attributes, Filter, matches, text

RELIABLE = "Section 4.2, the reliable P/S system specification"

Last = tuple[tuple[str, tuple[int, int]], ...]
"""For each source, the stamp of the publication that was delivered last."""


def only_what_matches(node: str, seen: tuple[()], delivered: Any) -> tuple[tuple[()], tuple[Fault, ...]]:
    """A delivered publication matches each subscription that it is delivered for, and there is at least one.

    Source: Section 2, "there is no delivery of publications to a subscriber unless it has a matching subscription"
    """
    if delivered["kind"] != "Publication":
        return seen, ()
    filters = msgspec.convert(delivered["filters"], list[Filter])
    attributes = msgspec.convert(delivered["attributes"], Attributes)
    if filters and all(matches(attributes, wanted) for wanted in filters):
        return seen, ()
    return seen, (Fault("delivered_matches", node, filters, attributes, RELIABLE),)


def nothing_twice(node: str, seen: Last, delivered: Any) -> tuple[Last, tuple[Fault, ...]]:
    """No publication is delivered twice in succession; a broker that fails forgets its deliveries.

    Source: Section 4.2, "duplicate-free"
    """
    return _in_turn(node, seen, delivered, "delivered_once", lambda stamp, last: stamp == last)


def publisher_order(node: str, seen: Last, delivered: Any) -> tuple[Last, tuple[Fault, ...]]:
    """No publication is delivered after a later one of the same source.

    Source: Section 4.2, "delivery of any publication p' published after p by the same source can only follow"
    """
    return _in_turn(node, seen, delivered, "delivered_in_order", lambda stamp, last: stamp < last)


def _in_turn(node: str, seen: Last, delivered: Any, rule: str, wrong: Any) -> tuple[Last, tuple[Fault, ...]]:
    if delivered["kind"] == "Status" and delivered["status"] == "failed":
        return (), ()
    if delivered["kind"] != "Publication":
        return seen, ()
    source, incarnation, count = delivered["id"]
    stamp, last = (incarnation, count), dict(seen)
    before = last.get(source)
    if before is not None and wrong(stamp, before):
        return seen, (Fault(rule, node, before, stamp, RELIABLE),)
    last[source] = max(stamp, before or stamp)
    return tuple(sorted(last.items())), ()


class Owed(msgspec.Struct, frozen=True, order=True):
    """A publication that is not confirmed, and the brokers to which it must be delivered before it is."""

    id: tuple[str, int, int]
    nodes: tuple[str, ...]


class History(msgspec.Struct, frozen=True):
    """State of a whole system: brokers that are not operational, acknowledged subscriptions, and deliveries owed."""

    absent: frozenset[str] = frozenset()
    subscribed: frozenset[tuple[str, bytes]] = frozenset()
    owed: frozenset[Owed] = frozenset()


def no_loss(node: str, seen: History, delivered: Any) -> tuple[History, tuple[Fault, ...]]:
    """When a publication is confirmed, it has been delivered to every broker that had subscribed before it was sent.

    A broker that fails meanwhile is owed nothing. Only subscriptions that are acknowledged in this run count.

    Source: Section 4.2; Theorem 1
    """
    match delivered["kind"]:
        case "Status":
            return _changed(node, seen, delivered["status"]), ()
        case "Subscribed":
            return replace(seen, subscribed=seen.subscribed | {(node, text(delivered["filter"]))}), ()
        case "Unsubscribing":
            return _ended(node, seen, text(delivered["filter"])), ()
        case "Published":
            return _owing(seen, tuple(delivered["id"]), delivered["attributes"]), ()
        case "Publication":
            return _settled(seen, node, tuple(delivered["id"])), ()
        case "Confirmed":
            return _confirmed(node, seen, tuple(delivered["id"]))
    return seen, ()


def _changed(node: str, seen: History, status: str) -> History:
    if status == "operational":
        return replace(seen, absent=seen.absent - {node})
    own = frozenset(publication for publication in seen.owed if publication.id[0] == node)
    return replace(seen, absent=seen.absent | {node}, owed=_without(seen.owed - own, node))


def _without(owed: frozenset[Owed], node: str) -> frozenset[Owed]:
    return frozenset(
        Owed(publication.id, tuple(name for name in publication.nodes if name != node)) for publication in owed
    )


def _ended(node: str, seen: History, wanted: bytes) -> History:
    """A client that ends a subscription is owed nothing, also not for another subscription that may match as well."""
    subscribed = seen.subscribed - {(node, wanted)}
    return replace(seen, subscribed=subscribed, owed=_without(seen.owed, node))


def _owing(seen: History, id_: tuple[str, int, int], attributes: Any) -> History:
    values = msgspec.convert(attributes, Attributes)
    nodes = {
        node
        for node, wanted in seen.subscribed
        if node not in seen.absent and matches(values, msgspec.json.decode(wanted, type=Filter))
    }
    return replace(seen, owed=seen.owed | {Owed(id_, tuple(sorted(nodes)))})


def _settled(seen: History, node: str, id_: tuple[str, int, int]) -> History:
    mine = frozenset(publication for publication in seen.owed if publication.id == id_)
    return replace(seen, owed=(seen.owed - mine) | _without(mine, node))


def _confirmed(node: str, seen: History, id_: tuple[str, int, int]) -> tuple[History, tuple[Fault, ...]]:
    mine = frozenset(publication for publication in seen.owed if publication.id == id_)
    lacking = tuple(name for publication in mine for name in publication.nodes)
    after = replace(seen, owed=seen.owed - mine)
    return after, (Fault("confirmed_was_delivered", node, lacking, (), RELIABLE),) if lacking else ()


OBSERVERS = (
    Observer("only_what_matches", RELIABLE, (), only_what_matches),
    Observer("nothing_twice", RELIABLE, (), nothing_twice),
    Observer("publisher_order", RELIABLE, (), publisher_order),
    Observer("no_loss", RELIABLE, History(), no_loss, whole=True),
)
