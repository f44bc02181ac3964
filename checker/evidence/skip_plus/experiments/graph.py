"""Experiments on the graph itself: its neighbours, its degree, and the length of routes."""

from functools import cache
from itertools import islice, permutations, product
from math import ceil, log2
from statistics import mean

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.evidence.skip_plus.experiments.order import follows, listed
from gomboc.checker.evidence.skip_plus.experiments.rounds import System, run
from gomboc.checker.evidence.skip_plus.experiments.starts import from_arrows, namings
from gomboc.spec.protocols.skip_plus.errata import VARIANTS, neighbours_within_oneself
from gomboc.spec.protocols.skip_plus.models import every_naming, named
from gomboc.spec.protocols.skip_plus.names import prefix_length
from gomboc.spec.protocols.skip_plus.ranges import contains, neighbours, ranges
from gomboc.spec.protocols.skip_plus.space import Names, assignments

SIZES = (8, 16, 32, 64)
BELOW = range(2, 5)
"""The sizes that are searched below five nodes."""
FIVE = named("00", "00", "10", "10", "01")
LACKING = named("0", "0", "1")


def all_in_between_are_neighbours() -> Evidence:
    """All names of few nodes: whether each node between the ends of a range is a neighbour."""
    fewer = namings(BELOW, (1, 2, 3))
    cases = [*fewer, *namings((5,), (2,))]
    me, other = between_ends(FIVE)[0]
    in_the_list = [pair for names in cases for pair in between_ends(names, within_the_list=True)]
    return by_readings(
        (settled(not in_the_list), settled(not between_ends(FIVE))),
        {"cases": len(cases), "fewer": len(fewer), "names": list(FIVE), "me": me, "other": other},
        {"with fewer nodes there is none": not any(map(between_ends, fewer))},
    )


def between_ends(names: Names, within_the_list: bool = False) -> list[tuple[str, str]]:
    """The pairs of which the one has the other in a range, on a side that has an end, and not as a neighbour.

    With `within_the_list`, only nodes of the list count that the range is of. A side without an end is no case:
    its extent is our decision.

    Source: Slide 15
    """
    return [
        (me, other)
        for me, other in permutations(names, 2)
        if other not in neighbours(me, names)
        for level, bounds in enumerate(ranges(me, names))
        if bounds[other > me] is not None and contains(bounds, other)
        if not within_the_list or prefix_length(me, other) >= level
    ]


def ranges_without_an_end() -> Evidence:
    """All names of two and three nodes with one bit: whether neighbours are mutual, in both readings."""

    def is_symmetric(names: Names) -> bool:
        around = {me: neighbours_within_oneself(me, names) for me in names}
        return all(me in around[other] for me in names for other in around[me])

    ours = all(
        me in neighbours(other, names)
        for nodes in (2, 3, 4)
        for names in every_naming(nodes, 1)
        for me in names
        for other in neighbours(me, names)
    )
    # The first of three nodes knows the others.
    first, *others = LACKING
    start = from_arrows(LACKING, [(first, other) for other in others])
    return Evidence(
        settled(all(is_symmetric(names) for nodes in (2, 3) for names in every_naming(nodes, 1))),
        {},
        {
            "by these ranges one of the three hears in each round of a node that is no neighbour of it": all(
                _hears_of_strangers(now) for now in islice(run(start, 8, VARIANTS["ranges_end_at_oneself"]), 2, None)
            ),
            "two nodes are always neighbours of each other": all(is_symmetric(naming) for naming in every_naming(2, 2)),
            "the strings 0, 0 and 1 make a graph that is not symmetric": not is_symmetric(LACKING),
            "where such a side is unbounded, all graphs of up to four nodes and one bit are symmetric": ours,
        },
    )


def _hears_of_strangers(now: System) -> bool:
    """Whether a node is in flight to one that has it as no neighbour, by ranges that end at the node itself."""
    return any(
        other not in neighbours_within_oneself(name, LACKING)
        for name, messages in now.inbox.items()
        for message in messages
        for other in message.inserts
    )


Graph = dict[str, Names]


@cache
def graphs() -> dict[int, Graph]:
    """The neighbours of each node in right graphs of several sizes with random strings. Source: Slide 15."""
    named_at_random = {nodes: assignments(nodes)[0] for nodes in SIZES}
    return {nodes: {name: neighbours(name, names) for name in names} for nodes, names in named_at_random.items()}


def hops(known: Graph, source: str, target: str) -> int:
    """Number of edges of a route on which each hop is the neighbour nearest to the target.

    It never oversteps the target. Source: Slide 10, "Hypercubic-style Routing"
    """
    at, taken = source, 0
    while at != target:
        upwards = at < target
        ahead = [name for name in known[at] if (at < name <= target if upwards else target <= name < at)]
        at, taken = (max if upwards else min)(ahead), taken + 1
    return taken


def routes_are_short() -> Evidence:
    """Routes between all pairs of nodes of right graphs."""
    lengths = {nodes: [hops(known, *pair) for pair in product(known, repeat=2)] for nodes, known in graphs().items()}
    longest = {nodes: max(taken) for nodes, taken in lengths.items()}
    return Evidence(
        follows(longest, log2),
        {
            "sizes": listed(SIZES),
            "longest": listed(longest.values()),
            "mean": listed(map(mean, lengths.values()), ".1f"),
        },
        {"log2 n + 1 edges do": all(most <= ceil(log2(nodes)) + 1 for nodes, most in longest.items())},
    )


def degree_is_logarithmic() -> Evidence:
    """The degrees of right graphs with random strings, and of one with equal strings."""
    degrees = {nodes: list(map(len, known.values())) for nodes, known in graphs().items()}
    greatest = {nodes: max(counts) for nodes, counts in degrees.items()}
    same = named(*["0"] * 8)
    return Evidence(
        follows(greatest, log2),
        {
            "sizes": listed(SIZES),
            "greatest": listed(greatest.values()),
            "mean": listed(map(mean, degrees.values()), ".1f"),
        },
        {
            "if all strings are the same, all nodes are neighbours": all(len(neighbours(me, same)) == 7 for me in same),
            "none is greater than 6 log2 n": all(most <= 6 * log2(nodes) for nodes, most in greatest.items()),
        },
    )
