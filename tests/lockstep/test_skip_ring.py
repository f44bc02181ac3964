"""The specification and the implementation of the skip ring, side by side under one schedule, wherever they start."""

from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gomboc.checker.simulate.plan import header_of
from gomboc.impl.api.registry import implementation
from gomboc.impl.runtime.simulator import Simulation
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.protocols.skip_ring import PROTOCOL
from tests.lockstep.side_by_side import Sides, drawn_schedule, step_that_differs
from tests.sampling import share

pytestmark = pytest.mark.long

RING = Sides()
PRINTED = {name: Sides(variant=name) for name in ("printed_linearize", "printed_build_ring")}
"""The variants that both sides have, each read from the paper twice."""


@settings(max_examples=share(600))
@given(RING.runs_of(4, 60))
def test_specification_and_implementation_take_the_same_steps_from_anywhere(run):
    start, schedule = run
    assert step_that_differs(RING, start, schedule) is None


@settings(max_examples=share(40))
@given(RING.runs_of(4, 1), st.integers(0, 2**32 - 1))
def test_they_still_take_the_same_steps_after_hundreds(run, seed):
    start, _ = run
    random = Random(seed)
    schedule = drawn_schedule(random, 400)
    assert step_that_differs(RING, start, schedule) is None


@pytest.mark.parametrize("variant", PRINTED)
@settings(max_examples=share(100))
@given(run=RING.runs_of(3, 40))
def test_both_read_what_was_printed_alike(variant, run):
    start, schedule = run
    assert step_that_differs(PRINTED[variant], start, schedule) is None


@pytest.mark.parametrize("nodes", [2, 5, 16])
def test_both_readings_of_the_printed_ring_break_a_right_ring_alike(nodes):
    """Source: Theorem 13; Algorithms 1 and 2."""
    start = PROTOCOL.starts.start(nodes)
    assert step_that_differs(PRINTED["printed_build_ring"], start, drawn_schedule(Random(nodes), 20 * nodes)) is None


def becomes_legitimate(start, seed, periods):
    """Whether the implementation alone comes to SR(n), as the specification defines it, messages included."""
    simulation = Simulation(header_of(PROTOCOL, start) | {"origin": {}}, implementation("skip_ring"), seed)
    decoders = {name: msgspec.json.Decoder(PROTOCOL.vocabulary.roles[role]) for name, role in start.roles}
    states = dict(start.locals)
    in_flight = dict(enumerate(start.in_flight))
    for step in simulation.steps():
        states[step.node] = decoders[step.node].decode(step.state)
        in_flight.pop(step.took if isinstance(step.took, int) else None, None)
        in_flight.update(
            (message.id, (message.to, RING.message.decode(msgspec.json.encode(message.message))))
            for message in step.sent
        )
        if step.node == "supervisor" and not legitimacy_faults(PROTOCOL, states, tuple(in_flight.values())):
            return {entry.node for entry in states["supervisor"].database} == set(states) - {"supervisor"}
        if simulation.now > periods:
            return False
    raise AssertionError("a simulation goes on for ever")


@settings(max_examples=share(200))
@given(st.integers(1, 5).flatmap(lambda nodes: RING.starts_of(nodes, 3 * nodes)), st.integers(0, 2**32 - 1))
def test_the_implementation_comes_to_the_skip_ring_from_anywhere(start, seed):
    """Within the rounds that the specification gives a ring of that size; a period is about a round.

    Source: Theorem 8
    """
    assert becomes_legitimate(start, seed, PROTOCOL.starts.bound(len(start.roles) - 1))
