"""Claims on the way up: how nodes that share a prefix become connected."""

from collections.abc import Iterator
from itertools import pairwise
from math import log2
from random import Random

from gomboc.checker.errata.claim import Evidence, settled
from gomboc.checker.evidence.skip_plus.experiments.histories import MOST, SIZES, histories, longest, parted
from gomboc.checker.evidence.skip_plus.experiments.order import follows
from gomboc.checker.evidence.skip_plus.experiments.prefixes import bridged, v_linked
from gomboc.checker.evidence.skip_plus.experiments.rounds import RULES, System, run
from gomboc.checker.evidence.skip_plus.experiments.starts import line, random_names
from gomboc.spec.protocols.skip_plus.names import prefix_length, string_of
from gomboc.spec.protocols.skip_plus.rules import View, next_hop
from gomboc.spec.protocols.skip_plus.state import Node

RUNS_ARE = "{runs} runs of 4, 8 and 16 nodes (lines, stars, trees and random maps)"
VERIFIED = "Introductions as printed (variant printed_introduction), and ours; no node is gone."


def connected_stays_connected() -> Evidence:
    """Every pair with a common prefix that is connected by such nodes, in every round of all runs."""
    lost, pairs = 0, 0
    for history in (*parted(True), *parted(False)):
        for before, after in pairwise(history):
            for prefix, there in before.items():
                for name, first in there.items():
                    pairs += name != first
                    lost += after[prefix][name] != after[prefix][first]
    return Evidence(settled(lost == 0), {"runs": 2 * len(parted(True)), "pairs": pairs, "lost": lost})


def v_links_connect() -> Evidence:
    """Rounds until V-linked nodes are connected."""
    printed, links = longest(True, v_linked)
    ours, _ = longest(False, v_linked)
    return Evidence(
        settled(printed <= 1), {"printed": printed, "ours": ours, "links": links, "runs": len(histories(True))}
    )


def pre_components_connect() -> Evidence:
    """Rounds until two nodes are connected that have the same stable neighbour, or ones that know each other."""
    printed, links = longest(True, bridged)
    ours, _ = longest(False, bridged)
    return Evidence(
        settled(max(printed, ours) <= 4),
        {"printed": printed, "ours": ours, "links": links, "runs": len(histories(True))},
    )


def _temporary(now: System, me: str) -> View:
    local = now.states[me]
    return RULES.view(me, Node(True, tuple(sorted(now.known(me))), local.stable, local.told, ()))


def _equal_strings() -> Iterator[tuple[System, ...]]:
    """Runs of lines with strings of one bit, so that many are equal."""
    return (tuple(run(line(random_names(8, seed, 1), Random(seed)), MOST)) for seed in range(4))


def temporary_edges_bubble_up() -> Evidence:
    """The next hop of every temporary edge in all runs, and in right graphs of equal strings."""
    moves = [
        (me, node, next_hop(view, node))
        for history in (*histories(False), *_equal_strings())
        for now in history
        for me in now.live()
        for view in (_temporary(now, me),)
        for node in view.temporary()
    ]
    level = [prefix_length(me, node) for me, node, _ in moves]
    up = [prefix_length(hop, node) > at for (_, node, hop), at in zip(moves, level, strict=True)]
    same = [string_of(me) == string_of(node) for me, node, _ in moves]
    nearer = [me < hop < node or node < hop < me for me, node, hop in moves]
    beyond = [(me < node) != (hop < node) for me, node, hop in moves]
    return Evidence(
        settled(all(went or equal for went, equal in zip(up, same, strict=True))),
        {"moves": len(moves), "same": sum(same), "runs": len(histories(False)), "short": len(list(_equal_strings()))},
        {
            "with equal strings the node that takes it over lies between": all(
                near for near, equal in zip(nearer, same, strict=True) if equal
            ),
            "no node that takes it over lies beyond": not any(beyond),
        },
    )


def levels_connect_in_turn() -> Evidence:
    """When the graph of each prefix becomes connected, against when that of one bit less does."""
    late, steps = dict.fromkeys(SIZES, 0), []
    for rounds, (start, *_) in zip(parted(False), histories(False), strict=True):
        nodes = len(start.live())
        first: dict[str, int] = {}
        for number, now in enumerate(rounds):
            for prefix, there in now.items():
                if len(set(there.values())) == 1:
                    first.setdefault(prefix, number)
        longest_prefix = max(map(len, first))
        for prefix in first:
            if prefix:
                taken = first[prefix] - first[prefix[:-1]]
                steps.append(taken)
                late[nodes] = max(late[nodes], taken - (longest_prefix - len(prefix) + 1))
    return Evidence(follows(late, log2), {"late": max(late.values()), "most": max(steps), "runs": len(parted(False))})


def every_node_is_in_few_levels() -> Evidence:
    """Random strings that are longer than need be: how many levels there are at which two nodes share the prefix."""
    levels = {nodes: [_levels(random_names(nodes, seed, 4 * int(log2(nodes)))) for seed in SEEDS] for nodes in LARGE}
    mean = {nodes: sum(counts) / len(counts) for nodes, counts in levels.items()}
    return Evidence(
        follows(mean, log2),
        {
            "sizes": [f"{nodes}" for nodes in LARGE],
            "mean": [f"{average:.1f}" for average in mean.values()],
            "most": [f"{max(counts)}" for counts in levels.values()],
            "seeds": len(SEEDS),
        },
        {
            "with strings of one bit, two levels hold all": all(
                _levels(random_names(nodes, 0, 1)) == 2 for nodes in LARGE
            )
        },
    )


LARGE, SEEDS = (8, 16, 32, 64, 128, 256), range(8)


def _levels(names: tuple[str, ...]) -> int:
    """How many levels have a list of two nodes or more, that of all nodes counted."""
    strings = sorted(map(string_of, names))
    return 1 + max(prefix_length(f"0:{one}", f"0:{other}") for one, other in pairwise(strings))
