"""The graph of node references in local states and messages in flight, and whether it is weakly connected."""

from collections.abc import Iterable
from typing import Any

Edge = tuple[str, str]
"""A reference: from a node to another one that its state, or a message in flight to it, names."""


def no_edges(node: str, value: Any) -> tuple[Edge, ...]:
    """No references: for a protocol that states no graph."""
    del node, value
    return ()


def unreached(nodes: tuple[str, ...], edges: Iterable[Edge]) -> tuple[str, ...]:
    """The nodes that cannot be reached from the first one over undirected edges, in their order.

    Edges with an end outside `nodes` are ignored.
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
    """Whether a graph is weakly connected: every node can be reached from the first over undirected edges."""
    return not unreached(nodes, edges)
