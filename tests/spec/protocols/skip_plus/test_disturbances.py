"""Disturbances of Skip+: every fourth member and all nodes outside move, at any time, through nodes that stay."""

from random import Random

import pytest

from gomboc.spec.core.domain import count, sampler
from gomboc.spec.core.protocol import Size
from gomboc.spec.protocols.skip_plus import PROTOCOL
from gomboc.spec.protocols.skip_plus.space import assignments
from gomboc.spec.protocols.skip_plus.state import Join
from gomboc.spec.types.kinds import Crash, Suspect

SEEDS = range(200)
NAMES = assignments(10)[0]


def episodes(staying):
    """A node ends in one of three ways, or joins, or ends in one of two and comes back after one of three delays.

    Each is at one of 30 times. The third way to end is a crash that is suspected.
    """
    return 30 * (3 + staying + 2 * 3 * staying)


@pytest.mark.parametrize(("nodes", "outside", "moving"), [(1, 0, 0), (4, 0, 1), (8, 0, 2), (10, 0, 3), (8, 2, 4)])
def test_they_are_counted(nodes, outside, moving):
    names = NAMES[: nodes + outside]
    assert (
        count(PROTOCOL.environment.disturbances(Size(nodes, outside=outside), names))
        == (1 + episodes(len(names) - moving)) ** moving
    )


def test_contacts_are_nodes_that_never_move():
    draw = sampler(PROTOCOL.environment.disturbances(Size(8, outside=2), NAMES))
    drawn = [draw(Random(seed)) for seed in SEEDS]
    moving = {event.node for events in drawn for event in events if not isinstance(event.command, Suspect)}
    contacts = {event.command.contact for events in drawn for event in events if isinstance(event.command, Join)}
    assert len(moving) == 4
    assert contacts == {*NAMES} - moving
    assert {event.at for events in drawn for event in events} >= {*range(1, 31)}


def test_a_node_is_suspected_by_all_that_stay_a_period_after_it_has_crashed_for_good():
    draw = sampler(PROTOCOL.environment.disturbances(Size(8, outside=2), NAMES))
    drawn = [draw(Random(seed)) for seed in SEEDS]
    suspected = 0
    for events in drawn:
        suspicions = {event.command.node: event.at for event in events if isinstance(event.command, Suspect)}
        for node, at in suspicions.items():
            own = [(event.at, event.command) for event in events if event.node == node]
            assert own == [(at - 1, Crash())]
            assert sum(event.command == Suspect(node) for event in events) == 6
        suspected += len(suspicions)
    assert suspected
