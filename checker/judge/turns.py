"""Turns of nodes: what a node does in all layers from one input on, until it takes the next input from outside.

Times are those that steps say (`at`), on one clock for all layers of a stack.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping

import msgspec


class Turns(msgspec.Struct, frozen=True):
    """The sorted times at which each node takes an input that is not handed over; the greatest is `last`."""

    begins: Mapping[str, list[float]]
    last: float

    def number(self, node: str, at: float) -> int:
        """The number of the node's turn at that time."""
        return bisect_right(self.begins.get(node, []), at)

    def is_last(self, node: str, at: float) -> bool:
        """Whether it is the last turn of the whole recording, which may have ended in its midst."""
        begins = self.begins.get(node, [])
        return bool(begins) and begins[-1] >= self.last and self.number(node, at) == len(begins)


def turns(inputs: Iterable[tuple[str, float]]) -> Turns:
    """The turns that begin with those inputs from outside, each a node and a time."""
    begins: dict[str, set[float]] = {}
    for node, at in inputs:
        begins.setdefault(node, set()).add(at)
    last = max((max(times) for times in begins.values()), default=0.0)
    return Turns({node: sorted(times) for node, times in begins.items()}, last)
