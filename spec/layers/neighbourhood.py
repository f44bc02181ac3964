"""Messages from an overlay to the layer above it: a node's neighbours, and when they form a list of all nodes.

Names are ordered as texts.
"""

from collections.abc import Collection, Iterable
from itertools import pairwise
from typing import Annotated

from gomboc.spec.core.model import Fault
from gomboc.spec.types.fields import Ascending, NodeName
from gomboc.spec.types.kinds import Kind


class NeighbourhoodChange(Kind, frozen=True):
    """Base of both notifications: `neighbours` are all current neighbours of the node."""

    neighbours: Annotated[tuple[NodeName, ...], Ascending(source="the layer below")]


class Moved(NeighbourhoodChange, frozen=True):
    """The neighbours have changed to these."""


class Stayed(NeighbourhoodChange, frozen=True):
    """The neighbours are still these; repeated periodically, so that no layer keeps outdated neighbours for ever."""


def beside(me: str, neighbours: Iterable[str]) -> tuple[str, ...]:
    """The nearest neighbour on either side: the greatest smaller one, then the smallest greater one."""
    others = tuple(neighbours)
    smaller = max((node for node in others if node < me), default=None)
    greater = min((node for node in others if node > me), default=None)
    return tuple(node for node in (smaller, greater) if node is not None)


def list_faults(live: Collection[str], known: Iterable[tuple[str, tuple[str, ...]]]) -> tuple[Fault, ...]:
    """A fault for each live node with nearest neighbours other than the adjacent live nodes.

    `known` has the neighbours of each live node.
    """
    return tuple(
        Fault("list_stands", me, expected, actual, "the promise of the layer below")
        for me, neighbours in known
        if (expected := beside(me, live)) != (actual := beside(me, neighbours))
    )


def adjacent(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """For each name the names before and after it in sorted order."""
    ordered = sorted(names)
    neighbours: dict[str, tuple[str, ...]] = dict.fromkeys(ordered, ())
    for one, other in pairwise(ordered):
        neighbours[one] += (other,)
        neighbours[other] = (one, *neighbours[other])
    return neighbours
