"""Claims on lookups: how many hops they take, and how well they survive a crash of half of the nodes."""

from fractions import Fraction
from math import log2
from random import Random

from gomboc.checker.errata.claim import Claim, Evidence, Result, settled
from gomboc.checker.errata.quotation import paraphrase
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


CLAIMS = (
    Claim(
        name="half_of_log_n_hops",
        title="a lookup takes half of log2 n hops",
        source="Stoica et al. 2003, Section V-C",
        says="The average path length is about 1/2 log2 N.",
        ran="Our next hops over right rings of hashed nodes.",
        result=Result.REPRODUCED,
        why="In rings of {sizes} nodes, {lookups} random lookups each take {before} of log2 n hops to the member "
        "before the key, and {whole} with the last hop, to the owner.",
        evidence=path_length,
        reading="The last hop is not counted, as a lookup there ends at the member before the key. With it, the "
        "mean is above 0.55 log2 n at all three sizes.",
        quotes=(paraphrase("Stoica et al. 2003, Section V-C", "The average path length is about 1/2 log2 N."),),
    ),
    Claim(
        name="lists_survive_crashes",
        title="lists of order log n survive if every second node crashes",
        source="Stoica et al. 2003, Theorem IV.5",
        says="If r is of the order of log n, and every node fails with probability 1/2, the successors are still "
        "found.",
        ran="No rules: the nodes that are left of a right ring.",
        result=Result.REPRODUCED,
        why="In {draws} draws over a ring of 64, some list lost all its entries {three} times with r = 3, {six} "
        "times with r = log2 n = 6, and {twelve} times with r = 2 log2 n = 12.",
        evidence=lists_survive,
        reading="Of the order of log n is taken to be twice that; with log2 n itself many draws lose a list.",
        effect="Where no list is lost, lookups are right again once the ring is (`python -m tests.bench lookups`).",
        quotes=(
            paraphrase(
                "Stoica et al. 2003, Theorem IV.5",
                "With lists of length of order log N, and every node failing with probability 1/2, "
                "find_successor still returns the closest living successor with high probability.",
            ),
        ),
    ),
)
