"""Claim that a right ring stays right, under Algorithms 1 and 2 as printed (Theorem 13)."""

from gomboc.checker.errata.claim import Claim as Said
from gomboc.checker.errata.claim import Evidence, Result, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.errata.scene import Scene, Script, Stage, delivery, timeout
from gomboc.checker.evidence.skip_ring.experiments.printed_ring import (
    OLD_RING,
    REPAIRED,
    SIZES,
    WHOLLY,
    after_timeouts,
    right,
    wrong_in,
)
from gomboc.checker.evidence.skip_ring.experiments.ring import right_states
from gomboc.spec.protocol import Protocol, Start
from gomboc.spec.skip_ring.space import roles
from gomboc.spec.skip_ring.state import CYCLE, LIST, Check, Claim, Introduce

VARIANT = "printed_build_ring"
FURTHER = 12
"""The rounds that are watched where nothing breaks."""


def smallest() -> Script:
    """SR(2): v1 times out, its Check reaches v2, and the answer reaches v1."""
    start = Start(roles(2), tuple(sorted(right_states(2).items())))
    myself = Claim("0", "v1")
    checked, introduction = Check(myself, "1", CYCLE), Introduce(myself, LIST)
    return Script(start, (timeout("v1"), delivery("v2", checked), delivery("v1", introduction)))


def _rounds(protocol: Protocol, nodes: int) -> list[Stage]:
    stage, stages = right(nodes), list[Stage]()
    for _ in range(FURTHER):
        stage = after_timeouts(protocol, stage, 2)
        stages.append(stage)
    return stages


def right_ring_stays_right() -> Evidence:
    """SR(n) with nothing in flight, as printed and with one thing repaired: the wrong nodes after each round."""
    first = {nodes: after_timeouts(WHOLLY, right(nodes), 2) for nodes in SIZES}
    broken = [nodes for nodes, stage in first.items() if wrong_in(stage)]
    ends = {nodes: {node for node, u in right_states(nodes).items() if getattr(u, "ring", None)} for nodes in SIZES}
    repaired = [
        (what, nodes)
        for what, protocol in REPAIRED.items()
        for nodes in SIZES
        if any(map(wrong_in, _rounds(protocol, nodes)))
    ]
    return Evidence(
        settled(not broken),
        {
            "broken": broken,
            "further": FURTHER,
            "in_flight": [len(stage.in_flight) for stage in _rounds(WHOLLY, 2)][:6],
            "repairs": list(REPAIRED),
        },
        {
            "wrong are the two ends of the ring, and no others": all(
                set(wrong_in(first[nodes])) == ends[nodes] for nodes in broken
            ),
            "each of them is its own left neighbour, or its own right one": all(
                any(slot and slot.node == node for slot in (u.left, u.right))
                for nodes in broken
                for node in ends[nodes]
                for u in (first[nodes].states[node],)
            ),
            "a ring of one stays right": 1 not in broken,
            "the same rings break if lines 32 and 34 read the old u.ring": broken
            == [nodes for nodes in SIZES if wrong_in(after_timeouts(OLD_RING, right(nodes), 2))],
            "with any one of the repairs no ring changes": not repaired,
        },
    )


ALONE = Scene(
    "right_ring_stores_itself",
    "SR(2) with nothing in flight: three steps of Algorithms 1 and 2 as printed, after which v1 is its own neighbour",
    smallest,
    VARIANT,
    1,
)

CLAIMS = (
    Said(
        name="theorem_13_as_printed",
        title="a right ring stays right under the pseudocode as printed",
        source="Theorem 13, Lemma 15; Algorithm 1, lines 24-28; Algorithm 2, lines 30-34",
        says='"If the explicit edges in G [...] already form a supervised skip ring SR(n), then they are preserved at '
        'any point in time if no subscribers join or leave the system."',
        ran="Algorithms 1 and 2 as printed (variant printed_build_ring), without any guard that is not printed. "
        "Algorithms 3 and 4 are ours, but take no part in the three steps of the counterexample. They were read twice, "
        "for the specification and for the implementation (skip_ring.printed_build_ring), which recorded the trace; a "
        "test holds both readings to the same steps.",
        result=Result.REFUTED,
        why="In every timeout, an end of the ring checks the other end over u.ring (Algorithm 2, line 13). The label "
        "is right, so that the other end introduces the sender to itself (Algorithm 1, line 12). The candidate is the "
        "u.ring that it has already: line 30 holds, w' of line 32 is empty, and line 34 sends w the claim u.ring, "
        "which is w itself. There, Linearize has no guard against oneself, and u.left < label_v <= u.label (line 26) "
        "holds of one's own label, since the left slot is empty: the node stores itself, and on the right side it "
        "does so in the place of its neighbour. Started with right edges and empty channels, SR(n) is wrong for n = "
        "{broken} once every node has timed out and all that follows was delivered, twice over. No message is "
        "corrupted. The messages bounce on: in SR(2) there are {in_flight} in flight after 1 to 6 such rounds.",
        evidence=right_ring_stays_right,
        counterexample="n = 2, all edges right, nothing in flight. v1 (label 0) times out: Check((0, v1), 1, CYC) to "
        "v2. v2: Introduce((0, v1), LIN) to v1. v1: left = right = (0, v1).",
        instead="All three: claims about oneself are ignored, w' is introduced to w, and a claim with one's own label "
        "goes to neither side.",
        effect="Each of these repairs alone keeps every one of these rings right for {further} rounds: {repairs}.",
        reading="The result stands whether lines 32 and 34 read u.ring before or after line 31 has assigned it. It "
        "takes the print at its word in two places: no guard against oneself, and <= in line 26. An empty slot counts "
        "as farther than any label, and lines 24 and 39 of Algorithm 2 stand beside line 18. We take line 34 for a "
        "slip of the pen, for w'.",
        scenes=(ALONE,),
        quotes=(
            Quotation(
                "Theorem 13",
                "If the explicit edges in G = (V, E_R + E_S) already form a supervised skip ring SR(n), then "
                "they are preserved at any point in time if no subscribers join or leave the system.",
            ),
            Quotation("Algorithm 1, line 26", "if u.left < label_v <= u.label then"),
            Quotation("Algorithm 2, lines 30 to 34", "w <- INTRODUCE(u.ring, LIN)"),
        ),
    ),
)
