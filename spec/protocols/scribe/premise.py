"""The premise of convergence, which the layer below guarantees in the end: every route ends at the one owner."""

from gomboc.spec.core.model import Fault, InFlight, States
from gomboc.spec.protocols.scribe.legitimacy import anchor, anchor_faults, share


def premise(states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """The faults of the routes of live nodes."""
    del in_flight
    return anchor_faults(anchor({name: share(local) for name, local in states.items()}))
