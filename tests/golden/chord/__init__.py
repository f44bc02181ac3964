"""The golden traces of Chord."""

from collections.abc import Iterator

from gomboc.checker.simulate.plan import PlannedCommand
from tests.golden import plain
from tests.golden.chord import starts
from tests.golden.chord.negatives import ALTERATIONS, ping
from tests.golden.chord.starts import N0, N4, N6, N8, N12
from tests.golden.drive import Trace, simulated
from tests.golden.telling import HonestRun, TimeoutCase, expecting, negatives_of, written

JOINS = (
    PlannedCommand(0.2, N6, "Join", {"contact": N12}),
    PlannedCommand(0.3, N12, "Lookup", {"key": "7"}),
    PlannedCommand(0.4, N0, "Peers", {"nodes": [N0, N4]}),
    PlannedCommand(0.5, N8, "Watch", {"key": "9"}),
    PlannedCommand(0.6, N4, "Unwatch", {"key": "f"}),
)
CRASHES = (
    PlannedCommand(0.2, N12, "Crash"),
    PlannedCommand(0.3, N4, "Lookup", {"key": "1"}),
)

STORIES = {
    "disarray_within_the_invariant": HonestRun(starts.DISARRAY, 1),
    "hashed_names": HonestRun(starts.HASHED, 1),
    "one_joins": HonestRun(starts.BUSY, 1, JOINS),
    "one_crashes": HonestRun(starts.IDEAL, 1, CRASHES),
    "one_leaves": HonestRun(starts.IDEAL, 1, (PlannedCommand(2, N8, "Leave"),)),
    "detector_speaks_first": HonestRun(
        starts.IDEAL, 1, (PlannedCommand(2.4, N8, "Crash"), PlannedCommand(2.41, N4, "Suspect", {"node": N8}))
    ),
    "grows_from_no_node": HonestRun(
        starts.NOBODY_YET,
        1,
        (
            PlannedCommand(0.1, N4, "Join", {"contact": N4}),
            PlannedCommand(0.5, N12, "Join", {"contact": N4}),
            PlannedCommand(0.5, N0, "Join", {"contact": N4}),
            PlannedCommand(4, N8, "Join", {"contact": N0}),
        ),
    ),
    "backwards_with_peers": HonestRun(starts.BACKWARDS_WITH_PEERS, 1),
}

NEGATIVES = plain.lies(STORIES["disarray_within_the_invariant"], ping(N0), {"predecessor": None}) | negatives_of(
    "chord", ALTERATIONS, {**STORIES, "ideal": HonestRun(starts.IDEAL, 1)}
)

BROKEN_AT_FIRST = {
    "winds_twice": ("ordered_ring", starts.WINDS_TWICE, "Three nodes form a ring that goes around the circle twice."),
    "two_rings": ("at_most_one_ring", starts.TWO_RINGS, "Two and two nodes form rings that never meet."),
    "no_ring": ("at_least_one_ring", starts.NO_RING, "Two members list nobody but one who is outside."),
    "appendage_astray": ("connected_appendages", starts.APPENDAGE_ASTRAY, "One member lists who is outside only."),
    "principal_astray": ("principals_in_ring", starts.PRINCIPAL_ASTRAY, "Nobody is skipped, and there is no ring."),
}
"""Starts that violate the invariant, which is promised of every state: the promise that each breaks, and its story."""


def broken_at_first(name: str) -> Trace:
    """An honest run from such a start."""
    rule, start, story = BROKEN_AT_FIRST[name]
    return expecting(simulated(start, 1, rounds=2), story, verdict="violated", step=0, rule=rule)


HASTE = TimeoutCase(
    "A ring in disarray, which is not right after as many rounds as the header allows; nothing is wrong else.",
    starts.DISARRAY,
    1,
)


def further() -> Iterator[tuple[str, bytes]]:
    """The names and the contents of the traces from starts that violate the invariant."""
    for name in BROKEN_AT_FIRST:
        yield f"{name}.bad.jsonl", written(broken_at_first(name))
