"""Contents of multicast messages, with the ids and stamps that identify and order them; rows of tables."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import groupby, islice
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from gomboc.impl.core.vocabulary import Fault, Rule, disorder, first, surplus
from gomboc.impl.protocols.delta_fault_tolerance.filters import Attributes, Filter, text
from gomboc.impl.protocols.delta_fault_tolerance.names import Name, distance, path
from gomboc.impl.protocols.delta_fault_tolerance.parameters import Parameters


def in_order(what: str, key: Callable[[Any], Any]) -> Rule:
    """The entries ascend by their key, each once."""
    return Rule(lambda entries, _: f"its {what} are not in order" if disorder("", map(key, entries)) else None)


Number = Annotated[int, Meta(ge=0)]
Count = Annotated[int, Meta(ge=1)]

Stamp = tuple[Number, Count]
"""The incarnation of a broker, and its count of stamped messages in it. Streams are numbered in the same form."""

Id = tuple[Name, Number, Count]
"""The source of a message, and its stamp at the source."""

Stamped = Annotated[tuple[tuple[Name, Stamp], ...], in_order("stamps", first)]
"""The most recent stamps of brokers, by name."""

Visited = tuple[tuple[Name, Stamp | None], ...]
"""The last brokers that a message has passed, oldest first, with the stamps that they gave it; None if bypassed."""


class Content(Struct, frozen=True, gc=False, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """Base of all contents."""


class Publication(Content, frozen=True):
    """A publication with these attributes."""

    attributes: Attributes


class Subscription(Content, frozen=True):
    """The source's client subscribes to the filter; `via` is the source, or a broker on the path to it."""

    source: Name
    filter: Filter
    via: Name


class Unsubscription(Content, frozen=True):
    """The source's client ends its subscription to the filter."""

    source: Name
    filter: Filter


class Rejoin(Content, frozen=True, omit_defaults=True):
    """The source has recovered; all messages that it sent again meanwhile have come before this one.

    `filters` are all subscriptions of its client; `via` is as in a subscription. With a bound, a full message is
    continued by the next one, which begins `after` the last filter of this one.
    """

    source: Name
    filters: Annotated[
        tuple[Filter, ...], in_order("filters", text), Rule(lambda filters, bounds: _too_many(len(filters), bounds))
    ]
    via: Name
    after: Filter | None = None

    def fault(self, parameters: Parameters | None) -> Fault:
        """The fault of its length, or of the place where it begins."""
        most = parameters.most_rows if parameters else None
        if most is None:
            return None if self.after is None else "it continues a rejoining, and these are not divided here"
        if wrong := surplus("it has {} filters", len(self.filters), most):
            return wrong
        if self.filters and not self.reaches(self.filters[0]):
            return "its filters do not come after the one where it begins"
        return None

    def reaches(self, predicates: Filter) -> bool:
        """Whether it begins before a filter."""
        return self.after is None or text(self.after) < text(predicates)

    def is_continued(self, most: int | None) -> bool:
        """Whether further filters follow in the next message."""
        return len(self.filters) == most

    def replaces(self, row: "Row", most: int | None) -> bool:
        """Whether a row is of its source, and between its ends: behind the last part there is no end."""
        beyond = self.is_continued(most) and text(self.filters[-1]) < text(row.filter)
        return row.source == self.source and self.reaches(row.filter) and not beyond


class Joined(Content, frozen=True):
    """This leaf joins the tree."""

    node: Name


Change = Subscription | Unsubscription | Rejoin
"""Contents that change the tables of other brokers."""

Contents = Publication | Subscription | Unsubscription | Rejoin | Joined


def for_receiver(content: Contents, receiver: str, delta: int) -> Contents:
    """The content of the copy for a receiver, with `via` as seen from there.

    Source: Section 4.7, make_copy_send; the printed index is negative
    """
    if isinstance(content, Subscription | Rejoin):
        return replace(content, via=seen_from(receiver, content.via, delta))
    return content


def seen_from(receiver: str, via: str, delta: int) -> str:
    """The broker delta + 1 links away on the path from `receiver` to `via`; or `via` itself, if it is nearer."""
    if distance(receiver, via) <= delta + 1:
        return via
    return path(receiver, via)[delta + 1]


class Row(Struct, frozen=True, gc=False, array_like=True, forbid_unknown_fields=True):
    """A subscription of another broker's client; matching publications go to `via`, on the path to the source."""

    source: Name
    filter: Filter
    via: Name


def order(row: Row) -> tuple[str, str]:
    """The key by which rows are sorted; it is unique in a table."""
    return row.source, text(row.filter)


def _too_many(filters: int, parameters: Parameters | None) -> Fault:
    most = parameters.most_filters if parameters else None
    return surplus("a client has {} filters", filters, most)


def _too_many_of_one(rows: tuple[Row, ...], parameters: Parameters | None) -> Fault:
    if parameters is None or parameters.most_filters is None:
        return None
    return _too_many(max(Counter(row.source for row in rows).values(), default=0), parameters)


Rows = Annotated[tuple[Row, ...], in_order("rows", order), Rule(_too_many_of_one)]
"""Rows in order, no more of one source than its client may have filters."""


def admitted(rows: tuple[Row, ...], most: int | None) -> tuple[Row, ...]:
    """These rows in order, without those of a source that has so many before."""
    if most is None:
        return rows
    return tuple(row for _, of_one in groupby(rows, key=lambda row: row.source) for row in islice(of_one, most))


def portions(rows: tuple[Row, ...], most: int | None) -> Iterator[tuple[Row, ...]]:
    """Cut a table for messages. All but the last portion are full; the last one has room left, so it may be empty."""
    if most is None:
        yield rows
    else:
        yield from (rows[first : first + most] for first in range(0, len(rows) + 1, most))


def extended(rows: tuple[Row, ...], portion: tuple[Row, ...]) -> tuple[Row, ...]:
    """A table so far, and a further portion of it; rows that do not come after it are no part of it."""
    if not rows:
        return portion
    last = order(rows[-1])
    return rows + tuple(row for row in portion if order(row) > last)
