"""Changes of tables, of the own client's subscriptions and of entries."""

from collections.abc import Iterable

from msgspec.structs import replace

from gomboc.spec.protocols.delta_fault_tolerance.filters import Filter, text
from gomboc.spec.protocols.delta_fault_tolerance.state import (
    Entry,
    Node,
    Operation,
    Own,
    Rejoin,
    Row,
    Rows,
    Subscription,
    Unsubscription,
)


def applied(rows: Rows, operation: Operation) -> Rows:
    """The table after a subscription, its end, or a REJOIN, which has all subscriptions of its source."""
    match operation:
        case Subscription(source, wanted, via):
            return in_order((*_without(rows, source, (wanted,)), Row(source, wanted, via)))
        case Unsubscription(source, wanted):
            return in_order(_without(rows, source, (wanted,)))
        case Rejoin(source, filters, via):
            others = _without(rows, source, None)
            return in_order((*others, *(Row(source, wanted_filter, via) for wanted_filter in filters)))


def _without(rows: Rows, source: str, filters: tuple[Filter, ...] | None) -> Rows:
    """Rows without those of a source, all of them or those of some filters."""
    return tuple(row for row in rows if row.source != source or (filters is not None and row.filter not in filters))


def in_order(rows: Iterable[Row]) -> Rows:
    """Rows in the order of a table: ascending by source and filter."""
    return tuple(sorted(rows, key=lambda row: (row.source, text(row.filter))))


def wanted_by(local: Node) -> tuple[Filter, ...]:
    """The own client's subscriptions, without those that it has begun to end."""
    return tuple(own.filter for own in local.own if own.phase != "unsubscribing")


def with_own(local: Node, wanted: Filter, own: Own | None) -> Node:
    """The state with this record of the own client's subscription to a filter; with None, without one."""
    others = [subscription for subscription in local.own if subscription.filter != wanted]
    now = others if own is None else [*others, own]
    return replace(local, own=tuple(sorted(now, key=lambda subscription: text(subscription.filter))))


def with_entry(local: Node, entry: Entry) -> Node:
    """The state in which this entry replaces that of the same id."""
    return replace(local, entries=tuple(entry if pending.id == entry.id else pending for pending in local.entries))
