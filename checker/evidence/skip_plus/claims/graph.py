"""Claims on the graph itself: who is a neighbour, what a node can see of it, and how far it is."""

from fractions import Fraction
from itertools import product
from math import ceil, log2

from gomboc.checker.errata.claim import Claim, Evidence, Result, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.errata.scene import Scene, Script
from gomboc.checker.evidence.skip_plus.exhibits import skip_graph
from gomboc.checker.evidence.skip_plus.exhibits.rounds import a_round
from gomboc.checker.evidence.skip_plus.exhibits.routes import Graph, graph, hops
from gomboc.checker.evidence.skip_plus.exhibits.scenes import rounds
from gomboc.checker.evidence.skip_plus.exhibits.starts import every_connected, every_naming, knowing, named
from gomboc.spec.skip_plus.errata import neighbours_within_oneself
from gomboc.spec.skip_plus.ranges import contains, neighbours, ranges

SIZES = (8, 16, 32, 64)


def all_in_between_are_neighbours() -> Evidence:
    """All names of few nodes: who lies in a range at some level, and who of them is a neighbour."""
    cases = [names for nodes, bits in ((2, 2), (3, 2), (4, 1), (4, 2)) for names in every_naming(nodes, bits)]
    strangers = [(names, me, other) for names in cases for me, other in _in_a_range(names)]
    names, me, other = min(strangers, key=lambda case: (len(case[0]), case[0]))
    return Evidence(
        settled(not strangers),
        {"cases": len(cases), "names": list(names), "me": me, "other": other},
        {"among three nodes there is none": all(len(names) > 3 for names, _, _ in strangers)},
    )


def _in_a_range(names: tuple[str, ...]) -> list[tuple[str, str]]:
    """The pairs of which the one has the other in a range, and not as a neighbour."""
    pairs = ((me, other) for me in names for other in names if me != other)
    return [
        (me, other)
        for me, other in pairs
        if any(contains(bounds, other) for bounds in ranges(me, names)) and other not in neighbours(me, names)
    ]


LACKING = named("0", "0", "1")


def ranges_without_an_end() -> Evidence:
    """All names of two and three nodes with one bit: whether who has a neighbour is its neighbour, in both readings."""

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
            "two nodes are always neighbours of each other": all(is_symmetric(each) for each in every_naming(2, 2)),
            "the strings 0, 0 and 1 make a graph that is not symmetric": not is_symmetric(LACKING),
            "where such a side is unbounded, all graphs of up to four nodes and one bit are symmetric": ours,
        },
    )


def one_sided() -> Script:
    """Rounds of three nodes by the printed ranges."""
    return rounds(knowing({LACKING[0]: LACKING[1:], LACKING[1]: (), LACKING[2]: ()}), 8, "ranges_end_at_oneself", 8)


UNSEEN = named("0", "1", "1", "1", "0")


def skip_graphs_look_alike() -> Evidence:
    """All tables of up to four nodes and one bit, and those of five that are right but for one list."""
    fewer = [
        tables
        for nodes in (2, 3, 4)
        for names in every_naming(nodes, 1)
        for tables in skip_graph.wrong_and_unnoticed(names)
    ]
    right = skip_graph.right_tables(UNSEEN)
    wrong = {me: _alone_in_its_list(me, table) for me, table in right.items()}
    return Evidence(
        settled(skip_graph.looks_right(wrong) and wrong != right),
        {"names": list(UNSEEN), "ends": [UNSEEN[0], UNSEEN[-1]]},
        {
            "with four nodes or fewer somebody notices": not fewer,
            "the wrong graph is connected": skip_graph.hangs_together(wrong),
        },
    )


def _alone_in_its_list(me: str, table: skip_graph.Table) -> skip_graph.Table:
    """The table of a node that finds nobody else with its bit, if that is 0."""
    return (table[0], (None, None)) if me.endswith("0") else table


def only_the_right_graph_stays() -> Evidence:
    """All connected graphs of two and three nodes: after how many rounds some node has other neighbours."""
    starts = [each for nodes in (2, 3) for names in every_naming(nodes, 1) for each in every_connected(names)]
    longest = 0
    for start in starts:
        now, stays = start, 0
        while any(local.neighbours != neighbours(name, now.live()) for name, local in now.states.items()):
            then = a_round(now)
            same = all(then.states[name].neighbours == local.neighbours for name, local in now.states.items())
            now, stays = then, stays + 1 if same else 0
            longest = max(longest, stays)
    return Evidence(settled(longest <= 2), {"starts": len(starts), "longest": longest})


def routes_are_short() -> Evidence:
    """Routes between all pairs of nodes of right graphs."""
    found = {nodes: [hops(known, *pair) for pair in product(known, repeat=2)] for nodes, known in _graphs().items()}
    return Evidence(
        settled(all(max(taken) <= ceil(log2(nodes)) + 1 for nodes, taken in found.items())),
        {
            "sizes": [f"{nodes}" for nodes in found],
            "longest": [f"{max(taken)}" for taken in found.values()],
            "mean": [f"{sum(taken) / len(taken):.1f}" for taken in found.values()],
        },
    )


