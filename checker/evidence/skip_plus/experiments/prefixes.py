"""The graph of the nodes that share a prefix: its connected parts, its links, its finished levels."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from gomboc.checker.evidence.skip_plus.experiments.rounds import System
from gomboc.spec.core.connection import unreached
from gomboc.spec.protocols.skip_plus.names import prefix_length, string_of
from gomboc.spec.protocols.skip_plus.ranges import contains, neighbours, ranges
from gomboc.spec.protocols.skip_plus.space import Names

Linked = tuple[str, str, str]
"""A prefix, and two nodes that share it."""

Parts = dict[str, dict[str, str]]
"""For each prefix, the connected part in which each of its nodes is, named by its first node."""


@lru_cache(maxsize=1 << 10)
def prefixes(names: Names) -> tuple[str, ...]:
    """Every prefix of the strings of those nodes, the shortest first."""
    known = {string_of(name)[:length] for name in names for length in range(len(string_of(name)) + 1)}
    return tuple(sorted(known, key=lambda prefix: (len(prefix), prefix)))


def parts(now: System) -> Parts:
    """The connected parts of the graphs of all prefixes; nodes that a message is about to introduce count as known."""
    live = now.live()
    edges = [(name, other) for name in live for other in now.known(name)]
    by_prefix: Parts = {}
    for prefix in prefixes(live):
        rest = tuple(name for name in live if string_of(name).startswith(prefix))
        there = by_prefix.setdefault(prefix, {})
        while rest:
            later = unreached(rest, edges)
            there |= dict.fromkeys(set(rest) - set(later), rest[0])
            rest = later
    return by_prefix


def v_linked(now: System) -> Iterator[Linked]:
    """Nodes that share a prefix, and are both known to one that differs from them in its last bit. Source: Slide 26."""
    for middle in now.live():
        known = sorted(now.known(middle))
        for one, other in combinations(known, 2):
            shared = prefix_length(one, other)
            differs = prefix_length(one, middle)
            if prefix_length(other, middle) == differs < shared:
                yield string_of(one)[: differs + 1], one, other


def bridged(now: System) -> Iterator[Linked]:
    """Nodes that share a prefix, and each of which has a stable neighbour that differs from it in its last bit only.

    The two stable neighbours are one node, or one of them knows the other.

    Source: Slides 27 and 28, "either directly, via a V-Link or via a bridge"; here the bridges
    """
    live = now.live()
    for one, other in combinations(live, 2):
        for level in range(prefix_length(one, other)):
            firsts, seconds = _buddies(now, one, level), _buddies(now, other, level)
            if any(c == d or d in now.known(c) or c in now.known(d) for c in firsts for d in seconds):
                yield string_of(one)[: level + 1], one, other


def _buddies(now: System, me: str, level: int) -> list[str]:
    return [name for name in now.states[me].stable if prefix_length(me, name) == level]


def levels(now: System) -> int:
    """Number of levels, which is that of the bits of each string."""
    return len(string_of(now.live()[0]))


def finished(now: System) -> int:
    """The least level i such that each node has all stable edges that it is to have at i and all above.

    It is one more than there are levels if that is so for none.

    Source: Slide 31
    """
    live = now.live()
    for level in reversed(range(levels(now))):
        if not all(set(due(name, live, level)) <= set(now.states[name].stable) for name in live):
            return level + 1
    return 0


@lru_cache(maxsize=1 << 16)
def due(me: str, names: Names, level: int) -> Names:
    """The neighbours of a node in Skip+ at one level. Source: Slide 15."""
    bounds = ranges(me, names)[level]
    return tuple(name for name in neighbours(me, names) if prefix_length(me, name) >= level and contains(bounds, name))
