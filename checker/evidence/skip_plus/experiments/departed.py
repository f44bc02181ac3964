"""Claims on the start: nodes that are known and do not take part, and the references that are lost with them."""

from itertools import product

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.errata.scene import Script
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
