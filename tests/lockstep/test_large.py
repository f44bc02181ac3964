"""Specification and implementation side by side in rings of 9 to 33 subscribers, with labels of up to seven bits."""

from random import Random

import pytest

from gomboc.impl.protocols.skip_ring.core import Subscriber
from gomboc.spec.core.domain import sampler
from gomboc.spec.core.protocol import Size
from tests.lockstep.side_by_side import MOST_PUBLICATIONS, Sides, drawn_schedule, step_that_differs
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
        yield draw(random), drawn_schedule(random, STEPS)


def differences(sides, nodes):
    """The first step in which the two differ, of each run in which they do."""
    return [
        difference
        for difference in (step_that_differs(sides, *run) for run in runs(sides, nodes))
        if difference is not None
    ]


@pytest.mark.parametrize("nodes", SIZES)
@pytest.mark.parametrize("sides", [RING, PUBLISHING], ids=["ring", "publishing"])
def test_specification_and_implementation_take_the_same_steps(sides, nodes):
    assert differences(sides, nodes) == []


def long_labels_ask(monkeypatch):
    """A subscriber with a label of more than four bits asks as often as one with four."""
    chance = Subscriber._chance_to_ask
    monkeypatch.setattr(
        Subscriber,
        "_chance_to_ask",
        lambda self, own: 1 / (2**4 * 4**2) if len(own.written[0]) > 4 else chance(self, own),
    )


def test_a_fault_that_only_labels_of_more_than_four_bits_show_is_found(monkeypatch):
    long_labels_ask(monkeypatch)
    assert differences(RING, 4) == []
    assert differences(RING, 9) != []
