"""Experiments on the rules, one by one: the right reading of each, and the rules that are needed."""

from collections.abc import Iterable, Iterator
from itertools import permutations
from statistics import median

from gomboc.checker.errata.claim import Evidence, settled
from gomboc.checker.evidence.skip_plus.experiments import starts
from gomboc.checker.evidence.skip_plus.experiments.rounds import RULES, comes_back, rounds_until_right
from gomboc.checker.evidence.skip_plus.experiments.scenes import TOO_MANY
from gomboc.spec.protocols.skip_plus.errata import VARIANTS, linearize_at_least
from gomboc.spec.protocols.skip_plus.models import MISFITS, every_naming
from gomboc.spec.protocols.skip_plus.ranges import meets, neighbours, ranges
from gomboc.spec.protocols.skip_plus.rules import Insert, Rule, Rules, View, linearize
from gomboc.spec.protocols.skip_plus.space import Names

MOST = 40
BELOW = range(2, 7)
"""The sizes that are searched below seven nodes."""


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


def taken(rules: Rules, nodes: int, runs: int, families: Iterable[starts.Family] = starts.FAMILIES) -> list[int | None]:
    """The rounds that some runs of each family take; None for those that are never right."""
    return [rounds_until_right(start, MOST, rules) for start in starts.samples((nodes,), runs, families)]


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
    small = starts.namings(BELOW, (1, 2, 3))
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


def forwarding_may_keep() -> Evidence:
    """A right graph with one temporary edge, and all connected graphs of two nodes, with Rule 2 as a copy."""
    copies = VARIANTS["forwarded_edges_stay"]
    two = [start for names in every_naming(2, 1) for start in starts.every_connected(names)]
    return Evidence(
        settled(not comes_back(TOO_MANY, MOST, copies)),
        {"rounds": rounds_until_right(TOO_MANY, MOST) or 0},
        {"all graphs of two nodes become right with it": all(rounds_until_right(start, 9, copies) for start in two)},
    )


def _median(counts: list[int | None]) -> str:
    return f"{median([count or 0 for count in counts]):g}"


def rules_3_are_needed() -> Evidence:
    """Random starts of every family without Rule 3a, 3b and both; and without others."""
    runs = {name: taken(rules, 8, 2) for name, rules in WITHOUT.items()}
    all_rules = taken(RULES, 8, 2)
    return Evidence(
        settled(any(None in runs[name] for name in ("3a", "3b", "both"))),
        {
            "runs": len(all_rules),
            "all": _median(all_rules),
            "without": _median(runs["3a"]),
            "never_1a": runs["1a"].count(None),
            "never_1bc": runs["1b, 1c and 3a"].count(None),
        },
        {
            "with all rules every run becomes right": None not in all_rules,
            "without Rule 3b runs take as long as with it": runs["3b"] == all_rules,
        },
    )


def all_neighbours_are_introduced() -> Evidence:
    """Stars and lines with Rules 1b and 1c for all neighbours, and for stable ones."""
    stable = Rules(introduce_stable_edges=introduce_stable_neighbours)
    ours, theirs = (taken(rules, 16, 2, (starts.star,)) for rules in (RULES, stable))
    return Evidence(
        settled(None not in (*ours, *theirs)),
        {"ours": _median(ours), "stable": _median(theirs)},
        {
            "for stable neighbours only, no star of 16 is faster": all(
                (one or 0) <= (other or 0) for one, other in zip(ours, theirs, strict=True)
            )
        },
    )
