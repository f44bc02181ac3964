"""Publications on a ring: a set of holders for each publication, and the potentials of Section 5.

Both potentials are sums over publications, so that one publication at a time settles all. Holders are a number, in
which bit k stands for the node at place k of the ring.
"""

from collections.abc import Iterator

from gomboc.checker.evidence.skip_ring.experiments.ring import directed_edges, members
from gomboc.spec.protocols.skip_ring.labels import label_of

Edge = tuple[int, int]


def ring_edges(nodes: int) -> frozenset[Edge]:
    """E_R, in both directions, between the places 0 to nodes - 1."""
    return frozenset((index, (index + by) % nodes) for index in range(nodes) for by in (1, -1)) - {(0, 0)}


def shortcut_edges(nodes: int) -> frozenset[Edge]:
    """The other edges of SR(nodes), between places."""
    order = sorted(label_of(index) for index in range(len(members(nodes))))
    places = {label: position for position, label in enumerate(order)}
    return frozenset((places[one], places[other]) for one, other in directed_edges(nodes)) - ring_edges(nodes)


def lacks(holders: int, edge: Edge) -> bool:
    """Whether the first of an edge holds the publication and the second does not: 1 in phi(u, v)."""
    return bool(holders >> edge[0] & 1 and not holders >> edge[1] & 1)


def potential(holders: int, edges: frozenset[Edge]) -> int:
    """Phi, for one publication.

    Source: Theorem 17, proof
    """
    return sum(lacks(holders, edge) for edge in edges)


def missing(holders: int, nodes: int) -> int:
    """How many do not hold the publication."""
    return nodes - holders.bit_count()


def deliveries(nodes: int, over: frozenset[Edge]) -> Iterator[tuple[int, int, Edge]]:
    """Every state with a holder, and the state after a delivery over one of those edges, with that edge."""
    for holders in range(1, 2**nodes):
        for edge in over:
            if lacks(holders, edge):
                yield holders, holders | 1 << edge[1], edge
