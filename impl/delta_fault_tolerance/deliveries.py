"""What a broker tells its client, and whoever watches over it."""

from msgspec import Struct

from gomboc.impl.delta_fault_tolerance.contents import Id
from gomboc.impl.delta_fault_tolerance.filters import Attributes, Filter
from gomboc.impl.delta_fault_tolerance.messages import Told


class Delivery(Struct, frozen=True, gc=False, tag_field="kind", tag=True):
    """What every delivery is."""


class Status(Delivery, frozen=True):
    """The broker's status has changed to this."""

    status: Told


class Published(Delivery, frozen=True):
    """A publication of the client sets out under this id."""

    id: Id
    attributes: Attributes


class Publication(Delivery, frozen=True):
    """A publication for the client, and which of its filters it matches."""

    id: Id
    attributes: Attributes
    filters: tuple[Filter, ...]


class Confirmed(Delivery, frozen=True):
    """Whoever had to have this publication of the client has it."""

    id: Id


class Subscribed(Delivery, frozen=True):
    """From now on nothing that matches this filter is missed."""

    filter: Filter


class Unsubscribing(Delivery, frozen=True):
    """From now on nothing is delivered for this filter."""

    filter: Filter


class Unsubscribed(Delivery, frozen=True):
    """Nobody knows of this subscription any more."""

    filter: Filter


class Unreachable(Delivery, frozen=True):
    """This broker and all on the way to it are down, more than delta: the message does not get there, or beyond."""

    id: Id
    node: str
