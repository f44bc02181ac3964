from itertools import islice

import msgspec
import pytest

from gomboc.impl.core.automaton import Commanded, Delivered, Implementation, Received, Send, SetTimer, Timeout
from gomboc.impl.runtime.disciplines import Discipline
from gomboc.impl.runtime.layers import stacked
from gomboc.impl.runtime.simulator import Conditions, Simulation, TimedCommand
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


class Echo(Sum):
    """It delivers each commanded value again."""

    def handle(self, now, event):
        said = [Delivered(event.command)] if isinstance(event, Commanded) else []
        return [*super().handle(now, event), *said]


def toy(name, make):
    decode = msgspec.json.Decoder(Value).decode
    return Implementation(name, name, lambda role, me, state, random: make(me), decode, msgspec.json.encode, decode)


TOKEN, SUM = toy("token", Token), toy("sum", lambda me: Sum())
ECHO = toy("sum", lambda me: Echo())


def start(protocol):
    return {"protocol": protocol, "roles": dict.fromkeys(NAMES, "any"), "states": dict.fromkeys(NAMES), "messages": []}


def hand_over(layer, content):
    """The lower layer hands all up; the upper one hands nothing down."""
    return [("sum", msgspec.to_builtins(content))] if layer == "token" else []


def together(layer, command):
    """The value 0, which is handed over by no layer, is taken in both."""
    return [("sum", ZERO)] if layer == "token" and command.number == 0 else []


ZERO = {"kind": "value", "number": 0}


def two(seed, **conditions):
    lower = Simulation(start("token"), TOKEN, seed, Conditions(**conditions))
    return {"token": lower, "sum": Simulation(start("sum"), SUM, seed + 1)}


def run(seed, steps=600, **conditions):
    return list(islice(stacked(two(seed, **conditions), hand_over, together), steps))


@pytest.mark.parametrize("seed", range(3))
def test_what_the_lower_layer_delivers_is_commanded_above_in_the_same_turn_and_in_order(seed):
    steps = run(seed)
    commanded = 0
    for index, (layer, step) in enumerate(steps[:-3]):
        follow = [(above, taken.node, taken.took, taken.at) for above, taken in steps[index + 1 : index + 3]]
        if step.delivered:
            assert layer == "token"
            assert follow == [("sum", step.node, value, step.at) for value in step.delivered]
        commanded += layer == "sum" and not isinstance(step.took, int | str)
    assert commanded > 50


def test_the_upper_layer_has_timeouts_and_messages_of_its_own():
    above = [step for layer, step in run(1) if layer == "sum"]
    assert {step.node for step in above if step.took == "timeout"} == set(NAMES)
    sent = {message.id for step in above for message in step.sent}
    taken = [step.took for step in above if isinstance(step.took, int)]
    assert len(taken) > 50
    assert set(taken) <= sent


def test_times_never_go_back():
    times = [step.at for _, step in run(2)]
    assert times == sorted(times)
    assert times[-1] > 10


def test_what_nodes_take_together_is_taken_in_both_in_one_turn_and_hands_nothing_over():
    commands = (TimedCommand(3.0, "b", ZERO),)
    steps = run(1, commands=commands)
    (at,) = [index for index, (layer, step) in enumerate(steps) if (layer, step.took) == ("token", Value(0))]
    assert steps[at][1].delivered
    assert [(layer, step.node, step.took, step.at) for layer, step in steps[at + 1 : at + 2]] == [
        ("sum", "b", Value(0), 3.0)
    ]
    assert steps[at + 2][1].at > 3.0


def test_a_delivery_may_be_handed_down_and_what_follows_from_it_up_again():
    def back(layer, content):
        return [("sum" if layer == "token" else "token", msgspec.to_builtins(content))] if content.number == 2 else []

    steps = list(islice(stacked({**two(1), "sum": Simulation(start("sum"), ECHO, 2)}, back, together), 200))
    handed = [
        [(layer, taken.took) for layer, taken in steps[index + 1 : index + 3]]
        for index, (layer, step) in enumerate(steps[:-3])
        if layer == "token" and step.delivered and step.delivered[0] == Value(2) and step.took != Value(2)
    ]
    assert handed
    assert set(map(tuple, handed)) == {(("sum", Value(2)), ("token", Value(2)))}


def test_only_the_lowest_layer_may_run_in_rounds():
    layers = {**two(1), "sum": Simulation(start("sum"), SUM, 1, Conditions(discipline=Discipline.ROUNDS))}
    with refusing("The layer sum runs in rounds, and commands come at the beginning of a round only."):
        next(stacked(layers, hand_over, together))
    assert next(stacked(two(1, discipline=Discipline.ROUNDS), hand_over, together))
