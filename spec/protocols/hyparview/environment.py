"""Commands from outside: joins, crashes, leaves, publications, and the reports that the detector owes."""

from collections.abc import Iterator

from gomboc.spec.core.model import InFlight, Offer, States
from gomboc.spec.protocols.hyparview.parameters import Parameters
from gomboc.spec.protocols.hyparview.state import JoinCommand, Leave, Node, Spread
from gomboc.spec.publishing.publications import published
from gomboc.spec.types.kinds import Crash, Suspect

TOPIC = "news"


def environment(parameters: Parameters, states: States, _in_flight: InFlight) -> tuple[Offer, ...]:
    """Nodes outside may join through a member, members may crash, leave or publish, and nodes that ask a crashed one
    learn it. The detector is accurate.

    Source: HyParView, Section 4.3; decided here
    """
    return tuple(_offers(parameters, states))


def _offers(parameters: Parameters, states: States) -> Iterator[Offer]:
    members = tuple(sorted(name for name, local in states.items() if local.status == "inside"))
    for name in members:
        yield Offer(name, Crash(), "crash")
        yield Offer(name, Leave(), "leave")
        yield Offer(name, Spread(TOPIC, published(name, 0, "", parameters.publishing)), "spread")
    for name, local in sorted(states.items()):
        if local.status == "outside" and local.contact is None:
            yield from (Offer(name, JoinCommand(contact), "join") for contact in members)
        for asked in sorted(asks(local)):
            if states[asked].status == "crashed":
                yield Offer(name, Suspect(asked), "", owed=True)


def asks(local: Node) -> set[str]:
    """The nodes that a node sends to in each of its periods: the active ones, the asked one, the contact."""
    seeks = local.status == "outside" or not (local.active or local.passive)
    return {name for name in (*local.active, local.asked, local.contact if seeks else None) if name is not None}
