"""Claims of Corollary 18 and Lemma 19, settled on a model of a ring with one publication."""

from gomboc.checker.errata.claim import Claim, Evidence, Reading, Result, by_readings, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.evidence.skip_ring.experiments import flow

RINGS = range(2, 10)

RING = (
    "a model of its own: one publication and every set of holders, on rings of 2 to 9 nodes (the potential is a "
    "sum over publications)"
)


def potential_is_zero_at_the_end() -> Evidence:
    """Phi on every ring and every set of holders."""
    wrong = [
        (nodes, holders)
        for nodes in RINGS
        for holders in range(1, 2**nodes)
        if (flow.potential(holders, flow.ring_edges(nodes)) == 0) != (flow.missing(holders, nodes) == 0)
    ]
    return Evidence(settled(not wrong), {"first": RINGS[0], "last": RINGS[-1]})


def potential_never_increases() -> Evidence:
    """Phi before and after every delivery between ring neighbours."""
    steps = {nodes: list(flow.deliveries(nodes, flow.ring_edges(nodes))) for nodes in RINGS}
    change = {nodes: [_change(nodes, *step[:2]) for step in deliveries] for nodes, deliveries in steps.items()}
    every = [difference for deliveries in change.values() for difference in deliveries]
    ours = [
        flow.missing(after, n) - flow.missing(before, n)
        for n, deliveries in steps.items()
        for before, after, _ in deliveries
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
    edges = flow.ring_edges(nodes)
    return flow.potential(after, edges) - flow.potential(before, edges)


def _is_news_there(nodes: int, before: int, after: int, edge: flow.Edge) -> bool:
    """Whether no ring neighbour of the receiver has the publication."""
    del after
    return not any(before >> near & 1 for near, at in flow.ring_edges(nodes) if at == edge[1])


def potential_under_flooding() -> Evidence:
    """Phi before and after every delivery over a shortcut."""
    steps = {nodes: list(flow.deliveries(nodes, flow.shortcut_edges(nodes))) for nodes in RINGS}
    rising = {
        nodes: [step for step in deliveries if _change(nodes, *step[:2]) > 0] for nodes, deliveries in steps.items()
    }
    first = min(nodes for nodes, deliveries in rising.items() if deliveries)
    before, after, edge = min(rising[first])
    edges = flow.ring_edges(first)
    ours = [flow.missing(b, n) - flow.missing(a, n) for n, deliveries in steps.items() for a, b, _ in deliveries]
    return by_readings(
        (potential_never_increases().result, settled(not any(rising.values()))),
        {
            "steps": sum(map(len, steps.values())),
            "rising": sum(map(len, rising.values())),
            "first": first,
            "before": flow.potential(before, edges),
            "after": flow.potential(after, edges),
            "edge": f"place {edge[0]} to place {edge[1]}",
        },
        {
            "it increases where no ring neighbour of the receiver has the publication, and only there": all(
                (step in rising[n]) == _is_news_there(n, *step)
                for n, deliveries in steps.items()
                for step in deliveries
            ),
            "the number of missing publications goes down with every delivery": max(ours) < 0,
        },
    )


CLAIMS = (
    Claim(
        name="corollary_18",
        title="the potential is 0 if and only if every node has every publication",
        source="Corollary 18",
        says="Phi is never negative, and it is 0 if and only if every subscriber has all publications.",
        ran="None: the definition of Phi.",
        result=Result.REPRODUCED,
        why="On rings of {first} to {last} nodes, for every set of holders that is not empty. It is a sum of sizes; "
        "and if it is 0, then along the ring every node has all that its neighbour has. It takes a publication that "
        "some node has: one that is only in flight does not count in Phi.",
        evidence=potential_is_zero_at_the_end,
        about=RING,
        quotes=(
            Quotation(
                "Corollary 18", "Phi >= 0 at any point in time and Phi = 0 <=> P_u = P for all subscribers u in V."
            ),
        ),
    ),
    Claim(
        name="lemma_19_on_the_ring",
        title="the potential never increases, for deliveries between ring neighbours",
        source="Lemma 19",
        says='"Phi never increases."',
        ran="None: the definition of Phi, and that a delivery adds a publication at one end of an edge.",
        result=Result.REPRODUCED,
        why="For each of {steps} deliveries between ring neighbours (rings of {first} to {last} nodes) it does not. "
        "In {same} of them it stays the same: the decrease at one edge is the increase at the next, as the proof says. "
        "So Lemmas 19 and 20 do not yet give that Phi reaches 0: at every edge it may go down while the sum stays. "
        "The proof also has w be any node that sends to u; the sum is preserved only if (w, u) is a ring edge.",
        evidence=potential_never_increases,
        instead="The number of missing publications, summed over all subscribers. It goes down with every delivery "
        "that brings something new.",
        reading="Deliveries are those of Algorithm 5 between ring neighbours, without flooding, with E_R already the "
        "ring.",
        about=RING,
        quotes=(Quotation("Lemma 19", "Phi never increases."),),
    ),
    Claim(
        name="lemma_19_with_flooding",
        title="the potential never increases, with flooding",
        source="Lemma 19; Section 4.3",
        says='"Phi never increases", while PublishNew floods a publication over all edges, shortcuts among them.',
        ran="None: the definition of Phi, and that a delivery adds a publication at one end of an edge.",
        result=Result.DEPENDS,
        why="A delivery over a shortcut opens two ring edges and closes none, if the receiver's neighbours do not "
        "have the publication: Phi increases in {rising} of {steps} deliveries over shortcuts. Section 4.3 says that "
        "convergence does not rely on flooding; the lemma then needs that no PublishNew is in flight, as there may "
        "be in an initial state.",
        evidence=potential_under_flooding,
        counterexample="SR({first}), one publication: a delivery from {edge} of the ring takes Phi from {before} to "
        "{after}.",
        instead="The number of missing publications, which flooding decreases too.",
        readings=(
            Reading("Without flooding, on which the text does not rely (lemma_19_on_the_ring).", Result.REPRODUCED),
            Reading("With it, or with a PublishNew in flight at first.", Result.REFUTED),
        ),
        reading="Section 4.3 makes the first reading the nearer one.",
        about=RING,
        quotes=(
            Quotation("Lemma 19", "Phi never increases."),
            Quotation(
                "Section 4.3", "Furthermore, note that we do not rely on flooding to show convergence of publications."
            ),
        ),
    ),
)
