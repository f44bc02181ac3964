"""Values in states and messages of brokers: names, stamps, rows of tables, and the contents of multicast messages."""

import re
from collections import Counter
from operator import itemgetter
from sys import maxsize
from typing import Annotated, Any, Literal

import msgspec

from gomboc.spec.protocols.delta_fault_tolerance.filters import Attributes, Filter, ill_formed, ill_valued, text
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.types.fields import Ascending, AtMost, Holds, NodeName, Within
from gomboc.spec.types.kinds import Kind


def _not_a_stamp(_parameters: Any, stamp: tuple[int, int]) -> str | None:
    return "stamps and streams from incarnation 0 and count 1 on" if stamp[0] < 0 or stamp[1] < 1 else None


Status = Literal["operational", "recovering", "failed", "detached"]
"""Source: Figures 2 and 4."""

PeerStatus = Annotated[
    Status, Holds(lambda _, status: "no broker that says that it is outside" if status == "detached" else None)
]
"""The status that a broker says of itself: none says that it is outside."""

Count = Annotated[int, Within(0)]

Brokers = Annotated[tuple[NodeName, ...], Ascending()]
"""The names of brokers, ascending."""

Stamp = Annotated[tuple[int, int], Holds(_not_a_stamp)]
"""The incarnation of a broker, and a count in it. Streams are numbered alike."""

Id = Annotated[tuple[NodeName, int, int], Holds(lambda parameters, id_: _not_a_stamp(parameters, id_[1:]))]
"""The source of a multicast message, and its stamp at the source. Source: Section 4.1, m_id."""

Stamps = Annotated[tuple[tuple[NodeName, Stamp], ...], Ascending(itemgetter(0))]
HexDigits = Annotated[
    str, Holds(lambda _, digest: None if re.fullmatch("[0-9a-f]{16}", digest) else "a digest of 16 hex digits")
]

Visited = Annotated[tuple[tuple[NodeName, Stamp | None], ...], AtMost(lambda parameters: parameters.delta + 1)]
"""The last delta + 1 brokers that a message has come through, or past. Source: Section 5, m.visited."""


def unfit_filter(parameters: Parameters, wanted: Filter) -> str | None:
    """The first requirement that a filter violates, in words; None if it is well formed, and not too long."""
    return ill_formed(wanted) or _too_long(parameters.longest_filter, wanted, "a filter")


def unfit_attributes(parameters: Parameters, attributes: Attributes) -> str | None:
    """The first requirement that the attributes of a publication violate, in words; None if there is none."""
    return ill_valued(attributes) or _too_long(parameters.longest_attributes, attributes, "attributes")


def _too_long(most: int, value: Any, noun: str) -> str | None:
    return f"{noun} of at most {most} bytes" if most < maxsize and len(text(value)) > most else None


WellFormed = Annotated[Filter, Holds(unfit_filter)]
WellValued = Annotated[Attributes, Holds(unfit_attributes)]


class Positional(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Base of values that are written as an array of their fields."""


class Row(Positional, frozen=True):
    """A subscription of a broker's client; `via` is the broker on the path to the source that stands for it here.

    Source: Section 4.7, SUBS_SET
    """

    source: NodeName
    filter: WellFormed
    via: NodeName


def place(row: Row) -> tuple[str, bytes]:
    """The place of a row in the order of a table."""
    return row.source, text(row.filter)


def _too_many(parameters: Parameters, rows: tuple[Row, ...]) -> str | None:
    most = parameters.most_filters
    is_right = most is None or max(Counter(row.source for row in rows).values(), default=0) <= most
    return None if is_right else f"at most {most} rows of each source"


Rows = Annotated[tuple[Row, ...], Ascending(place), Holds(_too_many, source="decided here: bounded tables")]


AsManyAsFit = AtMost(lambda parameters: parameters.most_rows or maxsize, source="decided here: bounded messages")
"""Of the rows or filters in one message: with as many as fit the next message goes on, one with fewer is the last."""

AsManyAsOneHas = AtMost(lambda parameters: parameters.most_filters or maxsize, source="decided here: bounded tables")
"""Of the filters of one client."""

Part = Annotated[Rows, AsManyAsFit]
"""Rows in one message."""


class Publication(Kind, frozen=True):
    """Source: Section 4.8, PUB."""

    attributes: WellValued


class Subscription(Kind, frozen=True):
    """`via` is `from` of the paper, as seen from the holder. Source: Section 4.7, SUB."""

    source: NodeName
    filter: WellFormed
    via: NodeName


class Unsubscription(Kind, frozen=True):
    """Source: decided here."""

    source: NodeName
    filter: WellFormed


class Rejoin(Kind, frozen=True, omit_defaults=True):
    """The source has recovered, and is about to be operational; `filters` are all subscriptions of its client.

    Or they are those after the last one of the part before, as many as fit. `via` is as in a subscription.

    Source: Section 6, REJOIN; that it says the subscriptions, and its parts, are decided here
    """

    source: NodeName
    filters: Annotated[tuple[WellFormed, ...], Ascending(text), AsManyAsFit, AsManyAsOneHas]
    via: NodeName
    after: WellFormed | None = None


class Joined(Kind, frozen=True):
    """A leaf joins; its parent says so. Source: Section 4.6, J."""

    node: NodeName


Content = Publication | Subscription | Unsubscription | Rejoin | Joined
Operation = Subscription | Unsubscription | Rejoin
"""Contents that change tables."""


def in_rejoin(parameters: Parameters, content: Rejoin) -> str | None:
    """The requirement that a part of REJOIN violates, in words; None if it is right. Source: decided here."""
    if content.after is not None and parameters.most_rows is None:
        return "no part of REJOIN without most_rows"
    ascending = content.after is None or not content.filters or text(content.after) < text(content.filters[0])
    return None if ascending else "filters after those of the part before"
