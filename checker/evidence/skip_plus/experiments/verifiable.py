"""Experiments on the local view of the graph: stable edges, buddies, and whether a wrong one looks right to all."""

from itertools import combinations

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.evidence.skip_plus.experiments import skip_graph
from gomboc.checker.evidence.skip_plus.experiments.rounds import System, a_round
from gomboc.checker.evidence.skip_plus.experiments.starts import every_connected, from_arrows, namings
from gomboc.spec.protocols.skip_plus.models import every_naming, named
from gomboc.spec.protocols.skip_plus.names import prefix_length, string_of
from gomboc.spec.protocols.skip_plus.ranges import neighbours
from gomboc.spec.protocols.skip_plus.space import Names

FOUR = named("0", "0", "1", "0")
UNSEEN = named("0", "1", "1", "1", "0")
LOOKED_AT = range(2, 6), (1, 2)
"""The sizes, and the lengths of strings."""
LONELY = named("0", "0")


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
            "with four nodes or fewer some node notices": not fewer,
            "the wrong graph is connected": skip_graph.hangs_together(wrong),
        },
    )


def _alone_in_its_list(me: str, table: skip_graph.Table) -> skip_graph.Table:
    """The table of a node that finds no other node with its bit, if that is 0."""
    return (table[0], (None, None)) if me.endswith("0") else table


def only_the_right_graph_stays() -> Evidence:
    """Connected graphs of up to four nodes: after how many rounds some node has other neighbours."""
    small = [graph for nodes in (2, 3) for names in every_naming(nodes, 1) for graph in every_connected(names)]
    some = [names for names in namings((4,), (1, 2)) if not _is_complete(names)]
    one_way, both_ways = list(every_connected(FOUR)), [graph for names in some for graph in every_symmetric(names)]
    longest = max(_unchanged(start) for start in (*small, *one_way, *both_ways))
    return Evidence(
        settled(longest <= 2),
        {
            "small": len(small),
            "names": list(FOUR),
            "one_way": len(one_way),
            "namings": len(some),
            "both_ways": len(both_ways),
            "longest": longest,
        },
        {
            "the right graphs of two and three nodes are complete": all(
                _is_complete(names) for nodes in (2, 3) for names in every_naming(nodes, 3)
            ),
            "that of the four is not": not _is_complete(FOUR),
        },
    )


def _is_complete(names: Names) -> bool:
    return all(len(neighbours(me, names)) == len(names) - 1 for me in names)


def every_symmetric(names: Names) -> list[System]:
    """Every connected graph of those nodes in which each edge is known at both ends."""
    one_way = every_connected(names, combinations(names, 2))
    arrows = ([(name, other) for name, known in _neighbours(now).items() for other in known] for now in one_way)
    return [from_arrows(names, [*there, *((other, one) for one, other in there)]) for there in arrows]


def _unchanged(start: System) -> int:
    """The most rounds in a row in which no node has other neighbours, until all have those that they are to have."""
    now, stays, longest = start, 0, 0
    right = {name: neighbours(name, start.live()) for name in start.states}
    while _neighbours(now) != right:
        before, now = now, a_round(now)
        stays = stays + 1 if _neighbours(now) == _neighbours(before) else 0
        longest = max(longest, stays)
    return longest


def _neighbours(now: System) -> dict[str, Names]:
    return {name: local.neighbours for name, local in now.states.items()}


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
