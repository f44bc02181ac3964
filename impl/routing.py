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
    everybody = list(names)
    return max([each for each in everybody if each <= key], default="") or min(everybody)


def route(me: str, neighbours: Sequence[str], key: str) -> str | None:
    """The neighbour to go on to with this key; None if it is this node's own, as far as it can see.

    That is the one nearest to the key that does not overstep it. A way that comes from above ends with one step below.
    Whatever the neighbours are, every way ends: above the key it goes down, and below it up to it.
    """
    if me <= key:
        return max([each for each in neighbours if me < each <= key], default=None)
    smaller = [each for each in neighbours if each < me]
    return min([each for each in smaller if each >= key], default=max(smaller, default=None))


def parts(me: str, neighbours: Iterable[str], low: str | None, high: str | None) -> Iterator[Part]:
    """How a node that looks after an interval divides it: each neighbour in it has what is up to the next one.

    If it has the next ones for neighbours, nothing is left out; in any case, no two parts have a place in common.
    """
    within = sorted(each for each in neighbours if (low is None or low < each) and (high is None or each < high))
    after = [each for each in within if each > me]
    before = [each for each in within if each < me]
    yield from (Part(node, node, end) for node, end in zip(after, (*after[1:], high), strict=False))
    yield from (Part(node, end, node) for node, end in zip(before, (low, *before), strict=False))
