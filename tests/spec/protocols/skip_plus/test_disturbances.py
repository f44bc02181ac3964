"""Disturbances of Skip+: every fourth member and all nodes outside move, at any time, through nodes that stay."""

from random import Random

import pytest

from gomboc.spec.core.domain import count, sampler
from gomboc.spec.core.protocol import Size
from gomboc.spec.protocols.skip_plus import PROTOCOL
from gomboc.spec.protocols.skip_plus.space import assignments
from gomboc.spec.protocols.skip_plus.state import Join

SEEDS = range(200)
NAMES = assignments(10)[0]


def episodes(staying):
    """A node ends in one of two ways, or joins, or both with one of three delays: each at one of 30 times."""
    return 30 * (2 + staying + 2 * 3 * staying)


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
    moving = {event.node for events in drawn for event in events}
    contacts = {event.command.contact for events in drawn for event in events if isinstance(event.command, Join)}
    assert len(moving) == 4
    assert contacts == {*NAMES} - moving
    assert {event.at for events in drawn for event in events} >= {*range(1, 31)}
