"""Lookups in right rings, whole and mended: the right owner always, and how many hops."""

import math
from collections import Counter
from hashlib import sha256
from random import Random

import pytest

from tests.impl.protocols.chord.systems import (
    CHORD,
    right_ring,
    ring_of,
    simulation,
    states_after,
    successors_of,
    survivors,
)

BITS, R = 256, 3
WITHIN = 20
"""Periods in which all are asked."""


def hashed(name):
    return int.from_bytes(sha256(name.encode()).digest(), "big")


def answered(nodes, lookups, *, crashes=0, seed=1):
    """Ask for random keys, each once the ring is right: owners by key, the right ones, and hops by key."""
    random = Random(seed)
    ids = {f"n{number}": hashed(f"n{number}") for number in range(nodes)}
    left = survivors(ids, BITS, crashes, R, random)
    gone = [(random.random(), name, {"kind": "Crash"}) for name in ids if name not in left]
    assert len(gone) == crashes
    running = simulation(right_ring(ids, BITS, R, "hash"), CHORD, seed, gone)
    since = when_right(running, left)
    expected = {}
    for _ in range(lookups):
        key = random.getrandbits(BITS)
        expected[f"{key:064x}"] = successors_of(key, left, BITS)[0]
    for key in expected:
        running._command(since + WITHIN * random.random(), random.choice(list(left)), {"kind": "Lookup", "key": key})
    return (*owners_and_hops(running, lookups), expected)


def when_right(running, left, most=200):
    """The first whole period in which the ring is the right one of those that are left."""
    right = right_ring(left, BITS, R, "hash")
    return next(period for period in range(2, most) if ring_of(states_after(running, period)) == right)


def owners_and_hops(running, lookups):
    owners, hops = {}, Counter()
    for step in running.steps():
        hops.update(sent.message.key for sent in step.sent if type(sent.message).__name__ == "RouteRequest")
        owners.update(
            (delivery.key, delivery.owner) for delivery in step.delivered if type(delivery).__name__ == "RouteReply"
        )
        if len(owners) == lookups:
            return owners, hops
    raise AssertionError("a simulation never ends")


def mean(hops, lookups):
    """Hops to the member before the key, as Stoica et al. count them: the one to the owner comes besides."""
    return sum(max(0, count - 1) for count in hops.values()) / lookups


@pytest.mark.parametrize(("nodes", "crashes"), [(8, 0), (8, 4), (64, 0), (64, 32)])
def test_every_lookup_finds_the_owner_in_few_hops(nodes, crashes):
    owners, hops, expected = answered(nodes, 200, crashes=crashes)
    assert owners == expected
    assert mean(hops, 200) <= 0.55 * math.log2(nodes - crashes)
