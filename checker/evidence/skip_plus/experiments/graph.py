"""Claims on the graph itself: its neighbours, its degree, and the length of routes."""

from fractions import Fraction
from itertools import islice, product
from math import ceil, log2

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.evidence.skip_plus.experiments.order import follows
from gomboc.checker.evidence.skip_plus.experiments.rounds import Names, System, run
from gomboc.checker.evidence.skip_plus.experiments.routes import Graph, graph, hops
from gomboc.checker.evidence.skip_plus.experiments.starts import (
    every_naming,
    every_naming_once,
    knowing,
    named,
)
from gomboc.spec.protocols.skip_plus.errata import ERRATA, neighbours_within_oneself
from gomboc.spec.protocols.skip_plus.names import prefix_length
from gomboc.spec.protocols.skip_plus.ranges import contains, neighbours, ranges

SIZES = (8, 16, 32, 64)


def all_in_between_are_neighbours() -> Evidence:
    """All names of few nodes: whether each node between the ends of a range is a neighbour."""
    fewer = [names for nodes, bits in BELOW for names in every_naming_once(nodes, bits)]
    (me, other), *_ = between_ends(FIVE)
    cases = [*fewer, *every_naming_once(5, 2)]
    listed = [pair for names in cases for pair in between_ends(names, within_the_list=True)]
    return by_readings(
        (settled(not listed), settled(not between_ends(FIVE))),
        {"cases": len(cases), "fewer": len(fewer), "names": list(FIVE), "me": me, "other": other},
        {"with fewer nodes there is none": not any(map(between_ends, fewer))},
    )


BELOW = tuple((nodes, bits) for nodes in (2, 3, 4) for bits in (1, 2, 3))
"""The sizes and lengths of strings that are searched below five nodes."""
FIVE = named("00", "00", "10", "10", "01")


def between_ends(names: Names, within_the_list: bool = False) -> list[tuple[str, str]]:
    """The pairs of which the one has the other in a range, on a side that has an end, and not as a neighbour.

    With `within_the_list`, only nodes of the list count that the range is of. A side without an end is no case:
    its extent is our decision.

    Source: Slide 15
    """
    pairs = ((me, other) for me in names for other in names if me != other and other not in neighbours(me, names))
    return [
        (me, other)
        for me, other in pairs
        for level, bounds in enumerate(ranges(me, names))
        if bounds[other > me] is not None and contains(bounds, other)
        if not within_the_list or prefix_length(me, other) >= level
    ]


LACKING = named("0", "0", "1")


def ranges_without_an_end() -> Evidence:
    """All names of two and three nodes with one bit: whether neighbours are mutual, in both readings."""

    def is_symmetric(names: tuple[str, ...]) -> bool:
        around = {me: neighbours_within_oneself(me, names) for me in names}
        return all(me in around[other] for me in names for other in around[me])

    ours = all(
        me in neighbours(other, names)
        for nodes in (2, 3, 4)
        for names in every_naming(nodes, 1)
        for me in names
        for other in neighbours(me, names)
    )
    return Evidence(
        settled(all(is_symmetric(names) for nodes in (2, 3) for names in every_naming(nodes, 1))),
        {},
        {
            "by these ranges one of the three hears in each round of a node that is no neighbour of it": all(
                _strangers(now) for now in islice(run(_lacking(), 8, ENDS), 2, None)
            ),
            "two nodes are always neighbours of each other": all(is_symmetric(naming) for naming in every_naming(2, 2)),
            "the strings 0, 0 and 1 make a graph that is not symmetric": not is_symmetric(LACKING),
            "where such a side is unbounded, all graphs of up to four nodes and one bit are symmetric": ours,
        },
    )


ENDS = next(each.of() for each in ERRATA if each.name == "ranges_end_at_oneself")


def _lacking() -> System:
    """Three nodes, of which the first knows the others."""
    return knowing({LACKING[0]: LACKING[1:], LACKING[1]: (), LACKING[2]: ()})


def _strangers(now: System) -> list[tuple[str, str]]:
    """Pairs of a node and one in flight to it that is no neighbour, by ranges that end at the node itself."""
    return [
        (name, other)
        for name, messages in now.inbox.items()
        for message in messages
        for other in message.inserts
        if other not in neighbours_within_oneself(name, LACKING)
    ]


def routes_are_short() -> Evidence:
    """Routes between all pairs of nodes of right graphs."""
    lengths = {nodes: [hops(known, *pair) for pair in product(known, repeat=2)] for nodes, known in _graphs().items()}
    return Evidence(
        follows({nodes: max(taken) for nodes, taken in lengths.items()}, log2),
        {
            "sizes": [f"{nodes}" for nodes in lengths],
            "longest": [f"{max(taken)}" for taken in lengths.values()],
            "mean": [f"{sum(taken) / len(taken):.1f}" for taken in lengths.values()],
        },
        {"log2 n + 1 edges do": all(max(taken) <= ceil(log2(nodes)) + 1 for nodes, taken in lengths.items())},
    )


def _graphs() -> dict[int, Graph]:
    return {nodes: graph(nodes) for nodes in SIZES}


def degree_is_logarithmic() -> Evidence:
    """The degrees of right graphs with random strings, and of one with equal strings."""
    degrees = {nodes: [len(around) for around in known.values()] for nodes, known in _graphs().items()}
    same = named(*["0"] * 8)
    return Evidence(
        follows({nodes: max(counts) for nodes, counts in degrees.items()}, log2),
        {
            "sizes": [f"{nodes}" for nodes in degrees],
            "greatest": [f"{max(counts)}" for counts in degrees.values()],
            "mean": [f"{float(Fraction(sum(counts), len(counts))):.1f}" for counts in degrees.values()],
        },
        {
            "if all strings are the same, all nodes are neighbours": all(len(neighbours(me, same)) == 7 for me in same),
            "none is greater than 6 log2 n": all(max(counts) <= 6 * log2(nodes) for nodes, counts in degrees.items()),
        },
    )
