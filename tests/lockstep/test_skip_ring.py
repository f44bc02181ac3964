"""The specification and the implementation of the skip ring, side by side under one schedule, wherever they start."""

import math
from functools import cache
from random import Random

import msgspec
import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from checker.campaign.plan import header_of
from checker.strategies import strategy
from impl.automaton import Commanded, Received, Send, Timeout, Traced
from impl.registry import implementation
from impl.simulator import Simulation
from impl.skip_ring import IMPLEMENTATION
from impl.skip_ring.core import Subscriber
from impl.skip_ring.placing import Placing
from spec import model
from spec.model import CERTAIN
from spec.protocol import Size, legitimacy_faults
from spec.skip_ring import PROTOCOL

MOST_IN_FLIGHT = 4
COMMANDS = ('{"kind":"unsubscribe"}', '{"kind":"subscribe"}')

MESSAGE = msgspec.json.Decoder(PROTOCOL.message)
COMMAND = msgspec.json.Decoder(PROTOCOL.command)
encode = msgspec.json.encode


@cache
def starts_of(nodes, messages):
    """Any start of that many subscribers, with at most that many messages in flight; built once, since it is large."""
    return strategy(PROTOCOL.space(Size(nodes, messages)))


def runs_of(most_nodes, most_steps):
    """A start, and for each step a number that chooses what happens next, and whether a coin says "ask"."""
    starts = st.integers(1, most_nodes).flatmap(lambda nodes: starts_of(nodes, MOST_IN_FLIGHT))
    return st.tuples(starts, st.lists(st.tuples(st.integers(0, 255), st.booleans()), max_size=most_steps))


class Coin:
    """A source of randomness whose next number lies on this side of a probability, as close to it as can be."""

    def __init__(self):
        self.asks, self.chance = False, 0.5

    def random(self):
        return math.nextafter(self.chance, 0.0) if self.asks else self.chance


def core_of(name, role, local, coin):
    return IMPLEMENTATION.make(role, name, msgspec.to_builtins(local), coin)


def as_inputs(kind, written):
    """What a node takes, in the specification's words and in the implementation's."""
    if kind == "timeout":
        return model.Timeout(), Timeout()
    raw = written.encode()
    if kind == "message":
        return model.Received(MESSAGE.decode(raw)), Received(IMPLEMENTATION.decode(raw))
    return model.Commanded(COMMAND.decode(raw)), Commanded(IMPLEMENTATION.decode_command(raw))


def both_steps(name, local, core, coin, what, asks):
    """One input for both: the specification's outcome, and the same of the implementation, each as JSON."""
    taken, ours = as_inputs(*what)
    choices = PROTOCOL.choices(name, local, taken)
    choice = choices[0] if asks or choices == CERTAIN else choices[-1]
    coin.asks, coin.chance = asks, float(choices[0].probability) if choices != CERTAIN else 0.5
    outcome = PROTOCOL.react(name, local, taken, choice)
    outputs = core.handle(0.0, ours)
    said = [output.coin for output in outputs if isinstance(output, Traced)]
    spec = (
        msgspec.to_builtins(outcome.local),
        sorted((send.target, encode(send.message).decode()) for send in outcome.sends),
        [choice.name] if choices != CERTAIN else said,
    )
    impl = (
        msgspec.json.decode(core.snapshot()),
        sorted((output.to, encode(output.message).decode()) for output in outputs if isinstance(output, Send)),
        said,
    )
    return outcome.local, jsonlike(spec), jsonlike(impl)


def jsonlike(value):
    """Tuples as arrays, so that what both write is compared as what a trace would hold."""
    return msgspec.json.decode(encode(value))


def step_that_differs(start, schedule):
    """The first step in which the two differ, with what each does; None if they agree to the end."""
    roles, locals_, coin = dict(start.roles), dict(start.locals), Coin()
    cores = {name: core_of(name, role, locals_[name], coin) for name, role in roles.items()}
    in_flight = [(target, encode(message).decode()) for target, message in start.in_flight]
    subscribers = [name for name, role in roles.items() if role == "subscriber"]
    for number, (chosen, asks) in enumerate(schedule, 1):
        possible = [(target, ("message", written)) for target, written in in_flight]
        possible += [(name, ("timeout", "")) for name in roles]
        # Rare, as applications are: only the highest numbers of the schedule reach a command.
        possible = possible * 4 + [(name, ("command", command)) for name in subscribers for command in COMMANDS]
        name, what = possible[chosen % len(possible)]
        if what[0] == "message":
            in_flight.remove((name, what[1]))
        locals_[name], spec, impl = both_steps(name, locals_[name], cores[name], coin, what, asks)
        if spec != impl:
            return number, name, what, spec, impl
        in_flight += [(target, written) for target, written in spec[1]]
    return None


@settings(max_examples=600)
@given(runs_of(4, 60))
def test_specification_and_implementation_take_the_same_steps_from_anywhere(run):
    start, schedule = run
    assert step_that_differs(start, schedule) is None


@settings(max_examples=40)
@given(runs_of(4, 1), st.integers(0, 2**32 - 1))
def test_they_still_take_the_same_steps_after_hundreds(run, seed):
    start, _ = run
    random = Random(seed)
    schedule = [(random.randrange(256), random.random() < 0.3) for _ in range(400)]
    assert step_that_differs(start, schedule) is None


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


SMALL = runs_of(2, 30)
SEARCH = settings(max_examples=5_000, phases=[Phase.generate, Phase.shrink], database=None, derandomize=True)


@pytest.mark.parametrize("fault", [credulous_subscriber, deaf_subscriber, loaded_coin])
def test_a_fault_in_the_implementation_is_found_and_shrinks_to_a_short_schedule(monkeypatch, fault):
    fault(monkeypatch)
    _, schedule = find(SMALL, lambda run: step_that_differs(*run) is not None, settings=SEARCH)
    assert len(schedule) <= 6


def test_nothing_is_found_where_there_is_no_fault():
    few = settings(SEARCH, max_examples=100)
    with pytest.raises(NoSuchExample):
        find(SMALL, lambda run: step_that_differs(*run) is not None, settings=few)


def becomes_legitimate(start, seed, periods):
    """Whether the implementation alone comes to SR(n), as the specification defines it, messages included."""
    simulation = Simulation(header_of(PROTOCOL, start) | {"origin": {}}, implementation("skip_ring"), seed)
    decoders = {name: msgspec.json.Decoder(PROTOCOL.roles[role]) for name, role in start.roles}
    states = dict(start.locals)
    in_flight = dict(enumerate(start.in_flight))
    for step in simulation.steps():
        states[step.node] = decoders[step.node].decode(step.state)
        in_flight.pop(step.took if isinstance(step.took, int) else None, None)
        in_flight.update((each.id, (each.to, MESSAGE.decode(encode(each.message)))) for each in step.sent)
        if step.node == "supervisor" and not legitimacy_faults(PROTOCOL, states, tuple(in_flight.values())):
            return {entry.node for entry in states["supervisor"].database} == set(states) - {"supervisor"}
        if simulation.now > periods:
            return False
    raise AssertionError("a simulation goes on for ever")


@settings(max_examples=200)
@given(
    st.integers(1, 5).flatmap(lambda nodes: starts_of(nodes, 3 * nodes)),
    st.integers(0, 2**32 - 1),
)
def test_the_implementation_comes_to_the_skip_ring_from_anywhere(start, seed):
    """Within the rounds that the specification gives a ring of that size; a period is about a round.

    Source: Theorem 8
    """
    assert becomes_legitimate(start, seed, PROTOCOL.bound(len(start.roles) - 1))
