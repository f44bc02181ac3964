"""The table of a broker, and the subscriptions of its own client, each with an index that matches publications."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from gomboc.impl.protocols.delta_fault_tolerance.contents import (
    Change,
    Rejoin,
    Row,
    Subscription,
    Unsubscription,
    order,
)
from gomboc.impl.protocols.delta_fault_tolerance.filters import Filter, Value, text
from gomboc.impl.protocols.delta_fault_tolerance.index import Index
from gomboc.impl.protocols.delta_fault_tolerance.states import Own


class Table:
    """Rows, by source and filter; of one source the first `most` in order, if that is a number.

    `left_out` counts the rows that had no room.
    """

    __slots__ = ("_by_source", "_index", "_most", "_rows", "_sorted", "left_out")

    def __init__(self, rows: Iterable[Row], most: int | None = None) -> None:
        self._most = most
        self._by_source: Counter[str] = Counter()
        self.left_out = 0
        self._rows: dict[tuple[str, Filter], Row] = {}
        self._index: Index[tuple[str, Filter]] = Index()
        self._sorted: tuple[Row, ...] | None = None
        for row in rows:
            self.add(row)

    def add(self, row: Row) -> None:
        """Add a row; it replaces one of the same source and filter."""
        key = row.source, row.filter
        if key not in self._rows:
            self._index.add(key, row.filter)
            self._by_source[row.source] += 1
        self._rows[key] = row
        self._sorted = None
        if self._most is not None and self._by_source[row.source] > self._most:
            self.remove(*max((kept for kept in self._rows if kept[0] == row.source), key=lambda kept: text(kept[1])))
            self.left_out += 1

    def remove(self, source: str, predicates: Filter) -> None:
        """Remove a row, if it is there."""
        if self._rows.pop((source, predicates), None) is not None:
            self._index.remove((source, predicates))
            self._by_source[source] -= 1
            self._sorted = None

    def change(self, change: Change, most: int | None) -> None:
        """Apply a change of the subscriptions of its source; a REJOIN has all of them, or at most so many in a row.

        Source: Sections 4.6 and 4.7, update_routing_information; of a rejoining the paper says nothing
        """
        match change:
            case Subscription(source, predicates, via):
                self.add(Row(source, predicates, via))
            case Unsubscription(source, predicates):
                self.remove(source, predicates)
            case Rejoin(source, filters, via):
                for row in self.rows():
                    if change.replaces(row, most):
                        self.remove(source, row.filter)
                for predicates in filters:
                    self.add(Row(source, predicates, via))

    def rows(self) -> tuple[Row, ...]:
        """All rows, in order."""
        if self._sorted is None:
            self._sorted = tuple(sorted(self._rows.values(), key=order))
        return self._sorted

    def ways(self, attributes: Mapping[str, Value]) -> Iterator[str]:
        """The `via` of each row that a publication with these attributes matches."""
        for key in self._index.matching(attributes):
            yield self._rows[key].via


class Owned(dict[Filter, Own]):
    """Subscriptions by filter; subscriptions that are not being ended are in an index."""

    __slots__ = ("_index",)

    def __init__(self, subscriptions: Iterable[Own]) -> None:
        super().__init__()
        self._index: Index[Filter] = Index()
        for subscription in subscriptions:
            self[subscription.filter] = subscription

    def __setitem__(self, predicates: Filter, own: Own) -> None:
        was, now = self._is_wanted(predicates), own.phase != "unsubscribing"
        super().__setitem__(predicates, own)
        if now and not was:
            self._index.add(predicates, predicates)
        elif was and not now:
            self._index.remove(predicates)

    def __delitem__(self, predicates: Filter) -> None:
        if self._is_wanted(predicates):
            self._index.remove(predicates)
        super().__delitem__(predicates)

    def matching(self, attributes: Mapping[str, Value]) -> tuple[Filter, ...]:
        """The filters that a publication with these attributes matches, without those being ended, in order."""
        return tuple(sorted(self._index.matching(attributes), key=text)) if self else ()

    def _is_wanted(self, predicates: Filter) -> bool:
        own = self.get(predicates)
        return own is not None and own.phase != "unsubscribing"
