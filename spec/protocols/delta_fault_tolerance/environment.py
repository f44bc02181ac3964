"""Inputs from outside: commands of clients, crashes, restarts, and the notices that the failure detector owes."""

from collections.abc import Iterator
from typing import Any, get_args

from gomboc.spec.core.model import InFlight, Offer, States
from gomboc.spec.protocols.delta_fault_tolerance.commands import Join, Publish, Subscribe, Unsubscribe
from gomboc.spec.protocols.delta_fault_tolerance.filters import Predicate
from gomboc.spec.protocols.delta_fault_tolerance.messages import Close, OfAudits, OfFailures, OfJoining, OfPauses
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.state import Node, asleep
from gomboc.spec.protocols.delta_fault_tolerance.variables import connected
from gomboc.spec.types.kinds import Crash, Restart, Suspect

ATTRIBUTES, OTHERS = (("x", 1),), (("x", 2),)
WANTED = (Predicate("x", "=", 1),)
"""Two publications and a subscription, enough for small models; the subscription matches the first publication."""


def environment(states: States, _in_flight: InFlight) -> tuple[Offer, ...]:
    """Offer commands of clients, crashes, restarts and joins, and a `Suspect` to each peer of a crashed broker.

    Source: Section 4.1
    """
    return tuple(_offers(states))


def _offers(states: States) -> Iterator[Offer]:
    for name, local in sorted(states.items()):
        if local.status == "failed":
            yield Offer(name, Restart(), "", owed=True)
        if local.status == "detached":
            yield Offer(name, Join(), "join")
        if asleep(local):
            continue
        yield Offer(name, Crash(), "crash")
        yield Offer(name, Publish(ATTRIBUTES), "publication")
        yield Offer(name, Publish(OTHERS), "other")
        yield Offer(name, Subscribe(WANTED), "subscription")
        yield Offer(name, Unsubscribe(WANTED), "unsubscription")
        for peer in connected(local):
            if states[peer].status == "failed":
                yield Offer(name, Suspect(peer), "", owed=True)


def projection(value: Any) -> tuple[Any, ...] | None:
    """Projection for coverage: a broker's status, whether it has ever failed, and its peers; None for other values."""
    return (value.status, value.incarnation > 0, connected(value)) if isinstance(value, Node) else None


def without_effect(parameters: Parameters) -> tuple[type, ...]:
    """Messages and commands that need not occur. Not every run has a broker outside, or so much to send to a peer.

    With delta = 0 no broker may fail, so none is bypassed or recovers.
    """
    failing = () if parameters.delta else (*get_args(OfFailures), Close, Crash, Restart, Suspect)
    auditing = () if parameters.audit else get_args(OfAudits)
    return *failing, *get_args(OfJoining), Join, *auditing, *get_args(OfPauses)
