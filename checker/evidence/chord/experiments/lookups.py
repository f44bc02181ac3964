"""Experiments on lookups and keys in right rings: hops, owners, and lists of which half of the nodes crash."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from itertools import combinations
from math import log2
from random import Random

from gomboc.checker.errata.claim import Evidence, settled
from gomboc.checker.evidence.chord.experiments.routing import hashed, is_right, lookups, mean_hops, ours, way
from gomboc.spec.protocols.chord.legitimacy import owner, right_state
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.space import names_of

SIZES = (8, 64, 512)
LOOKUPS, DRAWS, KEYS = 1_000, 400, 100


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


def load() -> Evidence:
    """How many keys the member with the most owns, by the mean."""
    most = [keys_of_busiest(nodes, KEYS * nodes) / KEYS for nodes in SIZES]
    return Evidence(
        settled(all(load <= 1 + log2(nodes) for load, nodes in zip(most, SIZES, strict=True))),
        {"sizes": [*SIZES], "keys": KEYS, "most": [f"{load:.1f}" for load in most]},
        {"it is more than twice the mean in each": min(most) > 2},
    )


def keys_of_busiest(nodes: int, keys: int) -> int:
    """The number of keys of the member that owns the most, of so many hashed keys."""
    parameters, ring = hashed(nodes)
    places = (int.from_bytes(sha256(f"key {number}".encode()).digest(), "big") for number in range(keys))
    members = tuple(ring)
    owned = Counter(owner(parameters.circle, members, position % parameters.circle.size()) for position in places)
    return max(owned.values())


def drawn_tables() -> Evidence:
    """Every right ring on a circle of eight places: its fingers, and all lookups."""
    parameters = Parameters(3, "number", 2)
    looked = list(_lookups(parameters))
    return Evidence(settled(all(looked)), {"lookups": len(looked)})


def _lookups(parameters: Parameters) -> Iterator[bool]:
    names = names_of(parameters.circle, 8)
    for members in (chosen for size in range(1, 9) for chosen in combinations(names, size)):
        ring = {name: right_state(parameters, members, name) for name in members}
        points = partial(owner, parameters.circle, members)
        yield all(
            finger == points(parameters.circle.target(name, number))
            for name, local in ring.items()
            for number, finger in local.fingers
        )
        for name in members:
            for position in range(8):
                yield is_right(parameters, ring, position, way(parameters, ring, name, position, ours))
