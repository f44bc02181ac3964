"""The commands that a broker takes, and its deliveries to its client."""

from gomboc.spec.protocols.delta_fault_tolerance.contents import Id, Status, WellFormed, WellValued
from gomboc.spec.protocols.delta_fault_tolerance.filters import Filter
from gomboc.spec.types.fields import NodeName
from gomboc.spec.types.kinds import Crash, Kind, Restart, Suspect


class Publish(Kind, frozen=True):
    """Source: Section 4.8."""

    attributes: WellValued


class Subscribe(Kind, frozen=True):
    """Source: Section 4.7."""

    filter: WellFormed


class Unsubscribe(Kind, frozen=True):
    """Source: Section 3.2."""

    filter: WellFormed


class Join(Kind, frozen=True):
    """Source: Section 4.6."""


class StatusTold(Kind, frozen=True, tag="Status"):
    """Source: Figure 2."""

    status: Status


class Published(Kind, frozen=True):
    """A publication of the own client sets out. Source: Section 4.8."""

    id: Id
    attributes: WellValued


class Delivered(Kind, frozen=True, tag="Publication"):
    """A publication for the own client, and its subscriptions that match. Source: Section 4.8."""

    id: Id
    attributes: WellValued
    filters: tuple[Filter, ...]


class Confirmed(Kind, frozen=True):
    """A publication of the own client has been confirmed. Source: Section 1."""

    id: Id


class Subscribed(Kind, frozen=True):
    """Source: Section 4.2, VALID_SUBSCRIBED."""

    filter: WellFormed


class Unsubscribing(Kind, frozen=True):
    """Source: decided here."""

    filter: WellFormed


class Unsubscribed(Kind, frozen=True):
    """Source: decided here."""

    filter: WellFormed


class Unreachable(Kind, frozen=True):
    """More than delta failures on the way to a recipient of a message. Source: decided here."""

    id: Id
    node: NodeName


Command = Publish | Subscribe | Unsubscribe | Crash | Restart | Suspect | Join
"""`Crash`: Section 4.1, FAILED; `Restart`: Section 6, RECOVERING; `Suspect`: Section 4.1, "Start failure detector"."""
