"""Without failures everything is confirmed, on every tree: all shapes, one schedule each."""

import pytest

from gomboc.checker.evidence.delta_fault_tolerance.experiments.trees import named, shapes
from gomboc.impl.protocols.delta_fault_tolerance.names import distance
from tests.impl.protocols.delta_fault_tolerance.systems import ANY, System

MOST = 5
"""Brokers; up to 8 with `python -m tests.impl.protocols.delta_fault_tolerance.test_trees`."""


def trees(brokers):
    return [named(shape) for shape in shapes(brokers)]


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
