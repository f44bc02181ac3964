from itertools import islice

import msgspec
import pytest

from gomboc.checker.judge.layers import joined
from gomboc.checker.judge.verdict import Holds, Violated
from gomboc.impl.core.automaton import Commanded, Delivered, Implementation, Received, Send, SetTimer, Timeout
from gomboc.impl.runtime.disciplines import Discipline
from gomboc.impl.runtime.layers import on
from gomboc.impl.runtime.simulator import Conditions, Simulation
from tests.impl.refusing import refusing

NAMES = ["a", "b", "c"]


class Value(msgspec.Struct, frozen=True, tag_field="kind", tag="value"):
    number: int


class Token:
    """The lower layer: a token goes around, and its holder delivers two values of its own."""

    def __init__(self, name):
        self.name, self.count = name, 0

    def snapshot(self):
        return msgspec.Raw(b'{"count":%d}' % self.count)

    def handle(self, now, event):
        if isinstance(event, Timeout):
            return [SetTimer(now + 1.0), *([Send("b", Value(0))] if self.name == "a" else [])]
        self.count += 1
        values = [Delivered(Value(2 * self.count)), Delivered(Value(2 * self.count + 1))]
        return [*values, *([] if self.name == "c" else [Send(NAMES[NAMES.index(self.name) + 1], Value(0))])]


class Sum:
    """The upper layer: it adds up the commanded values."""

    def __init__(self):
        self.values = []

    def snapshot(self):
        return msgspec.Raw(msgspec.json.encode(self.values))

    def handle(self, now, event):
        match event:
            case Commanded(Value(number)):
                self.values.append(number)
                return [Send("a", Value(number))]
            case Received():
                return []
        return [SetTimer(now + 1.0)]


def toy(name, make):
    decode = msgspec.json.Decoder(Value).decode
    return Implementation(name, name, lambda role, me, state, random: make(me), decode, msgspec.json.encode, decode)


TOKEN, SUM = toy("token", Token), toy("sum", lambda me: Sum())


def start(protocol):
    return {"protocol": protocol, "roles": dict.fromkeys(NAMES, "any"), "states": dict.fromkeys(NAMES), "messages": []}


def run(seed, steps=600):
    return list(islice(on(Simulation(start("token"), TOKEN, seed), Simulation(start("sum"), SUM, seed + 1)), steps))


@pytest.mark.parametrize("seed", range(3))
def test_what_the_lower_layer_delivers_is_commanded_above_in_the_same_turn_and_in_order(seed):
    steps = run(seed)
    commanded = 0
    for index, (layer, step) in enumerate(steps[:-3]):
        follow = [(above, taken.node, taken.took) for above, taken in steps[index + 1 : index + 3]]
        if step.delivered:
            assert layer == "lower"
            assert follow == [("upper", step.node, value) for value in step.delivered]
        commanded += layer == "upper" and not isinstance(step.took, int | str)
    assert commanded > 50


def test_the_upper_layer_has_timeouts_and_messages_of_its_own():
    above = [step for layer, step in run(1) if layer == "upper"]
    assert {step.node for step in above if step.took == "timeout"} == set(NAMES)
    sent = {message.id for step in above for message in step.sent}
    taken = [step.took for step in above if isinstance(step.took, int)]
    assert len(taken) > 50
    assert set(taken) <= sent


@pytest.mark.parametrize("seed", range(3))
def test_the_judge_joins_what_ran_together_and_nothing_else(seed):
    def judged(below, above):
        lower = [step for layer, step in below if layer == "lower"]
        return joined(lower, [step for layer, step in above if layer == "upper"])

    here, other = (whole_turns(run(seed_)) for seed_ in (seed, seed + 7))
    assert isinstance(judged(here, here), Holds)
    assert isinstance(judged(here, other[: len(other) // 2]), Violated)


def whole_turns(steps):
    """All but the last turn, which may not be there to its end."""
    last = max(index for index, (layer, step) in enumerate(steps) if layer == "lower" and step.delivered)
    return steps[:last]


def test_both_layers_live_in_one_time():
    lower, upper = Simulation(start("token"), TOKEN, 1), Simulation(start("sum"), SUM, 2)
    for _ in islice(on(lower, upper), 500):
        assert abs(lower.next_at - upper.next_at) < 2
    assert lower.now > 10


def test_rounds_cannot_stand_on_another_layer():
    upper = Simulation(start("sum"), SUM, 1, Conditions(discipline=Discipline.ROUNDS))
    with refusing("A protocol in rounds stands on no other layer: commands come at the beginning of a round."):
        next(on(Simulation(start("token"), TOKEN, 1), upper))
