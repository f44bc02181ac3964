"""What must be true of a state for convergence to be promised: who takes part is weakly connected."""

from collections.abc import Iterator
from typing import Any

from gomboc.spec.connection import Edge, unreached
from gomboc.spec.model import Fault, InFlight, States
from gomboc.spec.skip_plus.state import ABSENT, Message, Node, Update


def premise(states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """Who takes part is connected by what they know of each other, and by inserts on their way.

    An insert to a node that does not take part comes back to its sender; who is gone connects nobody.

    Source: Slide 12, "Start from any weakly connected graph"
    """
    live = tuple(sorted(name for name, local in states.items() if local.live))
    apart = unreached(live, (*_known(states), *_on_their_way(states, in_flight)))
    expected = "every node that takes part, from any other"
    return (Fault("weakly_connected", apart[0], expected, apart, "Slide 12"),) if apart else ()


def _known(states: States) -> Iterator[Edge]:
    for name, local in states.items():
        assert isinstance(local, Node), "every node has the one role that there is"
        yield from ((name, other) for other in local.neighbours)


def _on_their_way(states: States, in_flight: InFlight) -> Iterator[Edge]:
    for target, message in in_flight:
        back = isinstance(message, Update) and target in states and not states[target].live
        holder = message.sender if back else target
        yield from ((holder, other) for other in message.inserts)


def gist(value: Node | Message) -> tuple[Any, ...]:
    """What is looked at of a node: whether it takes part, and whom it knows; of a message, whom it is to insert."""
    if isinstance(value, Node):
        return value.live, value.neighbours, value == ABSENT
    return value.sender if isinstance(value, Update) else None, value.inserts
