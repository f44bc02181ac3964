"""Starts of HyParView: who has crashed in them, and views that keep to their sizes."""

from random import Random

import pytest

from gomboc.spec.core.domain import sampler
from gomboc.spec.core.protocol import Size, configured
from gomboc.spec.protocols.hyparview import PROTOCOL
from gomboc.spec.protocols.hyparview.parameters import Parameters
from gomboc.spec.protocols.hyparview.space import bound, casts
from gomboc.spec.protocols.hyparview.state import CRASHED, OUTSIDE

SMALL = Parameters(active=3, passive=1)


def crashed_of(nodes):
    return sorted({cast.crashed for cast in casts(SMALL, Size(nodes))})


def test_of_four_nodes_or_more_none_or_every_fourth_has_crashed_from_the_second_on():
    assert crashed_of(3) == [()]
    assert crashed_of(4) == crashed_of(5) == [(), ("n001",)]
    assert crashed_of(9) == [(), ("n001", "n005")]


@pytest.mark.parametrize("seed", range(40))
def test_views_keep_to_their_sizes_and_nodes_outside_know_nothing(seed):
    small = configured(PROTOCOL, {"active": 3, "passive": 1})
    drawn = sampler(small.starts.space(Size(6, 5, outside=2)))(Random(seed))
    states = dict(drawn.locals)
    values = (*states.values(), *(message for _, message in drawn.in_flight))
    assert [value for value in values if small.naming.malformed(value)] == []
    assert [states.pop(name) for name in ("n006", "n007")] == [OUTSIDE, OUTSIDE]
    members = [local for local in states.values() if local != CRASHED]
    assert len(members) in (4, 6)
    assert all(len(local.active) <= 3 and len(local.passive) <= 1 for local in members)


def test_the_bound_grows_with_the_nodes():
    assert [bound(SMALL, nodes) for nodes in (1, 4, 10)] == [46, 64, 100]
