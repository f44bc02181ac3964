"""Disturbances of the directory: nodes move, change their topics, and are told wrong neighbours; then all is right."""

from random import Random

import pytest

from gomboc.spec.core.domain import count, sampler
from gomboc.spec.core.protocol import Size
from gomboc.spec.layers.lists import SETTLED, inside
from gomboc.spec.layers.neighbourhood import Moved, Stayed, adjacent
from gomboc.spec.protocols.topic_directory import PROTOCOL
from gomboc.spec.protocols.topic_directory.space import names
from gomboc.spec.protocols.topic_directory.state import Enter
from gomboc.spec.types.kinds import Crash

SEEDS = range(100)


@pytest.mark.parametrize(("nodes", "outside", "moving"), [(1, 0, 0), (4, 0, 1), (10, 0, 3), (8, 2, 4), (3, 5, 6)])
def test_they_are_counted(nodes, outside, moving):
    """A node crashes or enters; each announces or retracts one of three topics, and is told any others."""
    every = nodes + outside
    disturbed = PROTOCOL.environment.disturbances(Size(nodes, outside=outside), names(every))
    assert count(disturbed) == 61**moving * (1 + 30 * 2 * 3) ** every * (1 + 30 * 2 ** (every - 1)) ** every


def test_they_end_with_the_right_neighbours_twice():
    every = names(10)
    draw = sampler(PROTOCOL.environment.disturbances(Size(8, outside=2), every))
    for seed in SEEDS:
        events = draw(Random(seed))
        live = {*inside(every, 2)}
        live -= {event.node for event in events if isinstance(event.command, Crash)}
        live |= {event.node for event in events if isinstance(event.command, Enter)}
        right = adjacent(live)
        last = [event for event in events if event.at >= SETTLED]
        assert [type(event.command) for event in last] == [Moved] * len(right) + [Stayed] * len(right)
        assert all(event.command.neighbours == right[event.node] for event in last)
