"""Claims on the graph itself: its neighbours, its degree, and the length of routes."""

from fractions import Fraction
from itertools import islice, product
from math import ceil, log2

from gomboc.checker.errata.claim import Claim, Evidence, Reading, Result, by_readings, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.evidence.skip_plus.experiments.order import follows
from gomboc.checker.evidence.skip_plus.experiments.rounds import Names, System, run
from gomboc.checker.evidence.skip_plus.experiments.routes import Graph, graph, hops
from gomboc.checker.evidence.skip_plus.experiments.starts import (
    every_naming,
    every_naming_once,
    knowing,
    named,
)
from gomboc.spec.skip_plus.errata import ERRATA, neighbours_within_oneself
from gomboc.spec.skip_plus.names import prefix_length
from gomboc.spec.skip_plus.ranges import contains, neighbours, ranges

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


CLAIMS = (
    Claim(
        name="all_in_between_are_neighbours",
        title="all nodes between the ends of a range are neighbours",
        source="Slide 15",
        says='"All nodes in between will be in the range and will be the neighbors of the current node."',
        ran="None: this is about the right graph.",
        result=Result.DEPENDS,
        why="Of the nodes between the ends of a range at level i, those are neighbours that share the first i bits. "
        "Slide 21 has that condition, Slide 15 has not.",
        evidence=all_in_between_are_neighbours,
        counterexample="{names}: {other} lies in a range of {me}, and is no neighbour of it.",
        searched="All right graphs of 2 to 4 nodes with strings of up to three bits: {fewer}, where those count once "
        "that differ only in the names of the two bits behind some prefix. Only sides of a range that have an end "
        "count: the extent of a side without one is our decision.",
        instead="A neighbour at level i shares the first i bits.",
        readings=(
            Reading(
                "Of the nodes of the list at level i: so it is in all {cases} right graphs of 2 to 5 nodes that were "
                "examined (those of five with strings of two bits).",
                Result.REPRODUCED,
            ),
            Reading("Of all nodes, by the letter.", Result.REFUTED),
        ),
        reading="The slide speaks of predecessors and successors in the list of a prefix, so that the first reading is "
        "the nearer one.",
        quotes=(
            Quotation(
                "Slide 15", "All nodes in between will be in the range and will be the neighbors of the current node"
            ),
        ),
    ),
    Claim(
        name="ranges_have_two_ends",
        title="a range has two ends",
        source="Slide 15",
        says="A range goes from the least of two predecessors to the greatest of two successors; nothing is said of a "
        "node that lacks one.",
        ran="Our rules with ranges that end at the node itself where no node is (variant ranges_end_at_oneself).",
        result=Result.SILENT,
        why="With such ranges the graph is not symmetric, so that one node lacks a neighbour that has it as one, and "
        "hears of it in every round.",
        evidence=ranges_without_an_end,
        counterexample="Three nodes with the strings 0, 0 and 1.",
        instead="A side without an end is unbounded.",
        quotes=(Quotation("Slide 15", "Take the farthest away of successor and predecessor."),),
        examined=Result.REFUTED,
    ),
    Claim(
        name="routes_are_logarithmic",
        title="routes have O(log n) edges",
        source="Slide 10",
        says='"Logarithmic diameter", "Hypercubic-style Routing in O(log(n))".',
        ran="None: this is about the right graph, in which a message goes to the neighbour nearest to its target.",
        result=Result.REPRODUCED,
        why="For n = {sizes} and random strings, the longest route between any two nodes has {longest} edges, the mean "
        "{mean}.",
        evidence=routes_are_short,
        quotes=(Quotation("Slide 10", "Logarithmic diameter Hypercubic-style Routing in O(log(n))"),),
    ),
    Claim(
        name="degree_is_logarithmic",
        title="the degree is O(log n)",
        source="Slide 33",
        says='"The Skip+ Graph has degree O(log(n))".',
        ran="None: this is about the right graph.",
        result=Result.UNDECIDED,
        why="For n = {sizes} and random strings of 2 log2 n bits, the greatest degree is {greatest}, the mean {mean}. "
        "Over these n the greatest grows faster than log n, as it must at first: of 8 nodes, none can have more than 7 "
        "neighbours.",
        evidence=degree_is_logarithmic,
        reading="True of random strings of sufficient length, with high probability: equal strings make all nodes "
        "neighbours.",
        quotes=(Quotation("Slide 33", "The Skip+ Graph has degree O(log(n))"),),
    ),
)
