"""The premise of convergence: weak connectivity, and no false message on a departure."""

from collections.abc import Iterator
from typing import Any

from gomboc.spec.core.connection import Edge, unreached
from gomboc.spec.core.model import Fault, InFlight, States
from gomboc.spec.protocols.skip_plus.state import ABSENT, Gone, Message, Node, Update


def premise(states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """The nodes that take part are weakly connected, and none of them is said to be gone."""
    return (*disconnected(states, in_flight), *falsely_gone(states, in_flight))


def disconnected(states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """Weak connectivity of the live nodes, by their references and by inserts in flight.

    An insert to an absent node comes back to its sender; a node that is gone connects no others.

    Source: Slide 12, "Start from any weakly connected graph"
    """
    live = tuple(sorted(name for name, local in states.items() if local.live))
    apart = unreached(live, (*_known(states), *_on_their_way(states, in_flight)))
    expected = "every node that takes part, from any other"
    return (Fault("weakly_connected", apart[0], expected, apart, "Slide 12"),) if apart else ()


def falsely_gone(states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """A `Gone` of a node that takes part, in flight or remembered: its receiver drops the reference to that node.

    If a departed node joins again while its `Gone` is in flight, that message becomes false, too.

    Source: Slide 20, where only failed neighbours are removed
    """
    live = {name for name, local in states.items() if local.live}
    said = [(target, message.node) for target, message in in_flight if isinstance(message, Gone)]
    remembered = [(name, node) for name in sorted(live) for node in states[name].gone]
    false = [(name, node) for name, node in (*remembered, *said) if name in live and node in live]
    expected = "a node that does not take part"
    return tuple(Fault("gone_takes_no_part", name, expected, node, "Slide 20") for name, node in false[:1])


def _known(states: States) -> Iterator[Edge]:
    for name, local in states.items():
        assert isinstance(local, Node), "every node has the one role that there is"
        yield from ((name, other) for other in local.neighbours)


def _on_their_way(states: States, in_flight: InFlight) -> Iterator[Edge]:
    for target, message in in_flight:
        back = isinstance(message, Update) and target in states and not states[target].live
        holder = message.sender if back else target
        yield from ((holder, other) for other in message.inserts)


def projection(value: Node | Message) -> tuple[Any, ...]:
    """The part of a node or a message that the premise reads: references, and the nodes that are said to be gone."""
    if isinstance(value, Node):
        return value.live, value.neighbours, value.gone, value == ABSENT
    if isinstance(value, Update):
        return "Update", value.sender, value.inserts
    return "Gone", value.node, value.inserts
