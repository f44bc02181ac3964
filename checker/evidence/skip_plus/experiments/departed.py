"""Experiments on the start: nodes that are known and do not take part, and references that are lost with them."""

from itertools import product

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.evidence.skip_plus.experiments.rounds import System, comes_back, rounds_until_right, run
from gomboc.checker.evidence.skip_plus.experiments.scenes import GO_BETWEEN, GONE, ONE, OTHER, PASSED_AROUND
from gomboc.checker.evidence.skip_plus.experiments.starts import every_connected, from_arrows, with_departed
from gomboc.spec.protocols.skip_plus.errata import VARIANTS
from gomboc.spec.protocols.skip_plus.models import every_naming

RUNS, MOST = 8, 60


def smaller() -> list[System]:
    """Every connected start of one node that takes part, and one or two that do not; or of two that do."""
    return [
        start
        for nodes, gone in ((1, 1), (1, 2), (2, 0))
        for names in every_naming(nodes + gone, 1)
        for start in every_connected(
            names[:nodes], [(one, other) for one, other in product(names[:nodes], names) if one != other], names[nodes:]
        )
    ]


def departed_are_found_out() -> Evidence:
    """A start of three nodes and random ones, as printed by both readings of the check, and by our rules."""
    printed = VARIANTS["printed_introduction"]
    starts = [with_departed(8, 4, seed) for seed in range(RUNS)]
    theirs = [rounds_until_right(start, MOST, printed) for start in starts]
    ours = [rounds_until_right(start, MOST) for start in starts]
    at_once = [rounds_until_right(start, MOST, printed, True) for start in (PASSED_AROUND, *starts)]
    return by_readings(
        (settled(None not in at_once), settled(not comes_back(PASSED_AROUND, MOST, printed))),
        {
            "runs": RUNS,
            "most": MOST,
            "never": theirs.count(None),
            "ours_most": max(count for count in ours if count is not None),
            "ours": rounds_until_right(PASSED_AROUND, MOST) or 0,
            "at_once": max(count or 0 for count in at_once),
        },
        {
            "with fewer nodes every start becomes right as printed": all(
                rounds_until_right(start, MOST, printed) is not None for start in smaller()
            ),
            "by our rules every run becomes right": None not in ours,
        },
    )


def removing_loses_nothing() -> Evidence:
    """A start that falls apart if messages to a departed node are lost, and the same where they come back."""
    printed = VARIANTS["nothing_comes_back"]
    *_, end = run(GO_BETWEEN, MOST, printed)
    return Evidence(
        settled(rounds_until_right(GO_BETWEEN, MOST, printed) is not None),
        {"rounds": rounds_until_right(GO_BETWEEN, MOST) or 0},
        {"in the end no node knows another": not any(local.neighbours for local in end.states.values())},
    )


def any_connected_start() -> Evidence:
    """Every weakly connected graph of two and three nodes, and one that only a node that is gone connects."""
    two, three = (
        [rounds_until_right(start, MOST) for names in every_naming(nodes, 1) for start in every_connected(names)]
        for nodes in (2, 3)
    )
    apart = from_arrows((ONE, OTHER), [(ONE, GONE), (OTHER, GONE)], [GONE])
    return Evidence(
        settled(None not in (*two, *three)),
        {
            "two": len(two),
            "two_most": max(count or 0 for count in two),
            "three": len(three),
            "three_most": max(count or 0 for count in three),
        },
        {"two nodes that know only one that is gone never hear of each other": comes_back(apart, MOST)},
    )
