"""Starts of dissemination: live nodes know those next to them, nodes outside nothing; all else is arbitrary."""

from random import Random

import pytest

from gomboc.spec.core.domain import Bag, count, sampler
from gomboc.spec.core.protocol import Size, configured
from gomboc.spec.layers.neighbourhood import adjacent
from gomboc.spec.protocols.dissemination import PROTOCOL
from gomboc.spec.protocols.dissemination.space import inside, messages, names, start
from gomboc.spec.protocols.dissemination.state import BLANK, Member
from gomboc.spec.publishing.holdings import any_publication, prefixes, summaries, universe
from gomboc.spec.publishing.publications import Parameters

PUBLISHING = configured(PROTOCOL, {"key_bits": 2})


@pytest.mark.parametrize(
    ("nodes", "outside", "live"),
    [(3, 0, "012"), (3, 1, "023"), (3, 2, "024"), (2, 2, "02"), (2, 3, "24"), (1, 3, "2"), (0, 2, "")],
)
def test_every_second_node_is_outside_and_then_the_first_of_the_others(nodes, outside, live):
    assert inside(Size(nodes, outside=outside)) == tuple(f"v00{number}" for number in live)


def test_without_publications_a_start_is_which_further_live_nodes_each_knows():
    """In a list of five the ends do not know three others, and the inner ones two; nodes outside know none."""
    assert count(PUBLISHING.starts.space(Size(5, outside=2))) == 2 ** (3 + 2 + 2 + 2 + 3)
    assert count(PUBLISHING.starts.space(Size(0, outside=2))) == 1


def test_a_message_in_flight_is_any_of_four_kinds_at_any_node():
    every, valid = names(3), universe(names(2), 1, Parameters(2))
    tries, found = count(summaries(valid)), count(any_publication(valid, names(2)))
    one = count(Bag(any_publication(valid, names(2)), 2))
    kinds = 3 * tries + 3 * tries * len(prefixes(valid)) + one + found * 4 * 4
    assert count(messages(every, valid, names(2), Parameters(2))) == 3 * kinds
    still, moving = (count(PUBLISHING.starts.space(Size(2, most, publications=1))) for most in (0, 1))
    assert moving == still * (1 + count(messages(names(2), valid, names(2), Parameters(2))))


@pytest.mark.parametrize(("nodes", "outside"), [(1, 0), (4, 0), (4, 3), (3, 5)])
def test_the_live_nodes_form_a_list_and_the_others_are_blank(nodes, outside):
    size = Size(nodes, messages=3, outside=outside, publications=3)
    draw, right = sampler(PUBLISHING.starts.space(size)), adjacent(inside(size))
    for seed in range(50):
        drawn = draw(Random(seed))
        assert [name for name, _ in drawn.roles] == [*names(nodes + outside)]
        for name, local in drawn.locals:
            assert {*right.get(name, ())} <= {*local.neighbours} <= {*right} - {name}
            assert local.live or local == BLANK
            assert local.live == (name in right)


def test_the_right_start_is_this():
    right = start(3)
    assert right.locals == (
        ("v000", Member(True, ("v001",))),
        ("v001", Member(True, ("v000", "v002"))),
        ("v002", Member(True, ("v001",))),
    )
    assert right.roles == tuple((name, "member") for name in names(3))
