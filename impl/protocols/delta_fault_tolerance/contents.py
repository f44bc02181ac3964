"""Contents of multicast messages, with the ids and stamps that identify and order them; rows of tables."""

from collections.abc import Callable, Iterator
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from gomboc.impl.core.vocabulary import Rule, disorder, first
from gomboc.impl.protocols.delta_fault_tolerance.filters import Attributes, Filter, text
from gomboc.impl.protocols.delta_fault_tolerance.names import Name, distance, path


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


class Rejoin(Content, frozen=True):
    """The source has recovered; all messages that it sent again meanwhile have come before this one.

    `filters` are all subscriptions of its client; `via` is as in a subscription.
    """

    source: Name
    filters: Annotated[tuple[Filter, ...], in_order("filters", text)]
    via: Name


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


Rows = Annotated[tuple[Row, ...], in_order("rows", order)]
"""Rows in order."""


def portions(rows: tuple[Row, ...], most: int | None) -> Iterator[tuple[Row, ...]]:
    """Cut a table for messages. All but the last portion are full; the last one has room left, so it may be empty."""
    if most is None:
        yield rows
        return
    while len(rows) >= most:
        yield rows[:most]
        rows = rows[most:]
    yield rows


def extended(rows: tuple[Row, ...], portion: tuple[Row, ...]) -> tuple[Row, ...]:
    """A table so far, and a further portion of it; rows that do not come after it are no part of it."""
    if not rows:
        return portion
    last = order(rows[-1])
    return rows + tuple(row for row in portion if order(row) > last)
