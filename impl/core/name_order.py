"""Routing and broadcasting among nodes with ordered names that know the next nodes and some others.

A key is text as a name is. A place is a key or a name.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple


class Part(NamedTuple):
    """An open interval of places for which a node is responsible, beyond its own; None where it is unbounded."""

    node: str
    low: str | None
    high: str | None


def responsible(names: Iterable[str], key: str) -> str:
    """The owner of the key: the greatest name up to it, or the least of all. ValueError if there is no name."""
    candidates = list(names)
    return max([name for name in candidates if name <= key], default="") or min(candidates)


def route(me: str, neighbours: Sequence[str], key: str) -> str | None:
    """The next hop of this key among the neighbours; None if it is this node's own, as far as it can see.

    That is the neighbour nearest to the key that does not overstep it. A route from above ends with one step below.
    With any neighbours, every route ends: above the key it goes down, and below it up to it.
    """
    if me <= key:
        return max([neighbour for neighbour in neighbours if me < neighbour <= key], default=None)
    smaller = [neighbour for neighbour in neighbours if neighbour < me]
    return min([neighbour for neighbour in smaller if neighbour >= key], default=max(smaller, default=None))


def parts(me: str, neighbours: Iterable[str], low: str | None, high: str | None) -> Iterator[Part]:
    """Divide an interval among the neighbours in it: each is responsible up to the next one.

    If the next nodes are neighbours, the parts cover the interval; in any case, no two parts have a place in common.
    """
    within = sorted(
        neighbour for neighbour in neighbours if (low is None or low < neighbour) and (high is None or neighbour < high)
    )
    after = [neighbour for neighbour in within if neighbour > me]
    before = [neighbour for neighbour in within if neighbour < me]
    yield from (Part(node, node, end) for node, end in zip(after, (*after[1:], high), strict=False))
    yield from (Part(node, end, node) for node, end in zip(before, (low, *before), strict=False))
