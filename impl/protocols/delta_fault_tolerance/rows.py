"""Rows: subscriptions of other brokers' clients, as a broker knows them."""

from collections.abc import Iterable
from itertools import pairwise

from msgspec import Struct

from gomboc.impl.protocols.delta_fault_tolerance.filters import Filter, text, wrong_filter
from gomboc.impl.protocols.delta_fault_tolerance.names import Name


class Row(Struct, frozen=True, gc=False, array_like=True, forbid_unknown_fields=True):
    """A subscription of another broker's client; matching publications go to `via`, on the path to the source."""

    source: Name
    filter: Filter
    via: Name


def order(row: Row) -> tuple[str, str]:
    """The key by which rows are sorted; it is unique in a table."""
    return row.source, text(row.filter)


def wrong_rows(rows: Iterable[Row]) -> str | None:
    """The error in rows, in words; None if they are right."""
    rows = tuple(rows)
    for row in rows:
        wrong = wrong_filter(row.filter)
        if wrong is not None:
            return wrong
    in_order = all(former < latter for former, latter in pairwise(map(order, rows)))
    return None if in_order else "its rows are not in order"
