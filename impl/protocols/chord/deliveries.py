"""Deliveries to the layer above; an answer to a lookup is delivered as it came, as `RouteReply`."""

from collections.abc import Iterator

from gomboc.impl.core.automaton import Delivered
from gomboc.impl.core.vocabulary import Delivery
from gomboc.impl.protocols.chord.identity import LocalIdentity
from gomboc.impl.protocols.chord.seeking import next_hop, owns
from gomboc.impl.protocols.chord.states import State


class Neighbours(Delivery, frozen=True):
    """These are one's predecessor and successors from now on."""

    predecessor: str | None
    successors: tuple[str, ...]


class Route(Delivery, frozen=True):
    """The next hop towards this key from now on: oneself at its owner, None if one is not inside."""

    key: str
    next: str | None


def changes(me: LocalIdentity, before: State, after: State) -> Iterator[Delivered]:
    """Deliveries of a step: changes of the neighbours, and of the routes to the keys of the header."""
    if before.predecessor != after.predecessor or before.successors != after.successors:
        yield Delivered(Neighbours(after.predecessor, after.successors))
    if before is after:
        return
    for key in me.parameters.keys:
        hop = route(me, after, int(key, 16))
        if hop != route(me, before, int(key, 16)):
            yield Delivered(Route(key, hop))


def route(me: LocalIdentity, state: State, identifier: int) -> str | None:
    """The next hop towards an identifier: oneself at its owner, None if one is not inside."""
    if state.status != "inside":
        return None
    return me.name if owns(me, state, identifier) else next_hop(me, state, identifier)
