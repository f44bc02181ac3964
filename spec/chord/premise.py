"""What must be true of a state for convergence to be promised, and what of it anything is promised about."""

from collections.abc import Iterator
from typing import Any

from gomboc.spec.chord.legitimacy import anchor, right, share
from gomboc.spec.chord.parameters import Parameters
from gomboc.spec.chord.state import Answer, Node, Place
from gomboc.spec.model import Fault, InFlight, States


def premise(given: Parameters, states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """Whoever wants in asks a member in the end; with `meet`, the membership names each member's right head to it.

    Without `meet` nothing else is demanded: convergence from any state is claimed, and does not hold.

    Source: decided here
    """
    del in_flight
    return (*_contacts(states), *(_peers(given, states) if given.meet else ()))


def _contacts(states: States) -> Iterator[Fault]:
    for name, local in sorted(states.items()):
        if local.contact is None:
            continue
        asked, at = {name}, local.contact
        while at not in asked and states[at].contact is not None:
            asked.add(at)
            at = states[at].contact
        if states[at].status == "outside":
            yield Fault("contact_is_a_member", name, "a member, in the end", at, "decided here")


def _peers(given: Parameters, states: States) -> Iterator[Fault]:
    members = anchor(given, {name: share(local) for name, local in states.items()})
    for name in members:
        ideal = right(given, members, name).successors[:1]
        if not {*ideal} <= {*states[name].peers}:
            yield Fault("peers_name_the_head", name, ideal[0], states[name].peers, "decided here")


def gist(given: Parameters, value: Node | Any) -> tuple[Any, ...] | None:
    """All that premise, assumption, environment and promises look at: of messages the lists that they bring.

    With `meet`, nobody looks at these.
    """
    match value:
        case Node():
            asked = tuple(name for _, name in value.fingers) if given.fingers else ()
            peers = value.peers if given.meet else ()
            return value.status, value.predecessor, value.successors, asked, value.contact, peers
        case Answer(sender, _, successors) | Place(sender, successors) if not given.meet:
            return type(value).__name__, sender, successors
    return None
