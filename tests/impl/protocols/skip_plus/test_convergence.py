"""Whole systems in the simulator: from a line or a star to the right graph, and through joins and departures."""

from itertools import islice
from random import Random

import msgspec
import pytest

from gomboc.impl.runtime.disciplines import Discipline
from tests.impl.protocols.skip_plus.systems import (
    ALONE,
    OUTSIDE,
    drawn,
    knows,
    line,
    named,
    right_graph,
    simulation,
    star,
    states_after,
)
from tests.sampling import THOROUGH


def assert_quiet(running, states, graph, rounds=2):
    """No timeout changes a state any more, and no node is inserted where it does not belong."""
    for step in islice(running.steps(), rounds * (len(graph) + sum(map(len, graph.values())))):
        if step.took == "timeout":
            assert msgspec.json.decode(step.state) == states[step.node]
        for message in step.sent:
            assert message.to in graph[step.node]
            assert {*message.message.inserts} <= {message.to, *graph[message.to]}


@pytest.mark.parametrize("start", [line, star])
@pytest.mark.parametrize(("nodes", "bits"), [(1, 1), (2, 1), (5, 3), (8, 6), (8, 1), (16, 8)])
@pytest.mark.parametrize("seed", range(3 if THOROUGH else 1))
def test_lines_and_stars_become_right_and_quiet(start, nodes, bits, seed):
    names = drawn(nodes, bits, Random(seed))
    running = simulation(start(names), seed)
    graph = right_graph(names)
    states = states_after(running, 20 + nodes)
    assert knows(states) == graph
    for state in states.values():
        assert state["stable"] == [name for name, _ in state["told"]] == state["neighbours"]
        assert state["gone"] == []
    assert_quiet(running, states, graph)


def test_nodes_with_equal_strings_all_know_each_other_in_the_end():
    names = named(["01"] * 5)
    states = states_after(simulation(line(names)), 20)
    assert knows(states) == {name: [other for other in names if other != name] for name in names}


@pytest.mark.parametrize("seed", range(5 if THOROUGH else 2))
def test_without_rounds_the_graph_becomes_right_as_well(seed):
    names = drawn(8, 6, Random(seed))
    states = states_after(simulation(line(names), seed, discipline=Discipline.UNORDERED), 60)
    assert knows(states) == right_graph(names)


@pytest.mark.parametrize("seed", range(5 if THOROUGH else 2))
def test_references_to_a_node_that_was_never_there_are_forgotten(seed):
    random = Random(seed)
    names = drawn(12, 8, random)
    live = sorted(random.sample(names, 8))
    absent = [name for name in names if name not in live]
    states = line(live) | dict.fromkeys(absent, OUTSIDE)
    for node in live:
        known = {*states[node]["neighbours"], *random.sample(absent, 2)}
        states[node] = {**ALONE, "neighbours": sorted(known)}
    assert knows(states_after(simulation(states, seed), 40)) == right_graph(live)


@pytest.mark.parametrize("seed", range(5 if THOROUGH else 2))
@pytest.mark.parametrize("kind", ["Leave", "Crash"])
def test_the_others_are_right_again_after_a_departure(kind, seed):
    names = drawn(8, 6, Random(seed))
    lost = names[seed]
    running = simulation(line(names), seed, [(40, lost, {"kind": kind})])
    assert knows(states_after(running, 40)) == right_graph(names)
    assert knows(states_after(running, 60)) == right_graph([name for name in names if name != lost])


@pytest.mark.parametrize("seed", range(5 if THOROUGH else 2))
def test_a_node_that_joins_is_where_it_belongs_and_may_come_back_after_a_crash(seed):
    names = drawn(8, 6, Random(seed))
    joining, contact = names[seed], names[7]
    start = line([name for name in names if name != joining]) | {joining: OUTSIDE}
    commands = [(30, joining, {"kind": "Join", "contact": contact}), (50, joining, {"kind": "Crash"})]
    commands += [(51, joining, {"kind": "Join", "contact": contact})]
    running = simulation(start, seed, commands)
    assert knows(states_after(running, 30)) == right_graph([name for name in names if name != joining])
    assert knows(states_after(running, 50)) == right_graph(names)
    assert knows(states_after(running, 80)) == right_graph(names)


def test_a_node_that_joins_through_a_contact_that_is_not_live_is_alone_until_it_is_given_another():
    one, other, absent = names = named(["01", "11", "10"])
    start = {one: OUTSIDE, other: ALONE, absent: OUTSIDE}
    commands = [(1, one, {"kind": "Join", "contact": absent}), (10, one, {"kind": "Join", "contact": other})]
    running = simulation(start, 1, commands)
    assert knows(states_after(running, 10)) == {one: [], other: []}
    assert knows(states_after(running, 20)) == right_graph(names[:2])
