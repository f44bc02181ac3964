import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import msgspec
import pytest

from gomboc.impl.api import recorder
from gomboc.impl.api.registry import implementation
from gomboc.impl.core.automaton import Delivered, Implementation, Send, SetTimer, Timeout
from gomboc.impl.runtime.simulator import Conditions, Simulation, TimedCommand
from tests.impl.protocols.skip_ring.starts import blank, corrupted
from tests.impl.refusing import refusing

SKIP_RING = implementation("skip_ring")
LEAVE = {"kind": "Unsubscribe"}
PRINT_A_TRACE = """
import sys
from itertools import islice
from gomboc.impl.api.recorder import lines
from gomboc.impl.api.registry import implementation
from gomboc.impl.runtime.simulator import Simulation
from tests.impl.protocols.skip_ring.starts import corrupted
start = corrupted(6, seed=3)
simulation = Simulation(start, implementation("skip_ring"), 7)
sys.stdout.buffer.writelines(lines(start, islice(simulation.steps(), 3_000)))
"""


def run(start, seed, count, options=None):
    return list(islice(Simulation(start, SKIP_RING, seed, options).steps(), count))


def printed_under(hash_seed):
    return subprocess.run(
        [sys.executable, "-c", PRINT_A_TRACE],
        check=True,
        capture_output=True,
        cwd=Path(__file__).parents[3],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
    ).stdout


def test_a_run_is_the_same_under_every_hash_seed():
    start = corrupted(6, seed=3)
    here = b"".join(recorder.lines(start, run(start, 7, 3_000)))
    assert printed_under("0") == printed_under("1") == here


def test_another_seed_is_another_run_and_the_order_of_the_keys_in_the_header_means_nothing():
    start = corrupted(5, seed=2)
    turned = {**start, "roles": dict(reversed(start["roles"].items()))}
    assert run(start, 1, 300) == run(turned, 1, 300) != run(start, 2, 300)


def test_every_message_is_delivered_once_to_its_target_and_unaltered():
    start = corrupted(5, seed=4)
    simulation = Simulation(start, SKIP_RING, 1)
    in_flight = {message["id"]: message["to"] for message in start["messages"]}
    numbers = set(in_flight)
    for step in islice(simulation.steps(), 5_000):
        if isinstance(step.took, int):
            assert in_flight.pop(step.took) == step.node
        for sent in step.sent:
            assert sent.id not in numbers
            numbers.add(sent.id)
            in_flight[sent.id] = sent.to


def test_messages_overtake_each_other_without_bound():
    overtaken = 0
    latest = -1
    for step in run(blank(4), 1, 20_000):
        if isinstance(step.took, int):
            overtaken = max(overtaken, latest - step.took)
            latest = max(latest, step.took)
    assert overtaken > 1_000


def test_each_node_times_out_about_once_per_period():
    simulation = Simulation(blank(3), SKIP_RING, 1)
    timeouts = dict.fromkeys(blank(3)["roles"], 0)
    for step in simulation.steps():
        if simulation.now > 1_000:
            break
        timeouts[step.node] += step.took == "timeout"
    assert all(980 <= count <= 1_020 for count in timeouts.values())


def test_a_command_is_taken_at_its_time():
    commands = (TimedCommand(5, "s001", LEAVE), TimedCommand(5, "s000", LEAVE))
    simulation = Simulation(blank(2), SKIP_RING, 1, Conditions(commands=commands))
    taken = [
        (simulation.now, step.node, msgspec.to_builtins(step.took), step.sent)
        for step in islice(simulation.steps(), 100)
        if isinstance(step.took, msgspec.Struct)
    ]
    assert taken == [(5, "s001", LEAVE, []), (5, "s000", LEAVE, [])]


def test_a_thousand_subscribers_are_all_recorded_soon():
    simulation = Simulation(blank(1_000), SKIP_RING, 1, Conditions(tail_probability=0))
    database = []
    for step in simulation.steps():
        if simulation.now > 4:
            break
        if step.node == "supervisor":
            database = step.state
    assert len(msgspec.json.decode(database)["database"]) == 1_000


class Echo:
    """A core that hands everything to its application, and sends one message to `to`."""

    def __init__(self, to):
        self.to = to

    def handle(self, now, event):
        sends = [Send(self.to, Timeout())] if isinstance(event, Timeout) else []
        return [Delivered(now), Delivered("twice"), SetTimer(now + 1), *sends]

    def snapshot(self):
        return msgspec.Raw(b"{}")


def echo(to):
    return Implementation(
        "echo", "echo", lambda *_: Echo(to), lambda _: Timeout(), msgspec.json.encode, lambda _: Timeout()
    )


ECHO = {"protocol": "echo", "roles": {"a": "any"}, "states": {"a": {}}, "messages": []}


def test_deliveries_are_recorded_in_order():
    simulation = Simulation(ECHO, echo("a"), 1)
    for step in islice(simulation.steps(), 3):
        assert step.delivered == (simulation.now, "twice")


def test_a_node_that_sends_to_no_node_stops_the_run():
    with refusing("Node a sends to b, which has no role in the header."):
        next(Simulation(ECHO, echo("b"), 1).steps())


MESSAGE = {"id": 3, "to": "s000", "message": {"kind": "Probe", "sender": "s000", "flag": "LIN"}}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"protocol": "skip_plus"}, "The header is for skip_plus, but skip_ring is for another protocol."),
        ({"roles": {}}, "The header names no node."),
        ({"states": {}}, "The header does not give a state to exactly the nodes that have a role."),
        ({"messages": [{**MESSAGE, "to": "x"}]}, "The header's message 3 is for x, which has no role."),
        ({"messages": [MESSAGE, MESSAGE]}, "The header gives one id to two messages."),
        ({"messages": None}, "The header cannot be read: Expected `array`, got `null` - at `$.messages`."),
        (
            {"messages": [{**MESSAGE, "message": {"kind": "Probe"}}]},
            "The header's message 3 cannot be read. "
            "This is not a message of the skip ring: Object missing required field `sender`.",
        ),
    ],
)
def test_a_header_that_makes_no_sense_is_refused(change, message):
    with refusing(message):
        Simulation({**blank(1), **change}, SKIP_RING, 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"commands": [TimedCommand(1, "x", LEAVE)]}, "A command is for x, which has no role in the header."),
        (
            {"commands": [TimedCommand(-1, "s000", LEAVE)]},
            "The command for s000 is due at -1, which is no time of the run.",
        ),
        (
            {"commands": [TimedCommand(1, "s000", {})]},
            "This is not a command of the skip ring: Object missing required field `kind`.",
        ),
        ({"mean_delay": 0}, "The mean delay has to be above 0 and finite, not 0."),
        ({"tail_probability": 1.5}, "The tail's probability has to be from 0 to 1, not 1.5."),
        ({"tail_exponent": 0}, "The tail's exponent has to be at least 0.1, not 0."),
        ({"jitter": 1}, "The jitter has to be at least 0 and below 1, not 1."),
    ],
)
def test_conditions_that_make_no_sense_are_refused(options, message):
    with refusing(message):
        Simulation(blank(1), SKIP_RING, 1, Conditions(**options))
