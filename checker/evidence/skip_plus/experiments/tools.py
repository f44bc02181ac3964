"""Experiments on the tools of the algorithm: stable edges, and buddies."""

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.evidence.skip_plus.experiments.starts import namings
from gomboc.spec.protocols.skip_plus.models import named
from gomboc.spec.protocols.skip_plus.names import prefix_length, string_of
from gomboc.spec.protocols.skip_plus.ranges import neighbours
from gomboc.spec.protocols.skip_plus.space import Names

LOOKED_AT = range(2, 6), (1, 2)
"""The sizes, and the lengths of strings."""
LONELY = named("0", "0")


def stable_edges_are_seen_locally() -> Evidence:
    """Right graphs: whether the edges that a node judges stable, by its own neighbours alone, are the right ones."""
    cases = namings(*LOOKED_AT)
    true = [neighbours(me, neighbours(me, names)) == neighbours(me, names) for names in cases for me in names]
    return Evidence(settled(all(true)), {"cases": len(cases), "nodes": len(true)})


def has_buddy(me: str, among: Names, level: int) -> bool:
    """Whether one of those nodes shares that many bits with a node, and differs in the next. Source: Slide 18."""
    return any(prefix_length(me, other) == level for other in among if other != me)


def every_level_has_a_buddy() -> Evidence:
    """Right graphs: the levels at which nodes have a buddy, and those at which some node could be one."""
    cases = namings(*LOOKED_AT)
    levels = [(names, me, level) for names in cases for me in names for level in range(len(string_of(me)))]
    have = {case for case in levels if has_buddy(case[1], neighbours(case[1], case[0]), case[2])}
    possible = [case for case in levels if has_buddy(case[1], case[0], case[2])]
    return by_readings(
        (settled(have.issuperset(possible)), settled(have.issuperset(levels))),
        {"cases": len(cases), "levels": len(levels), "possible": len(possible), "names": list(LONELY)},
        {"the counterexample has none": not any(has_buddy(me, neighbours(me, LONELY), 0) for me in LONELY)},
    )
