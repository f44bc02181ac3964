"""Publications on a ring: a set of holders for each publication, and the potentials of Section 5.

Both potentials are sums over publications, so that one publication at a time settles all. Holders are a number, in
which bit k stands for the node at place k of the ring.
"""

from collections.abc import Iterator

from gomboc.checker.errata.claim import Evidence, by_readings, settled
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
    """Phi, for one publication. Source: Theorem 17, proof."""
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


RINGS = range(2, 10)


def potential_is_zero_at_the_end() -> Evidence:
    """Phi on every ring and every set of holders."""
    wrong = [
        (nodes, holders)
        for nodes in RINGS
        for holders in range(1, 2**nodes)
        if (potential(holders, ring_edges(nodes)) == 0) != (missing(holders, nodes) == 0)
    ]
    return Evidence(settled(not wrong), {"first": RINGS[0], "last": RINGS[-1]})


def potential_never_increases() -> Evidence:
    """Phi before and after every delivery between ring neighbours."""
    steps = {nodes: list(deliveries(nodes, ring_edges(nodes))) for nodes in RINGS}
    change = {nodes: [_change(nodes, *step[:2]) for step in deliveries] for nodes, deliveries in steps.items()}
    every = [difference for deliveries in change.values() for difference in deliveries]
    ours = [
        missing(after, n) - missing(before, n) for n, deliveries in steps.items() for before, after, _ in deliveries
    ]
    return Evidence(
        settled(max(every) <= 0),
        {
            "steps": len(every),
            "same": sum(difference == 0 for difference in every),
            "first": RINGS[0],
            "last": RINGS[-1],
        },
        {"the number of missing publications goes down with every delivery": max(ours) < 0},
    )


def _change(nodes: int, before: int, after: int) -> int:
    edges = ring_edges(nodes)
    return potential(after, edges) - potential(before, edges)


def potential_under_flooding() -> Evidence:
    """Phi before and after every delivery over a shortcut."""
    steps = {nodes: list(deliveries(nodes, shortcut_edges(nodes))) for nodes in RINGS}
    rising = {
        nodes: [step for step in deliveries if _change(nodes, *step[:2]) > 0] for nodes, deliveries in steps.items()
    }
    first = min(nodes for nodes, deliveries in rising.items() if deliveries)
    before, after, edge = min(rising[first])
    edges = ring_edges(first)
    ours = [missing(b, n) - missing(a, n) for n, deliveries in steps.items() for a, b, _ in deliveries]
    return by_readings(
        (potential_never_increases().result, settled(not any(rising.values()))),
        {
            "steps": sum(map(len, steps.values())),
            "rising": sum(map(len, rising.values())),
            "first": first,
            "before": potential(before, edges),
            "after": potential(after, edges),
            "edge": f"place {edge[0]} to place {edge[1]}",
        },
        {
            "it increases where no ring neighbour of the receiver has the publication, and only there": all(
                ((before, after, edge) in rising[n])
                != any(before >> near & 1 for near, at in ring_edges(n) if at == edge[1])
                for n, deliveries in steps.items()
                for before, after, edge in deliveries
            ),
            "the number of missing publications goes down with every delivery": max(ours) < 0,
        },
    )
