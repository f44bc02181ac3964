"""Disturbances of dissemination: nodes move, are told wrong neighbours, and publish; in the end all is right below."""

from random import Random

import pytest

from gomboc.spec.core.domain import count, sampler
from gomboc.spec.core.protocol import Size, configured
from gomboc.spec.layers.lists import SETTLED
from gomboc.spec.layers.neighbourhood import Moved, Stayed, adjacent
from gomboc.spec.protocols.dissemination import PROTOCOL
from gomboc.spec.protocols.dissemination.space import inside, names
from gomboc.spec.protocols.dissemination.state import Issue, Subscribe

PUBLISHING = configured(PROTOCOL, {"key_bits": 32})
SIZE = Size(8, outside=2, publications=3)
SEEDS = range(100)


@pytest.mark.parametrize(("nodes", "outside", "moving"), [(1, 0, 0), (4, 0, 1), (10, 0, 3), (8, 2, 4), (3, 5, 6)])
@pytest.mark.parametrize("publications", [0, 3])
def test_they_are_counted(nodes, outside, moving, publications):
    """A node ends in one of three ways, or subscribes, or both with one of three delays."""
    every = nodes + outside
    disturbed = PUBLISHING.environment.disturbances(
        Size(nodes, outside=outside, publications=publications), names(every)
    )
    episodes = (1 + 30 * (3 + 1 + 3 * 3)) ** moving
    assert count(disturbed) == episodes * (1 + 30 * 2 ** (every - 1)) ** every * 31**publications


def drawn():
    draw = sampler(PUBLISHING.environment.disturbances(SIZE, names(10)))
    return [draw(Random(seed)) for seed in SEEDS]


def test_publications_are_those_of_members():
    for events in drawn():
        assert {event.node for event in events if isinstance(event.command, Issue)} <= {*inside(SIZE)}


def test_in_the_end_each_live_node_is_told_its_right_neighbours_twice():
    for events in drawn():
        live = {*inside(SIZE)}
        for event in events:
            if event.at < SETTLED and not isinstance(event.command, Issue | Moved):
                live = live | {event.node} if isinstance(event.command, Subscribe) else live - {event.node}
        right = adjacent(live)
        last = [event for event in events if event.at >= SETTLED]
        assert {event.node: event.command for event in last[: len(right)]} == {
            name: Moved(beside) for name, beside in right.items()
        }
        assert {event.node: event.command for event in last[len(right) :]} == {
            name: Stayed(beside) for name, beside in right.items()
        }
