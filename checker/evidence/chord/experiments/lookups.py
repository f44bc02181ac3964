"""Claims on lookups: how many hops they take, and how well they survive a crash of half of the nodes."""

from math import log2
from random import Random

from gomboc.checker.errata.claim import Evidence, settled
from gomboc.checker.evidence.chord.experiments.routing import hashed, lookups, mean_hops, ours

SIZES = (8, 64, 512)
LOOKUPS, DRAWS = 1_000, 400


def path_length() -> Evidence:
    """Random lookups in right rings of hashed nodes: hops to the member before the key, and to the owner."""
    looked = {nodes: lookups(*hashed(nodes), LOOKUPS, ours) for nodes in SIZES}
    whole = [mean_hops(ways) / log2(nodes) for nodes, ways in looked.items()]
    before = [sum(max(0, each.hops - 1) for each in ways) / LOOKUPS / log2(nodes) for nodes, ways in looked.items()]
    right = all(each.is_right for ways in looked.values() for each in ways)
    return Evidence(
        settled(right and max(before) <= 0.55),
        {
            "sizes": [*SIZES],
            "lookups": LOOKUPS,
            "before": [f"{value:.2f}" for value in before],
            "whole": [f"{value:.2f}" for value in whole],
        },
        {"every lookup finds the owner": right, "with the last hop it is more": min(whole) > 0.55},
    )


def lists_survive() -> Evidence:
    """The draws in which some list of a ring of 64 loses all its entries if each node crashes with probability 1/2."""
    random, nodes = Random(1), 64

    def loses(r: int) -> bool:
        alive = [random.random() < 0.5 for _ in range(nodes)]
        lists = ([alive[(at + step) % nodes] for step in range(1, r + 1)] for at in range(nodes) if alive[at])
        return not all(map(any, lists))

    shares = [sum(loses(r) for _ in range(DRAWS)) for r in (3, 6, 12)]
    return Evidence(
        settled(shares[-1] <= DRAWS // 50),
        {"draws": DRAWS, "three": shares[0], "six": shares[1], "twelve": shares[2]},
        {"the fewer entries, the more draws lose one": shares[0] > shares[1] > shares[2]},
    )
