"""Routing and broadcasting among nodes whose names are ordered, when each knows some others, and the next ones surely.

A key is text as a name is. A place is a key or a name.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple


class Part(NamedTuple):
    """An open interval of places that a node looks after, beyond its own; None where it is unbounded."""

    node: str
    low: str | None
    high: str | None


def responsible(names: Iterable[str], key: str) -> str:
    """Whose the key is: the greatest name up to it, or the least of all. ValueError if there is no name."""
    candidates = list(names)
    return max([name for name in candidates if name <= key], default="") or min(candidates)


def route(me: str, neighbours: Sequence[str], key: str) -> str | None:
    """The neighbour to go on to with this key; None if it is this node's own, as far as it can see.

    That is the one nearest to the key that does not overstep it. A way that comes from above ends with one step below.
    Whatever the neighbours are, every way ends: above the key it goes down, and below it up to it.
    """
    if me <= key:
        return max([neighbour for neighbour in neighbours if me < neighbour <= key], default=None)
    smaller = [neighbour for neighbour in neighbours if neighbour < me]
    return min([neighbour for neighbour in smaller if neighbour >= key], default=max(smaller, default=None))


def parts(me: str, neighbours: Iterable[str], low: str | None, high: str | None) -> Iterator[Part]:
    """How a node that looks after an interval divides it: each neighbour in it has what is up to the next one.

    If it has the next ones for neighbours, nothing is left out; in any case, no two parts have a place in common.
    """
    within = sorted(
        neighbour for neighbour in neighbours if (low is None or low < neighbour) and (high is None or neighbour < high)
    )
    after = [neighbour for neighbour in within if neighbour > me]
    before = [neighbour for neighbour in within if neighbour < me]
    yield from (Part(node, node, end) for node, end in zip(after, (*after[1:], high), strict=False))
    yield from (Part(node, end, node) for node, end in zip(before, (low, *before), strict=False))
