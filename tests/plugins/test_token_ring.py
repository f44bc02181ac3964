"""A protocol that is nothing like ours goes through the same interface, and its known truths come out."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import pairwise
from random import Random

import pytest

from gomboc.checker.judge.verdict import Holds, Unknown, Violated
from gomboc.checker.testing.random_walk import judge_run, walk
from gomboc.spec.core import network
from gomboc.spec.core.model import Model
from tests.plugins.dijkstra_rings import privileged, token_ring
from tests.toys.coins.spec import UNORDERED, start


@cache
def legitimate_and_not(machines, values) -> tuple[Model, list, list]:
    model = token_ring(machines, values)
    states = list(model.initial())
    return (
        model,
        [state for state in states if len(privileged(state)) == 1],
        [state for state in states if len(privileged(state)) != 1],
    )


def test_four_machines_with_two_values_can_move_for_ever_without_stabilising():
    model, _, others = legitimate_and_not(4, 2)
    states = [(0, 0, 1, 0), (1, 0, 1, 0), (1, 0, 1, 1), (1, 0, 0, 1), (1, 1, 0, 1), (0, 1, 0, 1), (0, 1, 0, 0)]
    cycle = [*states, (0, 1, 1, 0), states[0]]
    assert set(cycle) <= set(others)
    for state, later in pairwise(cycle):
        assert later in [model.step(state, action) for action in model.enabled(state)]


WORST_START = (0, 3, 2, 1, 0)
"""A start of five machines with four values that needs 24 moves."""


@pytest.mark.parametrize("seed", range(5))
def test_a_walk_from_the_worst_start_keeps_every_promise(seed):
    model, _, _ = legitimate_and_not(5, 4)
    judged = judge_run(model.promises, walk(model, WORST_START, Random(seed), 60))
    assert list(judged) == ["privilege_is_held", "closure", "convergence", "not_vacuous"]
    assert all(isinstance(verdict, Holds) for verdict in judged.values())


def test_a_run_that_ends_before_it_converged_says_nothing_of_convergence():
    model, _, _ = legitimate_and_not(5, 4)
    assert judge_run(model.promises, walk(model, WORST_START, Random(1), 3)) == {
        "privilege_is_held": Holds("nothing in the 4 states of this run speaks against it"),
        "closure": Holds("nothing in the 4 states of this run speaks against it"),
        "convergence": Unknown("it held in none of the 4 states of this run"),
        "not_vacuous": Unknown("it held in none of the 4 states of this run"),
    }


def test_a_run_that_leaves_what_is_stable_is_violated_there():
    model, legitimate, others = legitimate_and_not(4, 3)
    judged = judge_run(model.promises, [others[0], legitimate[0], legitimate[0], others[0], legitimate[0]])
    says = "it is promised stable, and is false in state 3"
    assert judged["closure"] == Violated(3, "closure", says, source="Dijkstra 1974")
    assert judged["convergence"] == Holds("it held first in state 1 of this run")


def test_a_walk_ends_where_nothing_is_enabled():
    model, legitimate, _ = legitimate_and_not(4, 3)
    stuck = Model("stuck", model.initial, lambda state: (), model.step, model.actor, model.promises)
    assert list(walk(stuck, legitimate[0], Random(1), 10)) == [legitimate[0]]


def test_a_walk_is_decided_by_its_seed():
    model, _, others = legitimate_and_not(5, 4)
    runs = [list(walk(model, others[7], Random(seed), 40)) for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]


def test_a_walk_schedules_every_step_equally_often_and_tosses_its_coins_as_they_should_fall():
    model = network.model(UNORDERED, lambda: ())
    chances = [model.chance(act) for act in model.enabled(network.begin(start(), UNORDERED.discipline))]
    assert chances == [Fraction(1, 3), Fraction(2, 3)] * 2
    firsts = [
        list(walk(model, network.begin(start(), UNORDERED.discipline), Random(seed), 1))[1] for seed in range(600)
    ]
    sent = Counter((one.target, one.message) for world in firsts for one in world.channels.in_flight)
    assert all(80 < sent[target, "heads"] < 120 and 170 < sent[target, "tails"] < 230 for target in "ab")
