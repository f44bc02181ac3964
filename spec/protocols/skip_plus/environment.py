"""Commands from outside: nodes join, leave, and crash if that leaves the others connected."""

from functools import partial

from gomboc.spec.core.model import InFlight, Offer, States
from gomboc.spec.protocols.skip_plus.premise import disconnected
from gomboc.spec.protocols.skip_plus.state import ABSENT, Join, Leave
from gomboc.spec.types.kinds import Crash, Suspect


def environment(states: States, in_flight: InFlight) -> tuple[Offer, ...]:
    """A live node may leave, or crash if that leaves the others connected; an absent node may join.

    A neighbour that is absent may be suspected, and need not: it answers that it is gone.

    Source: Slide 33; Slide 20
    """
    live = tuple(sorted(name for name, local in states.items() if local.live))
    absent = tuple(sorted(name for name, local in states.items() if local == ABSENT))
    left = partial(_stays_connected, states, in_flight)
    return (
        *(Offer(name, Leave(), "leave") for name in live),
        *(Offer(name, Crash(), "crash") for name in live if left(name)),
        *(Offer(name, Join(contact), "join") for name in absent for contact in live),
        *(Offer(name, Suspect(node), "") for name in live for node in absent if node in states[name].neighbours),
    )


def _stays_connected(states: States, in_flight: InFlight, node: str) -> bool:
    """Whether the others are connected without that node."""
    return not disconnected({**states, node: ABSENT}, in_flight)
