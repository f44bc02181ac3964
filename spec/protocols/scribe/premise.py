"""The premise of convergence, which the layer below guarantees in the end: every route ends at the one owner."""

from gomboc.spec.core.model import Fault, InFlight, States
from gomboc.spec.protocols.scribe.legitimacy import BELOW, anchor, anchor_faults, share


def premise(states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """The faults of the routes of live nodes; a node outside the overlay has no publication that waits for a route."""
    del in_flight
    waiting = (name for name, local in sorted(states.items()) if local.next is None and local.publications)
    return (
        *anchor_faults(anchor({name: share(local) for name, local in states.items()})),
        *(Fault("publishers_have_routes", name, "a next hop", None, BELOW) for name in waiting),
    )
