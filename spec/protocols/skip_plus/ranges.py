"""Extended predecessors and successors, ranges, and the neighbours in Skip+ that they imply."""

from functools import lru_cache
from typing import Annotated

import msgspec

from gomboc.spec.protocols.skip_plus.names import Name, prefix_length, string_of

Range = tuple[Name | None, Name | None]
"""From the first node to the second, both included; None on an unbounded side."""

Ranges = Annotated[tuple[Range, ...], msgspec.Meta(extra_json_schema={"minItems": 1})]
"""One range for each level, from level 0 on."""

UNBOUNDED: Range = (None, None)


def contains(bounds: Range, node: str) -> bool:
    """Whether a node lies in a range. Source: Slide 15, range*."""
    low, high = bounds
    return (low is None or low <= node) and (high is None or node <= high)


@lru_cache(maxsize=1 << 12)
def with_next_bit(me: str, nodes: tuple[str, ...], level: int, bit: str) -> tuple[str, ...]:
    """The nodes that share the first `level` bits of `me` and have `bit` next.

    Source: Slide 15, {w | pre_{i+1}(w) = pre_i(v) x}
    """
    wanted = string_of(me)[:level] + bit
    return tuple([node for node in nodes if node != me and string_of(node).startswith(wanted)])


def predecessor(me: str, nodes: tuple[str, ...], level: int, bit: str) -> str | None:
    """pred*_i(v, x): the nearest smaller node with that next bit, if there is one. Source: Slide 15."""
    return max((node for node in with_next_bit(me, nodes, level, bit) if node < me), default=None)


def successor(me: str, nodes: tuple[str, ...], level: int, bit: str) -> str | None:
    """succ*_i(v, x): the nearest larger node with that next bit, if there is one. Source: Slide 15."""
    return min((node for node in with_next_bit(me, nodes, level, bit) if node > me), default=None)


def range_at(me: str, nodes: tuple[str, ...], level: int) -> Range:
    """range*_i(v): from the farther predecessor to the farther successor. If one is missing, that side is unbounded.

    Source: Slide 15
    """
    before = [predecessor(me, nodes, level, bit) for bit in "01"]
    after = [successor(me, nodes, level, bit) for bit in "01"]
    low = None if None in before else min(node for node in before if node is not None)
    high = None if None in after else max(node for node in after if node is not None)
    return low, high


@lru_cache(maxsize=1 << 16)
def ranges(me: str, nodes: tuple[str, ...]) -> Ranges:
    """The range of a node at each level, among those nodes.

    Source: Slide 15; Slide 20, "For every i determine pred_i(u, 0), pred_i(u, 1), succ_i(u, 0) and succ_i(u, 1)"
    """
    return tuple(range_at(me, nodes, level) for level in range(len(string_of(me))))


@lru_cache(maxsize=1 << 16)
def meets(me: str, bounds: Ranges, node: str) -> bool:
    """Whether a node lies in one of the ranges of `me` at a level that they have in common.

    Source: Slide 15; Slide 21, "pre_i(v) = pre_i(w) and w.id in v.range[i]", which alone asks for the first bits
    """
    return any(contains(span, node) for span in bounds[: prefix_length(me, node) + 1])


@lru_cache(maxsize=1 << 16)
def neighbours(me: str, nodes: tuple[str, ...]) -> tuple[str, ...]:
    """N*(v): the neighbours of `me` in Skip+ among those nodes, ascending.

    Source: Slide 15, "All nodes in between will be in the range and will be the neighbors"
    """
    bounds = ranges(me, nodes)
    return tuple(sorted(node for node in set(nodes) - {me} if meets(me, bounds, node)))
