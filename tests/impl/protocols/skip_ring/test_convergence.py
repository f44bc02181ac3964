from itertools import islice

import msgspec
import pytest

from gomboc.impl.api.registry import implementation
from gomboc.impl.runtime.simulator import Conditions, Simulation, TimedCommand
from tests.impl.protocols.skip_ring.starts import BLANK, blank, corrupted, header, names, skip_ring

LEAVE = {"kind": "Unsubscribe"}
JOIN = {"kind": "Subscribe"}
LABELS = ["0", "1", "01", "11", "001", "011", "101", "111", "0001", "0011", "0101", "0111"]


def converges(start, seed, within, commands=(), since=0.0, members=None):
    """Whether every member has its state of SR(n) and every other node is blank, at some time after `since`."""
    options = Conditions(tail_probability=0.02, commands=commands)
    simulation = Simulation(start, implementation("skip_ring"), seed, options)
    states = dict(start["states"])
    members = set(states) - {"supervisor"} if members is None else set(members)
    for taken, step in enumerate(simulation.steps()):
        states[step.node] = step.state
        if simulation.now > within or (taken % 50 == 0 and simulation.now > since and is_skip_ring(states, members)):
            break
    return is_skip_ring(states, members)


def is_skip_ring(states, members):
    read = {
        node: msgspec.json.decode(state) if isinstance(state, msgspec.Raw) else state for node, state in states.items()
    }
    database = dict(read.pop("supervisor")["database"])
    if set(database.values()) != members or set(database) != set(LABELS[: len(members)]):
        return False
    expected = skip_ring(database)
    away = {**BLANK, "wants": False}
    return all(state == expected.get(node, away) for node, state in read.items())


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 9, 12])
def test_blank_subscribers_become_a_skip_ring(size):
    assert converges(blank(size), seed=size, within=1_000)


@pytest.mark.parametrize("seed", range(24))
def test_corrupted_subscribers_become_a_skip_ring(seed):
    assert converges(corrupted(1 + seed % 8, seed), seed, within=3_000)


def test_a_node_that_leaves_is_forgotten_and_may_come_back():
    everyone = names(6)
    leave = tuple(TimedCommand(100, node, LEAVE) for node in everyone[:2])
    assert converges(blank(6), 1, 2_000, leave, since=100, members=everyone[2:])
    back = (*leave, TimedCommand(400, everyone[0], JOIN))
    assert converges(blank(6), 1, 2_000, back, since=400, members=[everyone[0], *everyone[2:]])


def test_all_may_leave():
    commands = tuple(TimedCommand(50, node, LEAVE) for node in names(3))
    simulation = Simulation(blank(3), implementation("skip_ring"), 1, Conditions(commands=commands))
    last = {step.node: msgspec.json.decode(step.state) for step in islice(simulation.steps(), 6_000)}
    assert last.pop("supervisor")["database"] == []
    assert list(last.values()) == [{**BLANK, "wants": False}] * 3


def test_a_skip_ring_stays_one():
    database = dict(zip(LABELS[:5], names(5), strict=True))
    states = {"supervisor": {"database": sorted(map(list, database.items())), "next": 0}, **skip_ring(database)}
    for step in islice(Simulation(header(states), implementation("skip_ring"), 1).steps(), 5_000):
        if step.node != "supervisor":
            assert msgspec.json.decode(step.state) == states[step.node]


def test_the_printed_variant_runs_too():
    simulation = Simulation(blank(4), implementation("skip_ring.printed_linearize"), 1)
    last = {step.node: msgspec.json.decode(step.state) for step in islice(simulation.steps(), 5_000)}
    assert is_skip_ring(last, set(names(4)))