def _graphs() -> dict[int, Graph]:
    return {nodes: graph(nodes) for nodes in SIZES}


def degree_is_logarithmic() -> Evidence:
    """The degrees of right graphs with random strings, and of one whose strings are all the same."""
    degrees = {nodes: [len(around) for around in known.values()] for nodes, known in _graphs().items()}
    same = named(*["0"] * 8)
    return Evidence(
        settled(all(max(found) <= 6 * log2(nodes) for nodes, found in degrees.items())),
        {
            "sizes": [f"{nodes}" for nodes in degrees],
            "greatest": [f"{max(found)}" for found in degrees.values()],
            "mean": [f"{float(Fraction(sum(found), len(found))):.1f}" for found in degrees.values()],
        },
        {"if all strings are the same, all nodes are neighbours": all(len(neighbours(me, same)) == 7 for me in same)},
    )


CLAIMS = (
    Claim(
        name="all_in_between_are_neighbours",
        title="all nodes between the ends of a range are neighbours",
        source="Slide 15",
        says='"All nodes in between will be in the range and will be the neighbors of the current node."',
        ran="None: this is about the right graph.",
        result=Result.REFUTED,
        why="Of the nodes between the ends of a range at level i, those are neighbours that share the first i bits. "
        "Slide 21 has that condition, Slide 15 has not.",
        evidence=all_in_between_are_neighbours,
        counterexample="{names}: {other} lies in a range of {me}, and is no neighbour of it.",
        instead="A neighbour at level i shares the first i bits.",
        reading="True, if only the nodes of the list at level i are meant.",
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
        ran="Our rules with ranges that end at the node itself where nobody is (variant ranges_end_at_oneself).",
        result=Result.SILENT,
        why="With such ranges the graph is not symmetric, so that one node lacks a neighbour that has it as one, and "
        "is told of it in every round.",
        evidence=ranges_without_an_end,
        counterexample="Three nodes with the strings 0, 0 and 1.",
        instead="A side without an end is unbounded.",
        scenes=(Scene("range_ends_at_oneself", "three nodes, never right", one_sided, "ranges_end_at_oneself", 1),),
        quotes=(Quotation("Slide 15", "Take the farthest away of successor and predecessor."),),
        examined=Result.REFUTED,
    ),
    Claim(
        name="skip_graphs_are_not_locally_verifiable",
        title="a wrong skip graph can look right to every node",
        source="Slide 10",
        says='Skip graphs are "Not locally verifiable".',
        ran="None: this is about skip graphs without the plus. A node sees its own neighbours at each level, and "
        "theirs.",
        result=Result.REPRODUCED,
        why="Five nodes {names}: the list of all is right, and so is that of the three with the bit 1, but {ends} each "
        "believe to be the only one with the bit 0. Each of the five sees just what it would see in the right skip "
        "graph of some of them.",
        evidence=skip_graphs_look_alike,
        quotes=(Quotation("Slide 10", "Not locally verifiable"),),
    ),
    Claim(
        name="only_the_right_graph_stays",
        title="every other graph is changed",
        source="Slides 10 and 15",
        says="Skip graphs are extended so that they become locally verifiable: no weakly connected graph but the right "
        "one is left as it is.",
        ran="Our rules.",
        result=Result.REPRODUCED,
        why="In all {starts} weakly connected graphs of two and three nodes with one bit, and all that come of them, "
        "somebody has other neighbours after {longest} unchanged rounds at most, unless the graph is right.",
        evidence=only_the_right_graph_stays,
        lemmas=("neighbours_have_one_next_bit_between", "neighbours_are_symmetric"),
        quotes=(
            Quotation("Slide 10", "Not locally verifiable"),
            Quotation("Slide 15", "We have to slightly extend the original Skip Graph"),
        ),
    ),
    Claim(
        name="routes_are_logarithmic",
        title="routes have O(log n) edges",
        source="Slide 10",
        says='"Logarithmic diameter", "Hypercubic-style Routing in O(log(n))".',
        ran="None: this is about the right graph, in which a message goes to the neighbour nearest to its target.",
        result=Result.REPRODUCED,
        why="For n = {sizes} and random strings, the longest route between any two nodes has {longest} edges, the mean "
        "{mean}: log2 n + 1 at most.",
        evidence=routes_are_short,
        quotes=(Quotation("Slide 10", "Logarithmic diameter Hypercubic-style Routing in O(log(n))"),),
    ),
    Claim(
        name="degree_is_logarithmic",
        title="the degree is O(log n)",
        source="Slide 33",
        says='"The Skip+ Graph has degree O(log(n))".',
        ran="None: this is about the right graph.",
        result=Result.REPRODUCED,
        why="For n = {sizes} and random strings of 2 log2 n bits, the greatest degree is {greatest}, the mean {mean}: "
        "6 log2 n at most.",
        evidence=degree_is_logarithmic,
        reading="True of random strings of sufficient length, with high probability: equal strings make all nodes "
        "neighbours.",
        quotes=(Quotation("Slide 33", "The Skip+ Graph has degree O(log(n))"),),
    ),
)
