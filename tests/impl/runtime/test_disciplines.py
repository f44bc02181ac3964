import math
from itertools import islice
from random import Random

import pytest

from gomboc.impl.runtime.clock import ManualClock
from gomboc.impl.runtime.disciplines import Discipline
from gomboc.impl.runtime.memory import MemoryNetwork
from gomboc.impl.runtime.simulator import Conditions, Simulation, TimedCommand
from tests.toys.distances.impl import IMPLEMENTATION as DISTANCES
from tests.toys.queue.impl import IMPLEMENTATION as QUEUE


def line(nodes, messages=()):
    """The start of a line of nodes that know no other node."""
    names = [f"n{index}" for index in range(nodes)]
    blank = {"distance": 7, "left": 10, "right": 10, "crashed": False}
    return {
        "protocol": "distances",
        "roles": dict.fromkeys(names, "node"),
        "states": {name: {**blank, "last": name == names[-1]} for name in names},
        "messages": list(messages),
    }


def queue(readers):
    names = [f"r{index}" for index in range(1, readers + 1)]
    return {
        "protocol": "queue",
        "roles": {"p": "publisher", **dict.fromkeys(names, "reader")},
        "states": {
            "p": {"last": 0, "readers": names, "crashed": False},
            **{name: {"last": 0, "crashed": False} for name in names},
        },
        "messages": [],
    }


def publishing(times, **options):
    commands = tuple(TimedCommand(at, "p", {"kind": "publish"}) for at in times)
    return Conditions(mean_delay=2.0, commands=commands, **options)


STRANGE = {"id": 0, "to": "n1", "message": {"kind": "tell", "node": "n0", "distance": 4}}


@pytest.mark.parametrize("seed", range(5))
def test_what_is_sent_in_a_round_arrives_in_the_next_one_and_before_the_timeout(seed):
    simulation = Simulation(line(4, [STRANGE]), DISTANCES, seed, Conditions(discipline=Discipline.ROUNDS))
    sent_in, waiting, rounds = {0: -1}, {"n1": {0}}, dict.fromkeys(line(4)["roles"], 0)
    for step in islice(simulation.steps(), 1_000):
        now = math.floor(simulation.now)
        if step.took == "timeout":
            assert rounds[step.node] == now == min(rounds.values())
            assert all(sent_in[message] == now for message in waiting.get(step.node, ()))
            rounds[step.node] += 1
        else:
            assert sent_in[step.took] == now - 1
            waiting[step.node].remove(step.took)
        for sent in step.sent:
            sent_in[sent.id] = now
            waiting.setdefault(sent.to, set()).add(sent.id)
    assert min(rounds.values()) == 100


def overtakings(steps):
    """How many messages were delivered before an earlier one of the same link."""
    links, overtaken = {}, 0
    for step in steps:
        for sent in step.sent:
            links.setdefault((step.node, sent.to), []).append(sent.id)
        if isinstance(step.took, int):
            link = next(queue for queue in links.values() if step.took in queue)
            overtaken += link[0] != step.took
            link.remove(step.took)
    return overtaken


@pytest.mark.parametrize("seed", range(5))
def test_what_one_node_sends_another_arrives_in_order_and_only_under_fifo(seed):
    steps = {
        discipline: list(
            islice(Simulation(queue(3), QUEUE, seed, publishing((1, 2, 3), discipline=discipline)).steps(), 600)
        )
        for discipline in (Discipline.FIFO, Discipline.UNORDERED)
    }
    assert overtakings(steps[Discipline.FIFO]) == 0
    assert overtakings(steps[Discipline.UNORDERED]) > 0


@pytest.mark.parametrize("discipline", Discipline)
def test_a_network_in_memory_keeps_the_same_orders(discipline):
    clock = ManualClock()
    network, heard = MemoryNetwork(clock, Random(1), discipline=discipline), []
    for name in "ab":
        network.transport(name).listen(lambda parcel, to=name: heard.append((clock.now(), to, parcel)), pytest.fail)
    sent = {}
    for _ in range(40):
        clock.advance(0.05)
        for sender, to in ("ab", "ba"):
            sent[network.send(sender, to, b"")] = clock.now()
    clock.advance(50)
    assert len(heard) == len(sent)
    for to in "ab":
        numbers = [parcel.number for _, receiver, parcel in heard if receiver == to]
        assert (numbers == sorted(numbers)) is (discipline is Discipline.FIFO)
    if discipline is Discipline.ROUNDS:
        assert all(math.floor(at) == math.floor(sent[parcel.number]) + 1 for at, _, parcel in heard)
