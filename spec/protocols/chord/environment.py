"""Commands from outside: joins, crashes, leaves, false suspicions, and the reports that the detector owes."""

from collections.abc import Callable, Iterator

from gomboc.spec.core.model import InFlight, Offer, States
from gomboc.spec.protocols.chord.state import Join, Leave, Node
from gomboc.spec.types.kinds import Crash, Suspect

Asks = Callable[[Node], set[str]]
"""The nodes to which a node sends requests by itself, in this state."""


def environment(asks: Asks, states: States, _in_flight: InFlight) -> tuple[Offer, ...]:
    """Nodes outside may join through a member, members may crash or leave, and nodes that ask a crashed one learn it.

    The detector is accurate except for the budget `false_suspicion`.

    Source: Section 2.2.3, init and crash
    """
    return tuple(_offers(asks, states))


def _offers(asks: Asks, states: States) -> Iterator[Offer]:
    members = tuple(sorted(name for name, local in states.items() if local.status == "inside"))
    for name in members:
        yield Offer(name, Crash(), "crash")
        yield Offer(name, Leave(), "leave")
    for name, local in sorted(states.items()):
        if local.status == "outside" and local.contact is None:
            yield from (Offer(name, Join(contact), "join") for contact in members)
        for asked in sorted(asks(local)):
            if states[asked].status == "crashed":
                yield Offer(name, Suspect(asked), "", owed=True)
            elif states[asked].status == "inside" and local.status == "inside":
                yield Offer(name, Suspect(asked), "false_suspicion")
