"""Specification and implementation side by side in rings of 9 to 33 subscribers, with labels of up to seven bits."""

from random import Random

import pytest

from gomboc.spec.core.domain import sampler
from gomboc.spec.core.protocol import Size
from tests.lockstep.side_by_side import MOST_PUBLICATIONS, Sides, differences, drawn_schedule
from tests.lockstep.test_publications import SUBSCRIBERS, SUPERVISORS

SIZES = 9, 10, 12, 14, 16, 17, 24, 33
RING = Sides()
PUBLISHING = Sides('{"key_bits":8,"chunk":2,"keep":2}', SUBSCRIBERS, SUPERVISORS)
RUNS = 8
STEPS = 150


def runs(sides, nodes):
    """Starts of that many subscribers, with as many messages in flight, and a schedule each."""
    publications = MOST_PUBLICATIONS if sides.holds_publications else 0
    draw = sampler(sides.protocol.starts.space(Size(nodes, nodes, publications)))
    for seed in range(RUNS):
        random = Random(1000 * nodes + seed)
        yield sides, draw(random), drawn_schedule(random, STEPS)


@pytest.mark.parametrize("nodes", SIZES)
@pytest.mark.parametrize("sides", [RING, PUBLISHING], ids=["ring", "publishing"])
def test_specification_and_implementation_take_the_same_steps(sides, nodes):
    assert differences(runs(sides, nodes)) == []
