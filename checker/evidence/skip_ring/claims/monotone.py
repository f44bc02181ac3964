"""The steps of the proof of Lemma 4 that speak of one variable: its labels in turn, and the nodes that check them."""

from gomboc.checker.errata.claim import Claim as Said
from gomboc.checker.errata.claim import Evidence, Reading, Result, by_readings, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.evidence.skip_ring.experiments.counting import receipts
from gomboc.checker.evidence.skip_ring.experiments.printed_ring import WHOLLY
from gomboc.checker.evidence.skip_ring.experiments.ring import members
from gomboc.spec.core.model import CERTAIN, Received, Timeout
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.state import Check, Claim, Subscriber

RINGS = range(2, 17)


def right_neighbours() -> list[tuple[Claim, Claim]]:
    """The right neighbour before and after every receipt of BuildRing as printed in SR(3) that leaves one."""
    pairs = (
        (u.right, WHOLLY.actor.react(me, u, Received(message), CERTAIN[0]).local.right) for me, u, message in receipts()
    )
    return [(before, after) for before, after in pairs if before is not None and after is not None]


def trace_is_monotone() -> Evidence:
    """Where the label of u.right is greater after a receipt than before."""
    changes = [(before, after) for before, after in right_neighbours() if before != after]
    grown = [(before, after) for before, after in changes if after.label > before.label]
    inserted = [pair for pair in grown if pair[0].node != pair[1].node]
    return by_readings(
        (settled(not inserted), settled(not grown)),
        {
            "changes": len(changes),
            "grown": len(grown),
            "others": sum(before.node != after.node for before, after in changes),
            "inserted": len(inserted),
        },
    )


def checked(u: Subscriber, me: str) -> set[str]:
    """The nodes to which a timeout sends Check, as printed and by our rules."""
    sends = PROTOCOL.actor.react(me, u, Timeout(), PROTOCOL.actor.choices(me, u, Timeout())[-1]).sends
    return {send.target for send in sends if isinstance(send.message, Check)}


def stored_labels_are_checked() -> Evidence:
    """The nodes that each node of a right ring refers to, and those it sends Check."""
    rings = {nodes: members(nodes) for nodes in RINGS}
    stored = {(nodes, me): _shortcuts(u) for nodes, ring in rings.items() for me, u in ring.items()}
    unchecked = {
        (nodes, me): stored[nodes, me] - checked(u, me) for nodes, ring in rings.items() for me, u in ring.items()
    }
    first = min(nodes for (nodes, _), left in unchecked.items() if left)
    return Evidence(
        settled(not any(unchecked.values())),
        {"first": first, "last": RINGS[-1], "shortcuts": sum(map(len, stored.values()))},
        {"no shortcut is checked": unchecked == stored},
    )


def _shortcuts(u: Subscriber) -> set[str]:
    """The nodes that u refers to over shortcuts only."""
    slots = {claim.node for claim in (u.left, u.right, u.ring) if claim}
    return {entry.node for entry in u.shortcuts if entry.node} - slots


CLAIMS = (
    Said(
        name="lemma_4_trace_is_monotone",
        title="the labels that u.right takes decrease",
        source="Lemma 4, proof",
        says='"By definition of the standard [...] protocol, labels stored in the trace for u.right are '
        'monotonically decreasing."',
        ran="BuildRing as printed (variant printed_build_ring), one receipt at a time.",
        result=Result.DEPENDS,
        why="Another node is stored only if it is closer, so that the label decreases. A claim that gives the stored "
        "node another label replaces its label (Algorithm 1, line 19), whether it is greater or less.",
        counterexample="u has the label 0 and u.right = (01, v), and hears that v has the label 1: u.right = (1, v).",
        evidence=trace_is_monotone,
        readings=(
            Reading(
                "A label that is corrected begins a new trace: where another node is stored, {inserted} of {others} "
                "changes make the label greater.",
                Result.REPRODUCED,
            ),
            Reading(
                "Of all values that u.right takes: {grown} of {changes} changes make the label greater.", Result.REFUTED
            ),
        ),
        domain="A node of SR(3) with any neighbours of its labels, and any Introduce or Linearize about another node, "
        "where u.right is set before and after.",
        reading='The proof says itself, of a corrected label, that "there may be a new trace".',
        instead="Claims by third parties are verified before they replace a label (see theorem_8_linearize).",
        quotes=(
            Quotation("Lemma 4, proof", "labels stored in the trace for u.right are monotonically decreasing"),
            Quotation("Lemma 4, proof", "but there may be a new trace generated for u.right"),
        ),
    ),
    Said(
        name="labels_of_shortcuts",
        title="how a false label of a shortcut is noticed",
        source="Lemma 4, proof; Algorithm 4, line 3",
        says="The proof speaks of u.right, u.left and their like, which Check asks about; of v.shortcuts, Algorithm 4 "
        "checks that the labels are those that v should have shortcuts to. That the nodes have these labels is not "
        "said to be asked.",
        ran="Ours; the targets of Check in a timeout are as printed.",
        result=Result.SILENT,
        examined=Result.REFUTED,
        why="That a timeout checks every stored reference is not so: it checks none of the {shortcuts} shortcuts in "
        "SR(2) to SR({last}).",
        counterexample="n = {first}: the shortcuts of v1 and v2.",
        evidence=stored_labels_are_checked,
        instead="As printed. A shortcut that is introduced replaces the old one, so that right introductions correct "
        "it; a ring is legitimate only if its shortcuts are right.",
        quotes=(
            Quotation(
                "Algorithm 4, line 3", "Check and update u.shortcuts, s.t. it contains the correct labels afterwards."
            ),
        ),
    ),
)
