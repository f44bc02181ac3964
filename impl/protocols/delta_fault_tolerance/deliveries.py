"""Deliveries of a broker to its client and to monitoring."""

from gomboc.impl.core.vocabulary import Delivery
from gomboc.impl.protocols.delta_fault_tolerance.contents import Id
from gomboc.impl.protocols.delta_fault_tolerance.filters import Attributes, Filter
from gomboc.impl.protocols.delta_fault_tolerance.messages import Told


class Status(Delivery, frozen=True):
    """The broker's status has changed to this."""

    status: Told


class Published(Delivery, frozen=True):
    """A publication of the client has been sent under this id."""

    id: Id
    attributes: Attributes


class Publication(Delivery, frozen=True):
    """A publication for the client, with those of its filters that match."""

    id: Id
    attributes: Attributes
    filters: tuple[Filter, ...]


class Confirmed(Delivery, frozen=True):
    """A publication of the client has reached all of its recipients."""

    id: Id


class Subscribed(Delivery, frozen=True):
    """From now on nothing that matches this filter is missed."""

    filter: Filter


class Unsubscribing(Delivery, frozen=True):
    """From now on nothing is delivered for this filter."""

    filter: Filter


class Unsubscribed(Delivery, frozen=True):
    """No broker knows this subscription any more."""

    filter: Filter


class Unreachable(Delivery, frozen=True):
    """This broker and all on the path to it are down, more than delta: the message cannot reach it, or go beyond."""

    id: Id
    node: str
