"""Samples at corners have the ends of every range, for every way in which a lemma draws."""

from random import Random

import pytest

from gomboc.checker.prove.corners import Corners

DRAWS = {
    "randint": (lambda random: random.randint(1, 64), {1, 2, 63, 64}),
    "randrange": (lambda random: random.randrange(1 << 63, 1 << 64), {1 << 63, (1 << 64) - 1}),
    "choice": (lambda random: random.choice("abcdefghij"), {"a", "j"}),
    "sample": (lambda random: random.sample(range(100), 2)[0], {0, 99}),
    "getrandbits": (lambda random: random.getrandbits(70), {0, 1, (1 << 70) - 1}),
    "coins": (lambda random: random.random() < 0.01, {True, False}),
    "choices": (lambda random: random.choices(range(50))[0], {0, 49}),
}


@pytest.mark.parametrize("name", DRAWS)
def test_both_ends_of_a_range_are_drawn_soon(name):
    draw, ends = DRAWS[name]
    assert ends <= {draw(Corners(seed)) for seed in range(60)}


@pytest.mark.parametrize("name", DRAWS)
def test_values_between_the_ends_are_drawn_too(name):
    draw, ends = DRAWS[name]
    drawn = {draw(Corners(seed)) for seed in range(200)}
    assert drawn - ends or name == "coins"
    assert len({*map(draw, map(Random, range(60)))} & ends) <= 2


def test_equal_seeds_draw_equally():
    def drawn(seed):
        random = Corners(seed)
        return [random.randrange(1000), random.random(), random.getrandbits(9), random.sample(range(30), 30)]

    assert drawn(7) == drawn(7)
    assert len({str(drawn(seed)) for seed in range(30)}) > 25
