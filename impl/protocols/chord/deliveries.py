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


class StillRoute(Delivery, frozen=True):
    """The next hop towards this key, which is still this one."""

    key: str
    next: str | None


def updates(me: LocalIdentity, before: State, after: State, *, period: bool) -> Iterator[Delivered]:
    """Deliveries of a step: changed neighbours, then the routes to watched keys, in order: all at the end of a period,
    and else those that have changed.

    A key that was not watched before has had no route, and one that is watched no more has none. A crashed node forgets
    what it watched.
    """
    if before.predecessor != after.predecessor or before.successors != after.successors:
        yield Delivered(Neighbours(after.predecessor, after.successors))
    watched = frozenset(after.watched)
    former = watched if before.watched == after.watched else frozenset(before.watched)
    for key in after.watched if former is watched else sorted(watched | former):
        hop = route(me, after, int(key, 16)) if key in watched else None
        if key not in former or hop != route(me, before, int(key, 16)):
            yield Delivered(Route(key, hop))
        elif period and key in watched:
            yield Delivered(StillRoute(key, hop))


def route(me: LocalIdentity, state: State, identifier: int) -> str | None:
    """The next hop towards an identifier: oneself at its owner, None if one is not inside."""
    if state.status != "inside":
        return None
    return me.name if owns(me, state, identifier) else next_hop(me, state, identifier)
