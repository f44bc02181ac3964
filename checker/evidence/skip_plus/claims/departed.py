"""Claims on the start: nodes that are known and do not take part, and the references that are lost with them."""

from itertools import product

from gomboc.checker.errata.claim import Claim, Evidence, Reading, Result, by_readings, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.errata.scene import Scene, Script
from gomboc.checker.evidence.skip_plus.experiments.rounds import System, comes_back, rounds_until_right, run, system
from gomboc.checker.evidence.skip_plus.experiments.scenes import rounds
from gomboc.checker.evidence.skip_plus.experiments.starts import (
    every_connected,
    every_naming,
    from_arrows,
    named,
    with_departed,
)
from gomboc.spec.core.connection import is_connected
from gomboc.spec.protocols.skip_plus.errata import ERRATA
from gomboc.spec.protocols.skip_plus.ranges import UNBOUNDED
from gomboc.spec.protocols.skip_plus.state import ABSENT, Node, Update

PRINTED = {each.name: each.of() for each in ERRATA}
GONE, ONE, OTHER = THREE = named("0", "0", "0")
RUNS, MOST = 8, 60
CYCLES = 6
"""Rounds that the scene of departed nodes shows."""


def passed_around() -> System:
    """Two nodes, of which one knows the other, and that one a third, which does not take part."""
    return from_arrows((ONE, OTHER), [(ONE, OTHER), (OTHER, GONE)], [GONE])


def smaller() -> list[System]:
    """Every connected start of one node that takes part, and one or two that do not; or of two that do."""
    starts = []
    for nodes, gone in ((1, 1), (1, 2), (2, 0)):
        for names in every_naming(nodes + gone, 1):
            live = names[:nodes]
            arrows = [(one, other) for one in live for other in names if one != other]
            for chosen in product((False, True), repeat=len(arrows)):
                there = [arrow for arrow, taken in zip(arrows, chosen, strict=True) if taken]
                if is_connected(live, there):
                    starts.append(from_arrows(live, there, names[nodes:]))
    return starts


def departed_are_found_out() -> Evidence:
    """A start of three nodes and random ones, as printed by both readings of the check, and by our rules."""
    printed = PRINTED["printed_introduction"]
    starts = [with_departed(8, 4, seed) for seed in range(RUNS)]
    theirs = [rounds_until_right(start, MOST, printed) for start in starts]
    ours = [rounds_until_right(start, MOST) for start in starts]
    at_once = [rounds_until_right(start, MOST, printed, True) for start in (passed_around(), *starts)]
    asked = settled(not comes_back(passed_around(), MOST, printed))
    return by_readings(
        (settled(None not in at_once), asked),
        {
            "runs": RUNS,
            "most": MOST,
            "never": sum(count is None for count in theirs),
            "ours_most": max(count for count in ours if count is not None),
            "ours": rounds_until_right(passed_around(), MOST) or 0,
            "at_once": max(count or 0 for count in at_once),
        },
        {
            "with fewer nodes every start becomes right as printed": all(
                rounds_until_right(count, MOST, printed) is not None for count in smaller()
            ),
            "by our rules every run becomes right": None not in ours,
        },
    )


def lost_with_a_go_between() -> System:
    """One node knows another that is about to introduce a third to one that does not take part."""
    return system(
        {GONE: ABSENT, ONE: Node(True, (GONE,)), OTHER: Node()},
        {GONE: (Update(ONE, (UNBOUNDED,), (OTHER,)),)},
    )


def removing_loses_nothing() -> Evidence:
    """A start that falls apart if messages to a departed node are lost, and the same where they come back."""
    printed = PRINTED["nothing_comes_back"]
    *_, end = run(lost_with_a_go_between(), MOST, printed)
    return Evidence(
        settled(rounds_until_right(lost_with_a_go_between(), MOST, printed) is not None),
        {"rounds": rounds_until_right(lost_with_a_go_between(), MOST) or 0},
        {"in the end no node knows another": not any(local.neighbours for local in end.states.values())},
    )


def any_connected_start() -> Evidence:
    """Every weakly connected graph of two and three nodes, and one that only a node that is gone connects."""
    taken = {
        nodes: [rounds_until_right(start, MOST) for names in every_naming(nodes, 1) for start in every_connected(names)]
        for nodes in (2, 3)
    }
    apart = from_arrows((ONE, OTHER), [(ONE, GONE), (OTHER, GONE)], [GONE])
    return Evidence(
        settled(all(None not in counts for counts in taken.values())),
        {
            "two": len(taken[2]),
            "two_most": max(start or 0 for start in taken[2]),
            "three": len(taken[3]),
            "three_most": max(start or 0 for start in taken[3]),
        },
        {"two nodes that know only one that is gone never hear of each other": comes_back(apart, MOST)},
    )


