"""Claims on the rules, one by one: the right reading of each, and the rules that are needed."""

from collections.abc import Callable, Iterable, Iterator
from itertools import permutations
from random import Random
from statistics import median

from gomboc.checker.errata.claim import Evidence, settled
from gomboc.checker.errata.scene import Script
from gomboc.checker.evidence.skip_plus.experiments.rounds import RULES, Names, System, comes_back, rounds_until_right
from gomboc.checker.evidence.skip_plus.experiments.scenes import rounds
from gomboc.checker.evidence.skip_plus.experiments.starts import (
    FAMILIES,
    every_connected,
    every_naming,
    every_naming_once,
    named,
    right,
    star,
)
from gomboc.spec.protocols.skip_plus.errata import ERRATA, linearize_at_least
from gomboc.spec.protocols.skip_plus.ranges import meets, neighbours, ranges
from gomboc.spec.protocols.skip_plus.rules import Insert, Rule, Rules, View, linearize
from gomboc.spec.protocols.skip_plus.space import assignments
from gomboc.spec.protocols.skip_plus.state import Node

PRINTED = {each.name: each.of() for each in ERRATA}
MOST = 40
BELOW = tuple((nodes, bits) for nodes in range(2, 7) for bits in (1, 2, 3))
"""The sizes and lengths of strings that are searched below seven nodes."""
MISFITS = named("000", "011", "110", "101", "010", "000", "000")
"""Seven nodes of which two that are no neighbours share one more bit than others in between."""


def nothing(view: View) -> Iterator[Insert]:
    """A rule that inserts no node."""
    del view
    return iter(())


def introduce_stable_neighbours(view: View) -> Iterator[Insert]:
    """Rules 1b and 1c for stable neighbours only."""
    ranges_told = {name: bounds for name, bounds in view.told.items() if name in view.stable}
    for node, other in permutations(ranges_told, 2):
        if meets(node, ranges_told[node], other):
            yield node, other
            yield other, node


WITHOUT = {
    "3a": Rules(introduce_all=nothing),
    "3b": Rules(linearize=nothing),
    "both": Rules(introduce_all=nothing, linearize=nothing),
    "1a": Rules(create_reverse_edges=nothing),
    "1b, 1c and 3a": Rules(introduce_stable_edges=nothing, introduce_all=nothing),
}

Family = Callable[[tuple[str, ...], Random], System]


def taken(rules: Rules, nodes: int, runs: int, families: Iterable[Family] = FAMILIES) -> list[int | None]:
    """The rounds that some runs of each family take; None for those that are never right."""
    return [
        rounds_until_right(family(assignments(nodes)[seed], Random(seed)), MOST, rules)
        for family in families
        for seed in range(runs)
    ]


def introduces_strangers(names: Names, rule: Rule) -> bool:
    """Whether Rule 3b, read like this, introduces nodes in a right graph that are no neighbours."""
    around = {me: neighbours(me, names) for me in names}
    views = (
        View(me, stable, stable, stable, {other: ranges(other, names) for other in stable})
        for me, stable in around.items()
    )
    return any(other not in around[node] for view in views for node, other in rule(view))


def linearize_at_least_is_quiet() -> Evidence:
    """Rule 3b in right graphs, for common prefixes that may be longer and for exact ones: the introductions."""
    small = [names for nodes, bits in BELOW for names in every_naming_once(nodes, bits)]
    return Evidence(
        settled(not introduces_strangers(MISFITS, linearize_at_least)),
        {"names": list(MISFITS), "small": len(small)},
        {
            "no smaller graph has misfits": not any(
                introduces_strangers(naming, linearize_at_least) for naming in small
            ),
            "ours has none in any of these": not any(
                introduces_strangers(naming, linearize) for naming in (*small, MISFITS)
            ),
        },
    )


def misfits() -> Script:
    """Two rounds from a right graph."""
    return rounds(right(MISFITS), 2, "linearize_at_least")


FOUR = named("0", "1", "0", "0")


def too_many() -> System:
    """A right graph of four, but that the first node knows the last, which is no neighbour of it."""
    first = FOUR[0]
    start = right(FOUR)
    return System({**start.states, first: Node(True, FOUR[1:])}, start.inbox)


def forwarding_may_keep() -> Evidence:
    """A right graph with one temporary edge, and all connected graphs of two nodes, with Rule 2 as a copy."""
    copies = PRINTED["forwarded_edges_stay"]
    two = [start for names in every_naming(2, 1) for start in every_connected(names)]
    return Evidence(
        settled(not comes_back(too_many(), MOST, copies)),
        {"rounds": rounds_until_right(too_many(), MOST) or 0},
        {"all graphs of two nodes become right with it": all(rounds_until_right(start, 9, copies) for start in two)},
    )


def copied() -> Script:
    """Rounds from a right graph with one temporary edge, which is never moved."""
    return rounds(too_many(), 8, "forwarded_edges_stay", 8)


def moved() -> Script:
    """The same by our rules."""
    return rounds(too_many(), 8)


def rules_3_are_needed() -> Evidence:
    """Random starts of every family without Rule 3a, 3b and both; and without others."""
    runs = {name: taken(rules, 8, 2) for name, rules in WITHOUT.items()}
    all_rules = taken(RULES, 8, 2)
    without_3a, with_all = (median([count or 0 for count in counts]) for counts in (runs["3a"], all_rules))
    return Evidence(
        settled(any(None in runs[name] for name in ("3a", "3b", "both"))),
        {
            "runs": len(all_rules),
            "all": f"{with_all:g}",
            "without": f"{without_3a:g}",
            "never_1a": sum(count is None for count in runs["1a"]),
            "never_1bc": sum(count is None for count in runs["1b, 1c and 3a"]),
        },
        {
            "with all rules every run becomes right": None not in all_rules,
            "without Rule 3b runs take as long as with it": runs["3b"] == all_rules,
        },
    )


def all_neighbours_are_introduced() -> Evidence:
    """Stars and lines with Rules 1b and 1c for all neighbours, and for stable ones."""
    stable = Rules(introduce_stable_edges=introduce_stable_neighbours)
    ours, theirs = (taken(rules, 16, 2, (star,)) for rules in (RULES, stable))
    return Evidence(
        settled(None not in (*ours, *theirs)),
        {
            "ours": f"{median([count or 0 for count in ours]):g}",
            "stable": f"{median([count or 0 for count in theirs]):g}",
        },
        {
            "for stable neighbours only, no star of 16 is faster": all(
                (one or 0) <= (other or 0) for one, other in zip(ours, theirs, strict=True)
            )
        },
    )
