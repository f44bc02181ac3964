"""Commands to a broker: requests of applications, notices of the failure detector, crashes and restarts."""

from gomboc.impl.core import vocabulary
from gomboc.impl.core.vocabulary import Command, Crash, Restart, reader
from gomboc.impl.protocols.delta_fault_tolerance.filters import Attributes, Filter
from gomboc.impl.protocols.delta_fault_tolerance.names import Name


class Publish(Command, frozen=True):
    """The client publishes."""

    attributes: Attributes


class Subscribe(Command, frozen=True):
    """The client subscribes to this filter."""

    filter: Filter


class Unsubscribe(Command, frozen=True):
    """The client ends its subscription to this filter."""

    filter: Filter


class Join(Command, frozen=True):
    """A broker that is outside becomes a leaf of the tree."""


class Suspect(vocabulary.Suspect, frozen=True):
    """The failure detector reports that this broker has failed."""

    node: Name


decode = reader(
    Publish | Subscribe | Unsubscribe | Join | Crash | Restart | Suspect,
    "This is not a command of delta-fault-tolerance",
)
