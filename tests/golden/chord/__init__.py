"""The golden traces of Chord."""

from collections.abc import Iterator

from tests.golden import plain
from tests.golden.chord import starts
from tests.golden.chord.negatives import ALTERATIONS, ping
from tests.golden.chord.starts import N0
from tests.golden.drive import Trace, simulated
from tests.golden.telling import expecting, negatives_of, stories_of, written

STORIES = stories_of("chord", vars(starts))

NEGATIVES = plain.lies(STORIES.runs["disarray_within_the_invariant"], ping(N0), {"predecessor": None}) | negatives_of(
    "chord", ALTERATIONS, STORIES.runs
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


def further() -> Iterator[tuple[str, bytes]]:
    """The names and the contents of the traces from starts that violate the invariant."""
    for name in BROKEN_AT_FIRST:
        yield f"{name}.bad.jsonl", written(broken_at_first(name))
