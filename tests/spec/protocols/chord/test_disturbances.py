"""Disturbances of Chord are counted: every third member may end, nodes outside join, and keys are looked up."""

from math import comb

import pytest

from gomboc.spec.core.domain import count
from gomboc.spec.core.protocol import Size
from gomboc.spec.protocols.chord.disturbances import disturbances
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.space import keys_of, names_of


def at_most(most, keys, values):
    return sum(comb(keys, chosen) * values**chosen for chosen in range(min(most, keys) + 1))


@pytest.mark.parametrize("outside", [0, 2])
@pytest.mark.parametrize(
    ("r", "nodes", "mortal"),
    [(2, 1, 1), (2, 3, 1), (2, 4, 1), (2, 6, 1), (2, 7, 2), (2, 12, 3), (1, 12, 4), (3, 12, 3)],
)
def test_they_are_counted(r, nodes, mortal, outside):
    """Each of 30 times: an end of two kinds; a join, also with an end after one of three delays; a key; the members; a
    watched key, also with an end.
    """
    parameters = Parameters(r=r)
    names = names_of(parameters.circle, nodes + outside)
    staying = min(r + 1, nodes)
    ends = (1 + 30 * 2) ** mortal
    joins = (1 + 30 * staying * (1 + 3 * 2)) ** outside
    lookups = at_most(2, staying, 30 * len(keys_of(parameters)))
    peers = at_most(2, nodes + outside, 30)
    watches = at_most(2, nodes + outside, 30 * len(keys_of(parameters)) * (1 + 3))
    size = Size(nodes, outside=outside)
    assert count(disturbances(parameters, size, names)) == ends * joins * lookups * peers * watches
    meeting = Parameters(r=r, meet=True)
    assert count(disturbances(meeting, size, names)) == ends * joins * lookups * 31 ** len(names) * watches
