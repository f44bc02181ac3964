"""Claims on lookups: how many hops they take, and how well they survive a crash of half of the nodes."""

from fractions import Fraction
from math import log2
from random import Random

from gomboc.checker.errata.claim import Evidence, settled
from gomboc.checker.evidence.chord.experiments.routing import hashed, is_right, ours, places, way

SIZES = (8, 64, 512)
LOOKUPS, DRAWS = 1_000, 400


def path_length() -> Evidence:
    """Random lookups in right rings of hashed nodes: hops to the member before the key, and to the owner."""
    before, whole, right = [], [], True
    for nodes in SIZES:
        parameters, system = hashed(nodes)
        asked = list(places(parameters, system, LOOKUPS))
        ways = [way(parameters, system, at, position, ours) for at, position in asked]
        right = right and all(
            is_right(parameters, system, position, passed) for (_, position), passed in zip(asked, ways, strict=True)
        )
        whole.append(sum(len(value) - 1 for value in ways if value) / LOOKUPS / log2(nodes))
        before.append(sum(max(0, len(value) - 2) for value in ways if value) / LOOKUPS / log2(nodes))
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
    shares = []
    for r in (3, 6, 12):
        lost = 0
        for _ in range(DRAWS):
            alive = [random.random() < Fraction(1, 2) for _ in range(nodes)]
            lost += any(
                alive[at] and not any(alive[(at + step) % nodes] for step in range(1, r + 1)) for at in range(nodes)
            )
        shares.append(lost)
    return Evidence(
        settled(shares[-1] <= DRAWS // 50),
        {"draws": DRAWS, "three": shares[0], "six": shares[1], "twelve": shares[2]},
        {"the fewer entries, the more draws lose one": shares[0] > shares[1] > shares[2]},
    )
