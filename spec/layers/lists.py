"""Starts and disturbances of a layer over a sorted list: each node inside knows those next to it, in the end."""

from collections.abc import Iterable

from gomboc.spec.core.domain import Domain, Record, Table, optional, several, subset
from gomboc.spec.core.protocol import Disturbance
from gomboc.spec.core.schedules import TIMES, Episode
from gomboc.spec.layers.neighbourhood import Moved, Stayed, adjacent, beside

SETTLED = 42.0
"""The period at which the layer below is right again, after all other disturbances."""

Names = tuple[str, ...]


def inside(every: Names, outside: int) -> Names:
    """The nodes inside at first: all but every second one, and then but the first ones, for as many as are outside."""
    away = (*every[1::2], *every[::2])[:outside]
    return tuple(name for name in every if name not in away)


def also_known(members: Names, me: str) -> Table:
    """Any nodes inside, except those that a node knows anyway."""
    return subset(tuple(name for name in members if name not in (me, *beside(me, members))))


def with_adjacent(members: Names, me: str, others: Names) -> Names:
    """Those nodes and the ones next to a node, ascending."""
    return tuple(sorted((*beside(me, members), *others)))


def misled(every: Names) -> Domain:
    """Each node may be told once that any of the others are its neighbours."""
    return several(*(optional(_is_misled(node, every)) for node in every))


def _is_misled(node: str, every: Names) -> Domain:
    some = subset(tuple(name for name in every if name != node))
    return Record(lambda at, neighbours: Disturbance(at, node, Moved(neighbours)), (TIMES, some))


def put_right(live: Iterable[str]) -> Episode:
    """In the end each live node is told its right neighbours, twice."""
    right = adjacent(live).items()
    moved = tuple(Disturbance(SETTLED, name, Moved(beside)) for name, beside in right)
    return (*moved, *(Disturbance(SETTLED + 2.0, name, Stayed(beside)) for name, beside in right))
