"""Starts of the directory: nodes inside know those next to them; topics, entries and messages are arbitrary."""

from random import Random

import pytest

from gomboc.spec.core.domain import count, sampler
from gomboc.spec.core.protocol import Size, configured
from gomboc.spec.layers.lists import inside
from gomboc.spec.layers.neighbourhood import adjacent
from gomboc.spec.protocols.topic_directory import PROTOCOL
from gomboc.spec.protocols.topic_directory.space import names, start
from gomboc.spec.protocols.topic_directory.state import BLANK, Node

EXPIRING = configured(PROTOCOL, {"expires": 5})


def test_names_are_spread_over_the_keys_and_there_are_256_at_most():
    assert names(3) == ("00", "55", "aa")
    assert names(256) == tuple(f"{number:02x}" for number in range(256))
    assert names(257) == ()


@pytest.mark.parametrize(("outside", "live"), [(0, "abcd"), (1, "acd"), (2, "ac"), (3, "c"), (4, "")])
def test_every_second_node_is_outside_and_then_the_first_of_the_others(outside, live):
    assert inside(tuple("abcd"), outside) == tuple(live)


@pytest.mark.parametrize(("outside", "messages"), [(0, 0), (2, 0), (1, 1)])
def test_starts_are_counted(outside, messages):
    """Inside, of four: any others, any of three topics, any contact or none for each; messages are of five kinds."""
    every = 4 + outside
    each = (2 * (1 + every)) ** 3
    said = 1 + every * 5 * 3 * every if messages else 1
    further = 2 + 1 + 1 + 2
    assert count(PROTOCOL.starts.space(Size(4, messages, outside=outside))) == each**4 * 2**further * said


def test_entries_that_expire_have_any_age():
    assert count(EXPIRING.starts.space(Size(2))) == (2 * (1 + 2 * 5)) ** 6
    draw = sampler(EXPIRING.starts.space(Size(2)))
    ages = {entry.age for seed in range(50) for _, local in draw(Random(seed)).locals for entry in local.entries}
    assert ages == {*range(5)}


def test_topics_that_take_turns_may_have_stopped_at_any_of_them():
    in_turn = configured(PROTOCOL, {"topics_in_period": 2})
    assert count(in_turn.starts.space(Size(1))) == 4 * count(PROTOCOL.starts.space(Size(1)))
    draw = sampler(in_turn.starts.space(Size(1)))
    assert {draw(Random(seed)).locals[0][1].after for seed in range(50)} == {None, "news", "sport", "weather"}


@pytest.mark.parametrize("outside", [0, 1, 3])
def test_the_nodes_inside_form_a_list_and_the_others_are_blank(outside):
    every = names(4 + outside)
    draw, right = sampler(PROTOCOL.starts.space(Size(4, 3, outside=outside))), adjacent(inside(every, outside))
    for seed in range(50):
        drawn = draw(Random(seed))
        assert drawn.roles == tuple((name, "node") for name in every)
        for name, local in drawn.locals:
            assert local.live or local == BLANK
            assert local.live == (name in right)
            assert {*right.get(name, ())} <= {*local.neighbours} <= {*right} - {name}


def test_the_right_start_is_this():
    right = start(2)
    assert right.locals == (("00", Node(True, ("80",), (), ())), ("80", Node(True, ("00",), (), ())))
    assert right.roles == (("00", "node"), ("80", "node"))
