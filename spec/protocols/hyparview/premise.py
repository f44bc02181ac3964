"""The premise of convergence: links that no message ends connect all members, and no node gets in."""

from collections.abc import Iterator
from typing import Any

from gomboc.spec.core.connection import unreached
from gomboc.spec.core.model import Fault, InFlight, States
from gomboc.spec.protocols.hyparview.legitimacy import mutual
from gomboc.spec.protocols.hyparview.state import Dead, Disconnect, Join, Neighbor, Node

SOURCE = "decided here: once apart, views stay apart"


def premise(states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """The members are connected and stay so.

    A node that gets in displaces another one, which may cut members off: whether they stay connected is a frequency,
    and not a promise. So a run in which a node wants in, or asks with high priority, is not promised to converge; once
    it has become legitimate, it is to stay so.
    """
    return tuple(_faults(states, in_flight))


def _faults(states: States, in_flight: InFlight) -> Iterator[Fault]:
    members = {name: local for name, local in states.items() if local.status == "inside"}
    for name, local in sorted(states.items()):
        if local.status == "outside" and local.contact is not None:
            yield Fault("no_node_wants_in", name, "inside", local.contact, SOURCE)
    for target, message in in_flight:
        if target in members and displaces(message):
            yield Fault("no_node_is_displaced", target, "no request with high priority", message.sender, SOURCE)
        if target in members and isinstance(message, Dead) and message.node in members:
            yield Fault("the_dead_are_dead", target, "no member", message.node, SOURCE)
    yield from _apart(members, in_flight)


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
