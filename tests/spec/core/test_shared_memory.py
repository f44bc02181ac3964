"""Shared memory: its mistakes are reported in words, and as a model it has all combinations and all moves."""

import pytest
from msgspec.structs import replace

from gomboc.spec.core.shared_memory import Moved, SharedMemory, model_of
from tests.plugins.dijkstra_rings import token_ring, token_ring_in_memory

RING = token_ring_in_memory(3, 2)
FIRST = RING.machines[0]


@pytest.mark.parametrize(
    ("machines", "says"),
    [
        (RING.machines, ""),
        ((FIRST, FIRST), "has two machines of one name"),
        ((replace(FIRST, values=(0, 1, 0)),), "has a machine m0 with a value that stands there twice"),
        ((replace(FIRST, sees=("m0",)),), "has a machine m0 that sees itself, or another one twice"),
        ((replace(FIRST, sees=("m2", "m2")),), "has a machine m0 that sees itself, or another one twice"),
        ((FIRST,), "has a machine m0 that sees m2, and there is none of that name"),
    ],
)
def test_names_and_values_make_sense_or_it_is_said_why_not(machines, says):
    assert SharedMemory("ring", machines, ()).misstated() == says


def test_as_a_model_it_is_the_ring_that_is_written_as_one():
    model, ring = model_of(RING), token_ring(3, 2)
    assert list(model.initial()) == list(ring.initial())
    for state in model.initial():
        assert [action.machine for action in model.enabled(state)] == [f"m{index}" for index in ring.enabled(state)]
        after = [ring.step(state, index) for index in ring.enabled(state)]
        assert [model.step(state, action) for action in model.enabled(state)] == after
        assert [promise.holds(state) for promise in model.promises] == [
            promise.holds(state) for promise in ring.promises
        ]
    assert model.actor(Moved("m1", "copy")) == "m1"
