"""Contents of multicast messages, with the ids and stamps that identify and order them."""

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from gomboc.impl.protocols.delta_fault_tolerance.filters import Attributes, Filter, text, wrong_attributes, wrong_filter
from gomboc.impl.protocols.delta_fault_tolerance.names import Name, are_in_order, distance, path

Number = Annotated[int, Meta(ge=0)]
Count = Annotated[int, Meta(ge=1)]

Stamp = tuple[Number, Count]
"""The incarnation of a broker, and its count of stamped messages in it. Streams are numbered in the same form."""

Id = tuple[Name, Number, Count]
"""The source of a message, and its stamp at the source."""

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
    filters: tuple[Filter, ...]
    via: Name


class Joined(Content, frozen=True):
    """This leaf joins the tree."""

    node: Name


Change = Subscription | Unsubscription | Rejoin
"""Contents that change the tables of other brokers."""

Any = Publication | Subscription | Unsubscription | Rejoin | Joined


def for_receiver(content: Any, receiver: str, delta: int) -> Any:
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


def wrong_content(content: Any) -> str | None:
    """The error in a content, in words; None if it is right."""
    match content:
        case Publication(attributes):
            return wrong_attributes(attributes)
        case Subscription(_, predicates) | Unsubscription(_, predicates):
            return wrong_filter(predicates)
        case Rejoin(_, filters):
            if not are_in_order(map(text, filters)):
                return "its filters are not in order"
            return next(filter(None, map(wrong_filter, filters)), None)
        case Joined():
            return None
