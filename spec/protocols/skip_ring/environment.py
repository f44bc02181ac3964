"""Commands from outside: application requests, crashes and restarts, and reports of the failure detector."""

from typing import Any

from gomboc.spec.core.model import InFlight, Offer, States
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, Restart, Subscriber, Supervisor, WantIn, WantOut
from gomboc.spec.types.kinds import Crash, Suspect, Trust


def environment(states: States, in_flight: InFlight) -> tuple[Offer, ...]:
    """The commands that are possible now.

    The supervisor's failure detector eventually suspects every crashed node and trusts every live node: both are owed.
    A suspicion of a live node is a mistake, and has a budget. A member may hear the same, and need not. Publishing and
    a restored database are not offered.

    Source: Section 3.3; Section 4.1
    """
    del in_flight
    subscribers = sorted((node, local) for node, local in states.items() if isinstance(local, Subscriber))
    supervisor = states[SUPERVISOR]
    assert isinstance(supervisor, Supervisor), "the supervisor has the supervisor's role"
    about = (offer for node, local in subscribers for offer in _about(node, local, node in supervisor.suspects))
    awake = tuple(node for node, local in subscribers if not local.crashed)
    return (*about, *(offer for node, local in subscribers for offer in _to_members(node, local, awake)))


def _to_members(node: str, local: Subscriber, awake: tuple[str, ...]) -> tuple[Offer, ...]:
    """Suspicions of `node` at the other members: mistakes unless it has crashed."""
    budget = "" if local.crashed else "suspect"
    return tuple(Offer(member, Suspect(node), budget) for member in awake if member != node)


def _about(node: str, local: Subscriber, suspected: bool) -> tuple[Offer, ...]:
    if local.crashed:
        detected = () if suspected else (Offer(SUPERVISOR, Suspect(node), "", owed=True),)
        return (*(Offer(node, Restart(keep), "restart") for keep in (True, False)), *detected)
    wish = Offer(node, WantOut(), "unsubscribe") if local.wants else Offer(node, WantIn(), "subscribe")
    word = Offer(SUPERVISOR, Trust(node), "", owed=True) if suspected else Offer(SUPERVISOR, Suspect(node), "suspect")
    return Offer(node, Crash(), "crash"), wish, word


def projection(value: Any) -> tuple[Any, ...] | None:
    """The part of a node's state that is read: `crashed` and `wants`, or `suspects`; None for a message."""
    match value:
        case Subscriber():
            return value.crashed, value.wants
        case Supervisor():
            return (value.suspects,)
    return None
