"""What an overlay tells the layer above it: who a node's neighbours are; and when they form a list of everybody.

Names are ordered as texts.
"""

from collections.abc import Collection, Iterable
from itertools import pairwise

import msgspec

from gomboc.spec.model import Fault


class Told(msgspec.Struct, frozen=True, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """What both have in common: `neighbours` are all that the node has now, ascending."""

    neighbours: tuple[str, ...]


class Moved(Told, frozen=True):
    """These are the neighbours now, and it was others before."""


class Stayed(Told, frozen=True):
    """These are still the neighbours: said again and again, so that nobody remembers others for ever."""


def beside(me: str, neighbours: Iterable[str]) -> tuple[str, ...]:
    """The nearest neighbour on either side: the greatest smaller one, then the smallest greater one."""
    others = tuple(neighbours)
    smaller = max((node for node in others if node < me), default=None)
    greater = min((node for node in others if node > me), default=None)
    return tuple(node for node in (smaller, greater) if node is not None)


def list_faults(live: Collection[str], known: Iterable[tuple[str, tuple[str, ...]]]) -> tuple[Fault, ...]:
    """For whom of those who take part the nearest neighbours are not the adjacent ones of them.

    `known` are the neighbours of each of them.
    """
    return tuple(
        Fault("list_stands", me, expected, found, "the promise of the layer below")
        for me, neighbours in known
        if (expected := beside(me, live)) != (found := beside(me, neighbours))
    )


def adjacent(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """For each of those names the ones before and after it."""
    ordered = sorted(names)
    found: dict[str, tuple[str, ...]] = dict.fromkeys(ordered, ())
    for one, other in pairwise(ordered):
        found[one] += (other,)
        found[other] = (one, *found[other])
    return found
