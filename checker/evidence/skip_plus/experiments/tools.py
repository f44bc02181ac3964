"""Claims on the tools of the algorithm: stable edges, and buddies."""

from gomboc.checker.errata.claim import Evidence, by_readings, settled
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
