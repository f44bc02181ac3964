"""Claims on the tools of the algorithm: stable edges, and buddies."""

from gomboc.checker.errata.claim import Claim, Evidence, Reading, Result, by_readings, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.evidence.skip_plus.experiments.rounds import Names
from gomboc.checker.evidence.skip_plus.experiments.starts import every_naming_once, named
from gomboc.spec.protocols.skip_plus.names import prefix_length, string_of
from gomboc.spec.protocols.skip_plus.ranges import neighbours

LOOKED_AT = tuple((nodes, bits) for nodes in (2, 3, 4, 5) for bits in (1, 2))
LONELY = named("0", "0")


def stable_edges_are_seen_locally() -> Evidence:
    """Right graphs: whether the edges that a node judges stable, by its own neighbours alone, are the right ones."""
    cases = [names for nodes, bits in LOOKED_AT for names in every_naming_once(nodes, bits)]
    true = [neighbours(me, neighbours(me, names)) == neighbours(me, names) for names in cases for me in names]
    return Evidence(settled(all(true)), {"cases": len(cases), "nodes": len(true)})


def buddies(me: str, names: Names, level: int) -> Names:
    """The neighbours of a node that share that many bits with it, and differ in the next.

    Source: Slide 18
    """
    return tuple(other for other in neighbours(me, names) if prefix_length(me, other) == level)


def every_level_has_a_buddy() -> Evidence:
    """Right graphs: the levels at which nodes have a buddy, and those at which some node could be one."""
    cases = [names for nodes, bits in LOOKED_AT for names in every_naming_once(nodes, bits)]
    levels = [(names, me, level) for names in cases for me in names for level in range(len(string_of(me)))]
    possible = [(names, me, level) for names, me, level in levels if _could_have_one(names, me, level)]
    without = [case for case in levels if not buddies(case[1], case[0], case[2])]
    return by_readings(
        (settled(all(buddies(me, names, level) for names, me, level in possible)), settled(not without)),
        {"cases": len(cases), "levels": len(levels), "possible": len(possible), "names": list(LONELY)},
        {"the counterexample has none": not any(buddies(me, LONELY, 0) for me in LONELY)},
    )


def _could_have_one(names: Names, me: str, level: int) -> bool:
    return any(prefix_length(me, other) == level for other in names if other != me)


DOMAIN = "All right graphs of 2 to 5 nodes with strings of one and two bits: {cases}, where those count once that "
CLAIMS = (
    Claim(
        name="stable_edges_are_seen_locally",
        title="a node sees by itself which edges are stable",
        source="Slide 18",
        says="An edge is stable if, from the local view of the node, it will appear in the finished graph.",
        ran="None: this is about the right graph.",
        result=Result.REPRODUCED,
        why="In the right graph, each of {nodes} nodes that judges by its own neighbours alone takes all of them for "
        "stable, as they are.",
        domain=DOMAIN + "differ only in the names of the two bits behind some prefix.",
        evidence=stable_edges_are_seen_locally,
        quotes=(
            Quotation(
                "Slide 18",
                "Edges are considered stable if (from the local view of the node) it will appear in the finished",
            ),
        ),
    ),
    Claim(
        name="every_level_has_a_buddy",
        title="each node has a buddy at each level",
        source="Slide 18",
        says="A buddy shares the bits of a level, and differs in the next one.",
        ran="None: this is about the right graph.",
        result=Result.DEPENDS,
        why="Where all nodes that share a prefix also share the next bit, there is no buddy.",
        counterexample="{names}, of which neither has one at level 0.",
        domain=DOMAIN + "differ only in the names of the two bits behind some prefix.",
        evidence=every_level_has_a_buddy,
        readings=(
            Reading(
                "At each level at which there is a node that could be one: each of {possible} pairs of a node and "
                "such a level has one.",
                Result.REPRODUCED,
            ),
            Reading("At each of the {levels} levels, by the letter.", Result.REFUTED),
        ),
        reading="It is said in the definition of a buddy; the next sentence needs one only where an edge can be passed "
        "to it.",
        instead="Rule 2 moves an edge to the stable neighbour with the longest common prefix, whether or not there is "
        "a buddy at each level.",
        quotes=(
            Quotation(
                "Slide 18", "Each node has a Buddy at each level | rho |= i which differs at the last [...] bit."
            ),
        ),
        lemmas=("neighbours_have_one_next_bit_between",),
    ),
)
