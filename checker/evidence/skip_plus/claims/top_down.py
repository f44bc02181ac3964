"""Claims on the way down, and on the rounds in all."""

from functools import cache
from itertools import pairwise
from math import ceil, log2
from random import Random
from statistics import median

from gomboc.checker.errata.claim import Claim, Evidence, Result, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.evidence.skip_plus.exhibits.histories import Parts, histories, parted
from gomboc.checker.evidence.skip_plus.exhibits.prefixes import finished
from gomboc.checker.evidence.skip_plus.exhibits.rounds import System, rounds_until_right
from gomboc.checker.evidence.skip_plus.exhibits.starts import line, random_names, samples
from gomboc.spec.skip_plus.names import string_of

SIZES, MOST = (4, 8, 16), 80
SHORT = (4, 8, 16)


def levels_finish_in_turn() -> Evidence:
    """After how many rounds each level is finished, once the one above it is and all prefixes are connected."""
    printed, ours = (
        [_lags(history, found) for history, found in zip(histories(way), parted(way), strict=True)]
        for way in (True, False)
    )
    found = {
        name: max(lag for lags, _ in each for lag in lags) for name, each in (("printed", printed), ("ours", ours))
    }
    early = max(lag for _, lags in printed for lag in lags)
    return Evidence(settled(max(found.values()) <= 3), {**found, "early": early, "runs": len(printed)})


def _lags(history: tuple[System, ...], found: tuple[Parts, ...]) -> tuple[list[int], list[int]]:
    """The rounds from one level to the next, once all prefixes are connected, and whether or not they are."""
    levels = len(string_of(history[0].live()[0]))
    reached = [finished(now) for now in history]
    at = [_from_then_on([each <= level for each in reached]) for level in range(levels + 1)]
    connected = _from_then_on([all(len(set(there.values())) <= 1 for there in now.values()) for now in found])
    pairs = list(pairwise(at[:levels]))
    return [lower - max(upper, connected) for lower, upper in pairs], [lower - upper for lower, upper in pairs]


def _from_then_on(so: list[bool]) -> int:
    """From when on all are true."""
    return max((place + 1 for place, each in enumerate(so) if not each), default=0)


@cache
def _taken(nodes: int) -> tuple[int, ...]:
    return tuple(rounds_until_right(start, MOST) or 0 for start in samples((nodes,), 2))


def rounds_are_polylogarithmic() -> Evidence:
    """Rounds of random starts with random strings, and of lines whose strings have one bit."""
    found = {nodes: _taken(nodes) for nodes in SIZES}
    short = [rounds_until_right(line(random_names(nodes, nodes, 1), Random(nodes)), MOST) or MOST for nodes in SHORT]
    return Evidence(
        settled(all(max(taken) <= 2 + ceil(log2(nodes)) ** 2 + 3 for nodes, taken in found.items())),
        {
            "runs": len(found[4]),
            "sizes": [f"{nodes}" for nodes in found],
            "medians": [f"{median(taken):g}" for taken in found.values()],
            "worst": [f"{max(taken)}" for taken in found.values()],
            "short": [f"{taken}" for taken in short],
        },
        {
            "no run takes more than 4 log2 n + 3 rounds": all(
                max(taken) <= 4 * log2(nodes) + 3 for nodes, taken in found.items()
            )
        },
    )


CLAIMS = (
    Claim(
        name="levels_finish_in_turn",
        title="a finished level is followed by the one below it after three rounds",
        source="Slide 31",
        says='"If at time t the graph is i-finished, at time t + 3 it will be (i - 1)-finished."',
        ran="Introductions as printed (variant printed_introduction), and ours; nobody is gone.",
        result=Result.REPRODUCED,
        why="In {runs} runs of 4, 8 and 16 nodes (lines, stars, trees and random maps), once the nodes of every "
        "prefix are connected, it took {printed} rounds at most as printed, and {ours} with ours.",
        evidence=levels_finish_in_turn,
        reading="This is the second phase: nodes of one prefix that are not yet connected can have finished a level by "
        "being alone. Counted from there on, it took {early} rounds at most as printed.",
        quotes=(
            Quotation("Slide 31", "If at time t the graph is i-finished, at time t + 3 it will be (i - 1) - finished."),
        ),
    ),
    Claim(
        name="rounds_are_polylogarithmic",
        title="all is right after O(log^2 n) rounds",
        source="Slides 12 and 32",
        says='"Overall complexity is O(log^2(n))" rounds.',
        ran="Our rules.",
        result=Result.REPRODUCED,
        why="For n = {sizes}, {runs} starts each (lines, stars, trees and random maps) with random strings of 2 log2 n "
        "bits: {medians} rounds in the median, {worst} at most. That looks like log n rather than its square.",
        evidence=rounds_are_polylogarithmic,
        reading='Strings have "sufficient length" (Slide 8). With strings of one bit, lines of as many nodes took '
        "{short} "
        "rounds.",
        quotes=(Quotation("Slide 32", "Overall complexity is O(log2(n))"),),
    ),
)
