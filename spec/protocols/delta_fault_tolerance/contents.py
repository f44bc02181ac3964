"""Values in states and messages of brokers: names, stamps, rows of tables, and the contents of multicast messages."""

import re
from operator import itemgetter
from sys import maxsize
from typing import Annotated, Any, Literal

import msgspec

from gomboc.spec.protocols.delta_fault_tolerance.filters import Attributes, Filter, ill_formed, ill_valued, text
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.types.fields import Ascending, AtMost, Holds, NodeName, Within
from gomboc.spec.types.kinds import Kind


def _not_a_stamp(parameters: Any, stamp: tuple[int, int]) -> str | None:
    del parameters
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

WellFormed = Annotated[Filter, Holds(lambda _, wanted: ill_formed(wanted))]
WellValued = Annotated[Attributes, Holds(lambda _, attributes: ill_valued(attributes))]


class Positional(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Base of values that are written as an array of their fields."""


class Row(Positional, frozen=True):
    """A subscription of a broker's client; `via` is the broker on the path to the source that stands for it here.

    Source: Section 4.7, SUBS_SET
    """

    source: NodeName
    filter: WellFormed
    via: NodeName


Rows = Annotated[tuple[Row, ...], Ascending(lambda row: (row.source, text(row.filter)))]


AsManyAsFit = AtMost(lambda parameters: parameters.most_rows or maxsize, source="decided here: bounded messages")
"""Of the rows or filters in one message: with as many as fit the next message goes on, one with fewer is the last."""

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
    filters: Annotated[tuple[WellFormed, ...], Ascending(text), AsManyAsFit]
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
