"""A walk follows its model at random, and the verdicts on promises go only as far as a finite run can decide.

Runs of a real protocol are in tests/plugins/test_token_ring.py.
"""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from gomboc.checker.judge.verdict import Holds, Unknown, Violated
from gomboc.checker.testing.random_walk import judge_run, walk
from gomboc.spec.core.model import Kind, Model, Promise

FLAG = {kind: Promise(kind, kind.value, bool, "Section 1") for kind in Kind}


def judged(kind, *run):
    return judge_run([FLAG[kind]], run)[kind.value]


def held(state):
    return Holds(f"it held first in state {state} of this run")


def unbroken(states):
    return Holds(f"nothing in the {states} states of this run speaks against it")


def violated(kind, state):
    return Violated(
        state, kind.value, f"it is promised {kind.value}, and is false in state {state}", source="Section 1"
    )


def test_an_always_promise_is_true_in_every_state():
    assert judged(Kind.ALWAYS, 1, 1, 1) == unbroken(3)
    assert judged(Kind.ALWAYS, 1, 0, 1, 0) == violated(Kind.ALWAYS, 1)
    assert judged(Kind.ALWAYS, 0) == violated(Kind.ALWAYS, 0)


def test_a_stable_promise_stays_true_once_it_is():
    assert judged(Kind.STABLE, 0, 0, 1, 1) == unbroken(4)
    assert judged(Kind.STABLE, 0, 0) == unbroken(2)
    assert judged(Kind.STABLE, 0, 1, 0, 1) == violated(Kind.STABLE, 2)


@pytest.mark.parametrize("kind", [Kind.EVENTUALLY, Kind.SOMETIMES])
def test_an_eventual_promise_is_unknown_until_it_is_true(kind):
    assert judged(kind, 0, 0, 1, 0) == held(2)
    assert judged(kind, 0, 0) == Unknown("it held in none of the 2 states of this run")


def model(actions, **more):
    """A model with the sequence of actions so far as its state."""
    return Model("m", lambda: [()], lambda state: actions(state), lambda s, a: (*s, a), str, (), **more)


def test_a_walk_is_its_start_and_a_state_for_each_step():
    states = list(walk(model(lambda state: ("go",)), (), Random(1), 3))
    assert states == [(), ("go",), ("go",) * 2, ("go",) * 3]


def test_a_walk_ends_where_nothing_is_enabled():
    assert list(walk(model(lambda state: () if state else ("go",)), (), Random(1), 9)) == [(), ("go",)]


CHANCES = {"rare": Fraction(1, 4), "common": Fraction(3, 4), "other": Fraction(1)}
"""The coins of one pick, and a pick without any. The actions say nothing of it: only the model knows."""


def test_picks_are_scheduled_equally_often_and_their_coins_fall_as_the_model_says():
    *_, last = walk(model(lambda state: tuple(CHANCES), chance=CHANCES.__getitem__), (), Random(1), 4_000)
    counted = Counter(last)
    assert 400 < counted["rare"] < 600
    assert 1_400 < counted["common"] < 1_600
    assert 1_900 < counted["other"] < 2_100
