"""The premise of convergence, which the layer below guarantees in the end: every route ends at the one owner."""

from typing import Any

from gomboc.spec.core.model import Fault, InFlight, States
from gomboc.spec.protocols.scribe.legitimacy import BELOW, anchor, anchor_faults, share
from gomboc.spec.protocols.scribe.state import Node, asked


def premise(states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """The faults of the routes of live nodes; a node outside the overlay has no publication that waits for a route."""
    del in_flight
    waiting = (name for name, local in sorted(states.items()) if local.next is None and local.publications)
    return (
        *anchor_faults(anchor({name: share(local) for name, local in states.items()})),
        *(Fault("publishers_have_routes", name, "a next hop", None, BELOW) for name in waiting),
    )


def projection(value: Any) -> tuple[Any, ...] | None:
    """The part of a node that premise and environment read; they read nothing of messages."""
    if not isinstance(value, Node):
        return None
    return value.crashed, value.wants, value.next, value.publications, value.pending, asked(value)
