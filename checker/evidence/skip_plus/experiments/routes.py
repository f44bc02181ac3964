"""Routes over right Skip+ graphs, from neighbour to neighbour."""

from functools import cache

from gomboc.spec.protocols.skip_plus.ranges import neighbours
from gomboc.spec.protocols.skip_plus.space import assignments

Graph = dict[str, tuple[str, ...]]


@cache
def graph(nodes: int, assignment: int = 0) -> Graph:
    """The neighbours of each node in the right Skip+ of that many nodes with random strings.

    Source: Slide 15
    """
    names = assignments(nodes)[assignment]
    return {name: neighbours(name, names) for name in names}


def hops(known: Graph, source: str, target: str) -> int:
    """Number of edges of a route on which each hop is the neighbour nearest to the target.

    It never oversteps the target. Source: Slide 10, "Hypercubic-style Routing"
    """
    at, taken = source, 0
    while at != target:
        upwards = at < target
        ahead = [name for name in known[at] if (at < name <= target if upwards else target <= name < at)]
        at, taken = (max if upwards else min)(ahead), taken + 1
    return taken
