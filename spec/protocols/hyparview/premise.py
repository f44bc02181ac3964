"""The premise of convergence: links that no message ends connect all members, and no node is displaced."""

from collections.abc import Iterator
from typing import Any

from gomboc.spec.core.connection import unreached
from gomboc.spec.core.model import Fault, InFlight, States
from gomboc.spec.protocols.hyparview.legitimacy import mutual
from gomboc.spec.protocols.hyparview.parameters import Parameters
from gomboc.spec.protocols.hyparview.state import Dead, Disconnect, Join, Neighbor, Node

SOURCE = "decided here: once apart, views stay apart"


def premise(parameters: Parameters, states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """The members are connected and stay so.

    A node that gets in may displace another one, and cut members off by that: whether they stay connected is then a
    frequency, and not a promise. So with more nodes than a node and its active view, no node may want in or ask with
    high priority; a run that has become legitimate nevertheless is to stay so.
    """
    return tuple(_faults(parameters, states, in_flight))


def _faults(parameters: Parameters, states: States, in_flight: InFlight) -> Iterator[Fault]:
    members = {name: local for name, local in states.items() if local.status == "inside"}
    scarce = len(states) > parameters.active + 1
    for name, local in sorted(states.items()):
        if local.status == "outside" and local.contact is not None:
            contact = states[_asked_in_the_end(states, name)].status
            if scarce or contact == "outside":
                yield Fault("no_node_wants_in", name, "inside, or a member as its contact", local.contact, SOURCE)
    for target, message in in_flight:
        if target in members and scarce and displaces(message):
            yield Fault("no_node_is_displaced", target, "no request with high priority", message.sender, SOURCE)
        if target in members and isinstance(message, Dead) and message.node in members:
            yield Fault("the_dead_are_dead", target, "no member", message.node, SOURCE)
    yield from _apart(members, in_flight)


def _asked_in_the_end(states: States, name: str) -> str:
    """The contact of a node, or that one's contact if it wants in too, and so on."""
    asked: set[str] = set()
    while states[name].status == "outside" and states[name].contact is not None and name not in asked:
        asked.add(name)
        name = states[name].contact
    return name


def displaces(message: Any) -> bool:
    """Whether a message may displace an active node."""
    return isinstance(message, Join) or (isinstance(message, Neighbor) and message.priority == "high")


def _apart(members: States, in_flight: InFlight) -> Iterator[Fault]:
    ended = {frozenset((target, message.sender)) for target, message in in_flight if isinstance(message, Disconnect)}
    links = mutual({name: (local.active, None) for name, local in members.items()})
    apart = unreached(tuple(sorted(members)), (link for link in links if frozenset(link) not in ended))
    if apart:
        yield Fault("members_are_connected", apart[0], "links at both ends to all members", apart, SOURCE)


def projection(value: Any) -> tuple[Any, ...] | None:
    """The part that premise and environment read."""
    match value:
        case Node():
            return value.status, value.active, not value.passive, value.asked, value.contact
        case Disconnect(sender):
            return "Disconnect", sender
        case Dead(node):
            return "Dead", node
        case Join(sender) | Neighbor(sender, "high"):
            return "Displaces", sender
    return None
