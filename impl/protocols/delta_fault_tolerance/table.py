"""The table of a broker: rows, with an index that matches publications."""

from collections.abc import Iterable, Iterator, Mapping

from gomboc.impl.protocols.delta_fault_tolerance.contents import Change, Rejoin, Subscription, Unsubscription
from gomboc.impl.protocols.delta_fault_tolerance.filters import Filter, Value
from gomboc.impl.protocols.delta_fault_tolerance.index import Index
from gomboc.impl.protocols.delta_fault_tolerance.rows import Row, order


class Table:
    """Rows, by source and filter."""

    __slots__ = ("_index", "_rows", "_sorted")

    def __init__(self, rows: Iterable[Row]) -> None:
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
        self._rows[key] = row
        self._sorted = None

    def remove(self, source: str, predicates: Filter) -> None:
        """Remove a row, if it is there."""
        if self._rows.pop((source, predicates), None) is not None:
            self._index.remove((source, predicates))
            self._sorted = None

    def change(self, change: Change) -> None:
        """Apply a change of the subscriptions of its source; a REJOIN has all of them.

        Source: Sections 4.6 and 4.7, update_routing_information; of a rejoining the paper says nothing
        """
        match change:
            case Subscription(source, predicates, via):
                self.add(Row(source, predicates, via))
            case Unsubscription(source, predicates):
                self.remove(source, predicates)
            case Rejoin(source, filters, via):
                for row in self.rows():
                    if row.source == source:
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
