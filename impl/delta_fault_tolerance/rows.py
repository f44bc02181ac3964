"""Rows: what a broker knows of the subscriptions of other brokers' clients."""

from collections.abc import Iterable
from itertools import pairwise

from msgspec import Struct

from gomboc.impl.delta_fault_tolerance.filters import Filter, text, wrong_filter
from gomboc.impl.delta_fault_tolerance.names import Name


class Row(Struct, frozen=True, gc=False, array_like=True, forbid_unknown_fields=True):
    """A subscription of another broker's client: what matches the filter goes to `via`, on the way to the source."""

    source: Name
    filter: Filter
    via: Name


def order(row: Row) -> tuple[str, str]:
    """By what rows are ordered; no two have the same."""
    return row.source, text(row.filter)


def wrong_rows(rows: Iterable[Row]) -> str | None:
    """What is wrong with rows; None if nothing is."""
    rows = tuple(rows)
    for row in rows:
        wrong = wrong_filter(row.filter)
        if wrong is not None:
            return wrong
    in_order = all(former < latter for former, latter in pairwise(map(order, rows)))
    return None if in_order else "its rows are not in order"
