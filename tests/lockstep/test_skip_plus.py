"""The specification and the implementation of Skip+, side by side under one schedule, wherever they start."""

from random import Random

import pytest

from gomboc.impl.protocols.skip_plus import IMPLEMENTATION
from gomboc.spec.core.domain import sample
from gomboc.spec.core.protocol import Size
from gomboc.spec.protocols.skip_plus import PROTOCOL
from tests.lockstep.side_by_side import BothSides, drawn_schedule, step_that_differs
from tests.sampling import share

RUNS = share(60, 3)
STEPS = 80

ALONE = ('{"kind":"Join"}', '{"kind":"Leave"}', '{"kind":"Crash"}', '{"kind":"Suspect","node":"bob"}')
"""Commands that name no node of the system."""


class Sides(BothSides):
    """Both sides of Skip+ without rounds, so that any node may take any step; suspected is any node at any time."""

    def __init__(self, **parameters):
        super().__init__(PROTOCOL, IMPLEMENTATION, {"synchronous": False, **parameters}, {"node": ALONE})

    def run(self, seed, most=4):
        """A start of two nodes to `most`, and maybe one outside, and a schedule."""
        random = Random(seed)
        size = Size(random.randint(2, most), random.randint(0, 6), outside=random.randint(0, 1))
        start = sample(self.protocol.starts.space(size), random)
        suspicions = (f'{{"kind":"Suspect","node":"{name}"}}' for name, _ in start.roles)
        self.commands = {"node": (*ALONE, *suspicions)}
        return start, drawn_schedule(random, STEPS)


@pytest.mark.parametrize("layered", [False, True])
def test_specification_and_implementation_take_the_same_steps_from_anywhere_and_whatever_is_suspected(layered):
    sides = Sides(layered=layered)
    assert [difference for seed in range(RUNS) if (difference := step_that_differs(sides, *sides.run(seed)))] == []


@pytest.mark.parametrize("most_names", [1, 2, 3])
def test_both_send_the_same_part_of_the_names_and_keep_what_was_not_moved(most_names):
    sides = Sides(layered=True, most_names=most_names)
    runs = (sides.run(seed, most=8) for seed in range(RUNS // 3))
    assert [difference for run in runs if (difference := step_that_differs(sides, *run))] == []
