"""Whole rings in the simulator: grown by joins, mended after crashes, found again with the help of peers."""

from itertools import pairwise
from random import Random

import pytest

from gomboc.impl.runtime.disciplines import Discipline
from gomboc.impl.runtime.failures import Budget
from tests.golden.chord.starts import ALONE, CRASHED, OUTSIDE
from tests.impl.protocols.chord.systems import (
    id_in,
    numbered,
    right_ring,
    ring_of,
    simulation,
    states_after,
    successors_of,
    survivors,
)


def drawn(nodes, random):
    return [f"n{number}" for number in random.sample(range(64), nodes)]


def assert_becomes(running, expected, since, within):
    """The ring is this one after some period, and still so two periods later."""
    for period in range(since, since + within):
        if ring_of(states_after(running, period)) == expected:
            assert ring_of(states_after(running, period + 2)) == expected
            return
    assert ring_of(states_after(running, since + within)) == expected


@pytest.mark.parametrize("nodes", range(2, 17))
@pytest.mark.parametrize("r", [1, 3])
def test_any_node_that_joins_a_ring_of_one_in_any_order_is_where_it_belongs(nodes, r):
    random = Random(nodes)
    first, *others = names = drawn(nodes, random)
    joins = [(10 * random.random(), name, {"kind": "Join", "contact": first}) for name in others]
    running = simulation({first: ALONE} | dict.fromkeys(others, OUTSIDE), numbered(r=r), nodes, joins)
    assert_becomes(running, right_ring(names, r=r), 10, 40)


def test_a_node_that_joins_through_another_that_is_not_inside_yet_is_let_in_as_well():
    names = [f"n{number}" for number in (5, 17, 30, 42, 59)]
    joins = [(1, name, {"kind": "Join", "contact": contact}) for contact, name in pairwise(names)]
    joins.append((5, names[0], {"kind": "Join", "contact": names[0]}))
    assert_becomes(simulation(dict.fromkeys(names, OUTSIDE), commands=joins), right_ring(names), 5, 40)


@pytest.mark.parametrize(
    ("discipline", "failures"),
    [
        (Discipline.UNORDERED, None),
        (Discipline.UNORDERED, Budget(detection=0.5)),
        (Discipline.FIFO, Budget(detection=0.5)),
    ],
    ids=["mailboxes answer", "mailboxes and a detector", "a detector alone"],
)
@pytest.mark.parametrize("seed", range(3))
def test_the_ring_mends_after_half_of_its_nodes_crashed(seed, discipline, failures):
    random = Random(seed)
    names = drawn(16, random)
    left = survivors(id_in(names, 6), 6, 8, 3, random)
    crashes = [(random.random(), name, {"kind": "Crash"}) for name in names if name not in left]
    running = simulation(right_ring(names), None, seed, crashes, failures, discipline)
    assert_becomes(running, right_ring(left), 2, 40)


@pytest.mark.parametrize("seed", range(3))
def test_the_ring_mends_after_some_have_left(seed):
    random = Random(seed)
    names = drawn(12, random)
    left = survivors(id_in(names, 6), 6, 4, 3, random)
    leaves = [(5 * random.random(), name, {"kind": "Leave"}) for name in names if name not in left]
    running = simulation(right_ring(names), None, seed, leaves)
    assert_becomes(running, right_ring(left), 6, 30)


def arbitrary(me, names, r, random):
    """A node that is inside, in an arbitrary state."""
    others = [name for name in names if name != me]
    known = random.sample(others, random.randrange(min(r, len(others)) + 1))
    ring = successors_of(id_in([me], 6)[me], id_in(known, 6), 6)
    fingers = [[number, random.choice(others)] for number in range(6) if random.random() < 0.5]
    return {
        **ALONE,
        "predecessor": random.choice([None, *others]),
        "successors": ring,
        "fingers": fingers,
        "next": random.randrange(6),
    }


@pytest.mark.parametrize("seed", range(8))
def test_with_peers_the_ring_is_found_from_any_states_also_with_the_dead_in_them(seed):
    random = Random(seed)
    names = drawn(9, random)
    inside, gone = names[:7], names[7:]
    states = {me: {**arbitrary(me, names, 2, random), "peers": sorted({*inside} - {me})} for me in inside}
    states |= dict.fromkeys(gone, CRASHED)
    running = simulation(states, numbered(r=2, meet=True), seed)
    expected = {name: {**state, "peers": states[name]["peers"]} for name, state in right_ring(inside, r=2).items()}
    assert_becomes(running, expected, 1, 100)


def test_without_peers_a_ring_that_runs_backwards_stays_as_it_is():
    """Smallest for lists of one: each node is the head of the one that is its head in the right ring."""
    states = {
        "n10": {**ALONE, "predecessor": "n20", "successors": ["n30"]},
        "n20": {**ALONE, "predecessor": "n30", "successors": ["n10"]},
        "n30": {**ALONE, "predecessor": "n10", "successors": ["n20"]},
    }
    running = simulation(states, numbered(r=1, fingers=False))
    assert ring_of(states_after(running, 50)) == states
    meeting = {name: {**state, "peers": sorted({*states} - {name})} for name, state in states.items()}
    right = right_ring(states, r=1)
    expected = {name: {**right[name], "fingers": [], "peers": meeting[name]["peers"]} for name in states}
    assert_becomes(simulation(meeting, numbered(r=1, fingers=False, meet=True)), expected, 1, 30)
