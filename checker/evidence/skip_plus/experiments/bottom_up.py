"""Experiments on the way up: how nodes that share a prefix become connected."""

from collections.abc import Callable, Iterable
from itertools import pairwise
from math import log2
from random import Random
from statistics import mean

from gomboc.checker.errata.claim import Evidence, settled
from gomboc.checker.evidence.skip_plus.experiments.histories import MOST, SIZES, histories, longest
from gomboc.checker.evidence.skip_plus.experiments.order import follows, listed
from gomboc.checker.evidence.skip_plus.experiments.prefixes import Linked, bridged, v_linked
from gomboc.checker.evidence.skip_plus.experiments.rounds import RULES, System, run
from gomboc.checker.evidence.skip_plus.experiments.starts import line, random_names
from gomboc.spec.protocols.skip_plus.names import prefix_length, string_of
from gomboc.spec.protocols.skip_plus.rules import View, next_hop
from gomboc.spec.protocols.skip_plus.state import Node

LARGE, SEEDS, LINES = (8, 16, 32, 64, 128, 256), range(8), range(4)


def connected_stays_connected() -> Evidence:
    """Every pair with a common prefix that is connected by such nodes, in every round of all runs."""
    pairs = [
        after[prefix][name] == after[prefix][first]
        for printed in (True, False)
        for history in histories(printed)
        for before, after in pairwise(history.parts)
        for prefix, there in before.items()
        for name, first in there.items()
        if name != first
    ]
    figures = {"runs": 2 * len(histories(True)), "pairs": len(pairs), "lost": pairs.count(False)}
    return Evidence(settled(all(pairs)), figures)


def v_links_connect() -> Evidence:
    """Rounds until V-linked nodes are connected."""
    figures = _until_connected(v_linked)
    return Evidence(settled(figures["printed"] <= 1), figures)


def pre_components_connect() -> Evidence:
    """Rounds until two nodes are connected that have the same stable neighbour, or ones that know each other."""
    figures = _until_connected(bridged)
    return Evidence(settled(max(figures["printed"], figures["ours"]) <= 4), figures)


def _until_connected(linked: Callable[[System], Iterable[Linked]]) -> dict[str, int]:
    (printed, links), (ours, _) = (longest(way, linked) for way in (True, False))
    return {"printed": printed, "ours": ours, "links": links, "runs": len(histories(True))}


def _temporary(now: System, me: str) -> View:
    local = now.states[me]
    return RULES.view(me, Node(True, tuple(sorted(now.known(me))), local.stable, local.told, ()))


def temporary_edges_bubble_up() -> Evidence:
    """The next hop of every temporary edge in all runs, and in right graphs of equal strings."""
    # Lines with strings of one bit, so that many are equal.
    lines = [tuple(run(line(random_names(8, seed, 1), Random(seed)), MOST)) for seed in LINES]
    moves = [
        (me, node, next_hop(view, node))
        for systems in (*(history.systems for history in histories(False)), *lines)
        for now in systems
        for me in now.live()
        for view in (_temporary(now, me),)
        for node in view.temporary()
    ]
    same = [(me, node, hop) for me, node, hop in moves if string_of(me) == string_of(node)]
    up = {(me, node, hop) for me, node, hop in moves if prefix_length(hop, node) > prefix_length(me, node)}
    return Evidence(
        settled(up.union(same).issuperset(moves)),
        {"moves": len(moves), "same": len(same), "runs": len(histories(False)), "short": len(LINES)},
        {
            "with equal strings the node that takes it over lies between": all(
                min(me, node) < hop < max(me, node) for me, node, hop in same
            ),
            "no node that takes it over lies beyond": all((me < node) == (hop < node) for me, node, hop in moves),
        },
    )


def levels_connect_in_turn() -> Evidence:
    """When the graph of each prefix becomes connected, against when that of one bit less does."""
    late, steps = dict.fromkeys(SIZES, 0), []
    for history in histories(False):
        first: dict[str, int] = {}
        for number, now in enumerate(history.parts):
            for prefix, there in now.items():
                if len(set(there.values())) == 1:
                    first.setdefault(prefix, number)
        height = max(map(len, first))
        for prefix in filter(None, first):
            steps.append(first[prefix] - first[prefix[:-1]])
            late[history.nodes] = max(late[history.nodes], steps[-1] - (height - len(prefix) + 1))
    return Evidence(
        follows(late, log2), {"late": max(late.values()), "most": max(steps), "runs": len(histories(False))}
    )


def every_node_is_in_few_levels() -> Evidence:
    """Random strings that are longer than need be: how many levels there are at which two nodes share the prefix."""
    levels = {nodes: [_levels(random_names(nodes, seed, 4 * int(log2(nodes)))) for seed in SEEDS] for nodes in LARGE}
    means = {nodes: mean(counts) for nodes, counts in levels.items()}
    return Evidence(
        follows(means, log2),
        {
            "sizes": listed(LARGE),
            "mean": listed(means.values(), ".1f"),
            "most": listed(map(max, levels.values())),
            "seeds": len(SEEDS),
        },
        {
            "with strings of one bit, two levels hold all": all(
                _levels(random_names(nodes, 0, 1)) == 2 for nodes in LARGE
            )
        },
    )


def _levels(names: tuple[str, ...]) -> int:
    """How many levels have a list of two nodes or more, that of all nodes counted."""
    strings = sorted(map(string_of, names))
    return 1 + max(prefix_length(f"0:{one}", f"0:{other}") for one, other in pairwise(strings))