def around_for_ever() -> Script:
    """Rounds of the smallest start, as printed; the exceeded bound reports that it is not right."""
    return rounds(passed_around(), CYCLES, "printed_introduction", CYCLES)


def found_out() -> Script:
    """Rounds of the same start by our rules."""
    return rounds(passed_around(), CYCLES)


def lost() -> Script:
    """Rounds of two nodes, neither of which knows the other any more."""
    return rounds(lost_with_a_go_between(), CYCLES, "nothing_comes_back", CYCLES)


def given_back() -> Script:
    """Rounds of the same start by our rules."""
    return rounds(lost_with_a_go_between(), CYCLES)


CLAIMS = (
    Claim(
        name="departed_nodes_are_removed",
        title="failed neighbours are found out and removed",
        source="Slides 20, 21 and 23",
        says='"Check liveness of neighbors and remove failed ones", in each round; and the rules introduce all '
        "neighbours.",
        ran="The rules as printed (variant printed_introduction). All else is ours.",
        result=Result.DEPENDS,
        why="Where a failed node is found out by its answer, a reference to it is passed on in the very round in which "
        "it is found to be so. Two live nodes are enough: each learns from the other of a third one that is gone, "
        "finds it out a round later, and has heard of it anew by then. The run comes back to a state that it was in.",
        evidence=departed_are_found_out,
        counterexample="Three nodes with the string 0: b knows c, and c knows a, which does not take part.",
        instead="Verified introduction: only a node that has spoken for itself is introduced (Rules 1b, 1c, 3a and "
        "3b); Rule 2 moves any node. The same start is right after {ours} rounds, and the random ones after "
        "{ours_most} at most.",
        searched="Every connected start with fewer nodes: one live node and one or two failed ones, or two live ones, "
        "with strings of one bit.",
        readings=(
            Reading(
                "The check ends within the round, between the inserts and the rules, which is the order in which "
                "Slide 20 has them: the start below and {runs} random trees of 8 nodes that know 4 failed ones are "
                "right after {at_once} rounds at most.",
                Result.REPRODUCED,
            ),
            Reading(
                "The check is a message and its answer, which comes a round later: the start below never becomes "
                "right, and {never} of the {runs} random trees are not right after {most} rounds.",
                Result.REFUTED,
            ),
        ),
        reading="The slides do not say how liveness is checked. Their authors could answer that rounds are "
        "synchronous, and that the check is part of the round.",
        scenes=(
            Scene(
                "departed_node_is_passed_around",
                "two nodes introduce a departed third one to each other, round by round",
                around_for_ever,
                "printed_introduction",
                1,
            ),
            Scene("departed_node_is_found_out", "the same start by our rules", found_out),
        ),
        quotes=(Quotation("Slide 20", "Check liveness of neighbors and remove failed ones"),),
    ),
    Claim(
        name="removing_failed_nodes_loses_nothing",
        title="messages in flight to a failed node may be lost",
        source="Slide 20",
        says="A failed neighbour is removed; the slides do not mention the inserts on their way to it.",
        ran="Our rules, but a departed node gives nothing back (variant nothing_comes_back).",
        result=Result.SILENT,
        examined=Result.REFUTED,
        why="A reference on its way to a node that is gone, moved there by Rule 2, is known to no other node: if it "
        "is dropped, the graph falls apart.",
        evidence=removing_loses_nothing,
        counterexample="Three nodes: b has just moved c to a, which does not take part, and knows no other node.",
        instead="A message to a node that is gone comes back to its sender, as from a transport without a receiver. "
        "The same start is right after {rounds} rounds.",
        reading="Slide 12 promises convergence from weakly connected graphs; whether an edge that is on its way to a "
        "failed node belongs to the graph is not said. If it does not, the start is not connected.",
        scenes=(
            Scene("go_between_loses", "a reference is lost with its carrier", lost, "nothing_comes_back", 1),
            Scene("go_between_gives_back", "the same start by our rules", given_back),
        ),
        quotes=(Quotation("Slide 20", "Check liveness of neighbors and remove failed ones"),),
    ),
    Claim(
        name="any_weakly_connected_graph",
        title="any weakly connected graph becomes right",
        source="Slide 12",
        says='"Start from any weakly connected graph."',
        ran="Our rules.",
        result=Result.REPRODUCED,
        why="All {two} weakly connected graphs of two nodes and all {three} of three, with strings of one bit and "
        "nodes that remember nothing, are right after {two_most} and {three_most} rounds at most. Those with any "
        "memory and messages are explored: `gomboc explore skip_plus --recorded`.",
        evidence=any_connected_start,
        reading="The nodes that take part must be connected without the others: a departed node connects no nodes.",
        quotes=(Quotation("Slide 12", "Start from any weakly connected graph"),),
    ),
)
