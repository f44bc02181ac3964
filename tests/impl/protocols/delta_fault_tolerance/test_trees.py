"""Without failures everything is confirmed, on every tree: all shapes, one schedule each."""

from functools import cache
from itertools import combinations_with_replacement

import pytest

from gomboc.impl.protocols.delta_fault_tolerance.names import distance
from tests.impl.protocols.delta_fault_tolerance.systems import ANY, System

MOST = 5
"""Brokers; up to 8 with `python -m tests.impl.protocols.delta_fault_tolerance.test_trees`."""


@cache
def forests(brokers, largest):
    """All multisets of rooted trees with this many brokers, each of at most `largest`; a tree is its branches."""
    if brokers == 0:
        return ((),)
    forests_of_size = []
    for size in range(min(brokers, largest), 0, -1):
        for many in range(1, brokers // size + 1):
            for trees in combinations_with_replacement(forests(size - 1, size - 1), many):
                forests_of_size += [trees + rest for rest in forests(brokers - many * size, size - 1)]
    return tuple(forests_of_size)


def names(tree, root="b"):
    """The names of a tree's brokers."""
    return [root, *(name for number, branch in enumerate(tree) for name in names(branch, f"{root}.{number}"))]


def trees(brokers):
    return [sorted(names(forest)) for forest in forests(brokers - 1, brokers - 1)]


def test_all_rooted_trees_are_there_once():
    assert [len(trees(brokers)) for brokers in range(1, 9)] == [1, 1, 2, 4, 9, 20, 48, 115]
    assert all(len(tree) == brokers for brokers in range(1, 9) for tree in trees(brokers))


@pytest.mark.parametrize("delta", range(4))
@pytest.mark.parametrize("brokers", range(1, MOST + 1))
def test_everything_is_confirmed_on_every_tree(brokers, delta):
    for seed, tree in enumerate(trees(brokers)):
        assert failure_free(tree, delta, seed) == []


def failure_free(tree, delta, seed):
    """The faults after every broker's client has subscribed and published, all at once."""
    system = System(tree, delta, seed)
    for name in tree:
        system.command(name, "Subscribe", filter=ANY)
    system.run_until(10)
    for name in tree:
        system.command(name, "Publish", attributes=[])
    system.end(10)
    faults = [*system.watched.faults, *system.unsettled()]
    if system.watched.confirmed != len(tree):
        faults.append(f"{system.watched.confirmed} of {len(tree)} are confirmed")
    if any(len(delivered) != len(tree) for delivered in system.watched.delivered.values()):
        faults.append("a client does not have everything once")
    if any(distance(name, peer) > 1 for name, core in system.cores.items() for peer in core.at.links):
        faults.append("a neighbour is bypassed")
    return faults


if __name__ == "__main__":
    for brokers in range(1, 9):
        for delta in range(4):
            for tree in trees(brokers):
                for seed in range(3):
                    assert failure_free(tree, delta, seed) == [], (tree, delta, seed)
        print(
            f"{brokers} brokers: {len(trees(brokers))} trees, delta 0 to 3, 3 schedules each: everything is confirmed"
        )
