"""Disturbances of brokers: clients ask for things, brokers of one group crash, and others join."""

from math import comb
from random import Random

import pytest

from gomboc.spec.core.domain import count, sampler
from gomboc.spec.core.protocol import Size
from gomboc.spec.protocols.delta_fault_tolerance.commands import Join
from gomboc.spec.protocols.delta_fault_tolerance.disturbances import disturbances, groups
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.premise import longest_chain
from gomboc.spec.protocols.delta_fault_tolerance.space import leaves, line, star
from gomboc.spec.types.kinds import Crash, Restart


def at_most(most, keys, values):
    return sum(comb(keys, chosen) * values**chosen for chosen in range(min(most, keys) + 1))


@pytest.mark.parametrize("names", [line(1), line(3), line(6), star(7)], ids=len)
@pytest.mark.parametrize("delta", [0, 1, 2])
@pytest.mark.parametrize("outside", [0, 2])
def test_they_are_counted(names, delta, outside):
    """Four filters at 8 times; three times a publication, and an end, at 45; each broker crashes up to twice."""
    nodes = len(names)
    every = tuple(sorted((*names, *leaves(names, outside))))
    crashes = sum((1 + 6 * 4) ** (2 * len(group)) for group in groups(delta, every))
    asked = at_most(4, nodes + outside, 8 * 4) * at_most(3, nodes + outside, 45 * 4) ** 3
    asked *= at_most(2, nodes + outside, 45 * 4)
    joins = (1 + (8 + 6) * (1 + 4)) ** outside
    assert count(disturbances(Parameters(delta), Size(nodes, outside=outside), every)) == asked * crashes * joins


@pytest.mark.parametrize("delta", [0, 1, 2, 3])
def test_a_group_that_may_be_away_at_once_has_at_most_delta_in_a_row_and_leaves_one_broker(delta):
    for names in (line(2), line(7), star(7)):
        for group in groups(delta, names):
            assert len(group) < len(names)
            assert len(longest_chain(group)) <= delta
        assert max(map(len, groups(delta, names))) >= min(delta, len(names) - 1)


def test_in_a_line_of_seven_at_most_five_may_be_away_with_delta_2():
    assert longest_chain(("0",)) == ("0",)
    assert [len(group) for group in groups(2, line(7))] == [4, 4, 4, 5]


def test_a_broker_that_crashes_comes_back():
    names = tuple(sorted((*star(7), *leaves(star(7), 2))))
    draw = sampler(disturbances(Parameters(2), Size(7, outside=2), names))
    for seed in range(100):
        events = draw(Random(seed))
        crashed = [event.node for event in events if isinstance(event.command, Crash)]
        assert sorted(crashed) == sorted(event.node for event in events if isinstance(event.command, Restart))
        joined = {event.node for event in events if isinstance(event.command, Join)}
        assert joined <= {*names} - {*star(7)}
