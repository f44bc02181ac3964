"""The specification and the implementation of the skip ring, side by side under one schedule, wherever they start."""

from random import Random

import msgspec
import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from gomboc.checker.simulate.plan import header_of
from gomboc.impl.api.registry import implementation
from gomboc.impl.protocols.skip_ring.core import Subscriber
from gomboc.impl.protocols.skip_ring.placing import Placing
from gomboc.impl.protocols.skip_ring.printed_ring import PrintedRingPlacing
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


def self_conscious_subscriber(monkeypatch):
    """Of the printed ring, with a guard that is not printed: it does not place itself."""
    placed = PrintedRingPlacing.place_in_list
    monkeypatch.setattr(
        PrintedRingPlacing,
        "place_in_list",
        lambda self, subject: None if subject.node == self.u.me else placed(self, subject),
    )


def careful_subscriber(monkeypatch):
    """Of the printed ring, with line 34 repaired: the farther candidate is told of the other one."""
    monkeypatch.setattr(PrintedRingPlacing, "_keep_the_farther", Placing._extend_ring)


@pytest.mark.parametrize("fault", [self_conscious_subscriber, careful_subscriber])
def test_a_repair_of_what_was_printed_is_another_protocol(monkeypatch, fault):
    fault(monkeypatch)
    sides = PRINTED["printed_build_ring"]
    runs = ((PROTOCOL.starts.start(2), drawn_schedule(Random(seed), 40)) for seed in range(20))
    assert any(step_that_differs(sides, *run) for run in runs)


def credulous_subscriber(monkeypatch):
    """It takes each claim for first hand."""
    believes = Placing.believes
    monkeypatch.setattr(
        Placing, "believes", lambda self, subject, flag, *, first_hand: believes(self, subject, flag, first_hand=True)
    )


def deaf_subscriber(monkeypatch):
    """It does not answer a probe."""
    monkeypatch.setattr(Subscriber, "_probe", lambda self, node, flag: None)


def loaded_coin(monkeypatch):
    """A subscriber with a label of two bits asks with the probability that would be right for one bit."""
    chance = Subscriber._chance_to_ask
    monkeypatch.setattr(
        Subscriber, "_chance_to_ask", lambda self, own: 0.5 if len(own.written[0]) == 2 else chance(self, own)
    )


SMALL = RING.runs_of(2, 30)
SEARCH = settings(max_examples=20_000, phases=[Phase.generate, Phase.shrink], database=None, derandomize=True)


@pytest.mark.parametrize(
    "fault",
    [credulous_subscriber, *(pytest.param(fault, marks=pytest.mark.dear) for fault in (deaf_subscriber, loaded_coin))],
)
def test_a_fault_in_the_implementation_is_found_and_shrinks_to_a_short_schedule(monkeypatch, fault):
    fault(monkeypatch)
    _, schedule = find(SMALL, lambda run: step_that_differs(RING, *run) is not None, settings=SEARCH)
    assert len(schedule) <= 6


def test_nothing_is_found_where_there_is_no_fault():
    few = settings(SEARCH, max_examples=100)
    with pytest.raises(NoSuchExample):
        find(SMALL, lambda run: step_that_differs(RING, *run) is not None, settings=few)


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
@given(
    st.integers(1, 5).flatmap(lambda nodes: RING.starts_of(nodes, 3 * nodes)),
    st.integers(0, 2**32 - 1),
)
def test_the_implementation_comes_to_the_skip_ring_from_anywhere(start, seed):
    """Within the rounds that the specification gives a ring of that size; a period is about a round.

    Source: Theorem 8
    """
    assert becomes_legitimate(start, seed, PROTOCOL.starts.bound(len(start.roles) - 1))
