"""Who knows whom: the graph that local states and messages in flight make, and whether it hangs together."""

from collections.abc import Iterable
from typing import Any

Edge = tuple[str, str]
"""From one node to another that it knows, or is about to hear of."""


def no_edges(node: str, value: Any) -> tuple[Edge, ...]:
    """Nothing is said of who knows whom."""
    del node, value
    return ()


def unreached(nodes: tuple[str, ...], edges: Iterable[Edge]) -> tuple[str, ...]:
    """The nodes that cannot be reached from the first one, whichever way the edges point, in their order.

    Edges that do not lie between two of `nodes` lead nowhere.
    """
    beside: dict[str, set[str]] = {node: set() for node in nodes}
    for one, other in edges:
        if one in beside and other in beside:
            beside[one].add(other)
            beside[other].add(one)
    reached, fresh = set(nodes[:1]), list(nodes[:1])
    while fresh:
        later = beside[fresh.pop()] - reached
        reached |= later
        fresh += later
    return tuple(node for node in nodes if node not in reached)


def is_connected(nodes: tuple[str, ...], edges: Iterable[Edge]) -> bool:
    """Whether a graph is weakly connected: every node can be reached from the first, whichever way the edges point."""
    return not unreached(nodes, edges)
