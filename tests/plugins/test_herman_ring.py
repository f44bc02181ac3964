"""Herman's ring, explored: the expected number of rounds, exactly."""

from fractions import Fraction

import pytest

from gomboc.checker.explore.graph.expectation import EXPECTED, expected_steps
from gomboc.checker.explore.graph.search import explore
from gomboc.checker.explore.questions.question import Coins, Question
from gomboc.checker.judge.verdict import Holds, Violated
from tests.plugins.herman_ring import herman_ring, tokens, turned_ring
from tests.plugins.promises import convergence, explored, findings


@pytest.mark.parametrize(
    ("machines", "steps"),
    [
        (3, Fraction(4, 3)),
        (5, Fraction(16, 5)),
        (7, Fraction(48, 7)),
        (9, Fraction(12)),
        pytest.param(11, Fraction(192, 11), marks=pytest.mark.dear),
    ],
)
def test_it_is_expected_to_take_so_many_rounds_at_worst(machines, steps):
    model = herman_ring(machines)
    graph = explore(model)
    expected = expected_steps(graph, convergence(model))
    assert len(graph.states) == 2**machines
    assert max(expected.values()) == steps
    worst = {len(tokens(graph.states[state])) for state, number in expected.items() if number == steps}
    assert worst == {3}, "three tokens as far apart as they can be"


@pytest.mark.parametrize("machines", [3, 5, 7])
def test_a_ring_that_is_turned_takes_as_many_rounds(machines):
    whole, turned = (expected_steps(explore(model), convergence(model)) for model in both(machines))
    states, others = (explore(model).states for model in both(machines))
    assert {states[state]: steps for state, steps in whole.items() if states[state] in others} == {
        others[state]: steps for state, steps in turned.items()
    }
    assert set(whole.values()) == set(turned.values())


def both(machines):
    return herman_ring(machines), turned_ring(machines)


@pytest.mark.parametrize(
    ("machines", "necklaces", "steps"),
    [
        (11, 94, Fraction(192, 11)),
        pytest.param(13, 316, Fraction(320, 13), marks=pytest.mark.dear),
        pytest.param(15, 1_096, Fraction(100, 3), marks=pytest.mark.dear),
    ],
)
def test_larger_rings_are_expected_to_take_so_many_rounds_at_worst(machines, necklaces, steps):
    """4abc/N for three tokens at distances a, b and c. Source: McIver and Morgan, IPL 94(2), 2005; Bruna et al. 2016"""
    model = turned_ring(machines)
    graph = explore(model)
    assert len(graph.states) == necklaces
    assert max(expected_steps(graph, convergence(model)).values()) == steps


def test_the_expectation_is_among_the_findings():
    exploration, *_ = explored(herman_ring(3))
    last = findings(exploration)[-1]
    assert last.of == f"{EXPECTED} (central scheduler)"
    assert last.verdict == Holds("at most 4/3 steps; 8 states and 28 transitions")


def test_it_converges_with_probability_1_and_not_however_the_coins_fall():
    _, can, must = explored(herman_ring(5))
    assert isinstance(can.verdict, Holds)
    assert isinstance(must.verdict, Holds)
    _, _, must = explored(herman_ring(5), Question(coins=Coins.ADVERSARY))
    assert isinstance(must.verdict, Violated)
