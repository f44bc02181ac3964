"""Legitimacy is computed once for each anchor, and agrees with the definition in every state."""

from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gomboc.checker.explore.questions.bounds import Bounds, BoundWatch
from gomboc.checker.explore.table.holding import Holding
from gomboc.checker.explore.table.legitimacy import legitimate
from gomboc.checker.explore.table.matrix import matrix
from gomboc.checker.explore.table.search import search
from gomboc.spec.core.network import is_legitimate, protocol_promises
from tests.checker.explore.table.protocols import fault, instance_of, protocols, tabled
from tests.sampling import share

ANCHORS = {
    "nobody": lambda states: 4,
    "one": lambda states: 3 * states["b"],
    "both": lambda states: 3 * states["a"] + states["b"],
    "the other one": lambda states: states["b" if states["a"] == 1 else "a"],
    "all": lambda states: sum(states.values()),
    "all and one": lambda states: len(states) * states["b"] + max(states.values()),
}
"""By the nodes that it reads."""


def _swallowing(states):
    try:
        return 3 * states["b"] + states["a"]
    except:  # noqa: E722
        return 4


ANCHORS["what catches everything"] = _swallowing


@pytest.mark.parametrize("anchor", ANCHORS.values(), ids=ANCHORS)
@settings(max_examples=share(30))
@given(protocol=protocols(), mad=st.sets(st.integers(0, 8), max_size=3), wrong=st.sets(st.integers(0, 40)))
def test_a_state_is_right_if_nothing_in_it_is_at_fault(anchor, protocol, mad, wrong):
    decided = protocol.changed(
        anchor=anchor,
        anchor_faults=lambda result: fault(result) if result in mad else (),
        node_faults=lambda result, me, local: fault(me) if 3 * result + local in wrong else (),
        message_faults=lambda result, target, sent: fault(sent) if result + sent in wrong else (),
    )
    sent = (("a", 10), ("b", 11))
    instance = instance_of(decided, (0, 1, 2), sent, in_flight=2, most=2)
    explored = search(instance)
    built = matrix(explored, BoundWatch(Bounds()))
    worlds = [built.state(index) for index in range(built.count)]
    assert legitimate(explored).tolist() == [is_legitimate(decided, world) for world in worlds]
    (canonical,) = protocol_promises(decided)
    assert Holding(explored).of(canonical).tolist() == [canonical.holds(world) for world in worlds]


@settings(max_examples=share(30))
@given(protocol=protocols(), strange=st.sets(st.integers(0, 12)))
def test_a_state_that_names_no_node_that_is_there_is_not_well_formed(protocol, strange):
    naming = protocol.changed(
        malformed=lambda value: (), named=lambda value: ("stranger" if value in strange else "a",)
    )
    explored = search(instance_of(naming, (0, 1, 2), (("a", 10), ("b", 11)), in_flight=2, most=2))
    built = matrix(explored, BoundWatch(Bounds()))
    worlds = [built.state(index) for index in range(built.count)]
    (canonical,) = protocol_promises(naming)
    held = [
        not strange & {*dict(world.locals).values(), *(message for _, message in world.in_flight())} for world in worlds
    ]
    assert Holding(explored).of(canonical).tolist() == [canonical.holds(world) for world in worlds] == held


def test_a_local_state_is_judged_once_for_each_anchor():
    faults = Mock(return_value=())
    instance = instance_of(tabled({}).changed(node_faults=faults), locals_=(0, 1, 2))
    right = legitimate(search(instance))
    assert np.count_nonzero(right) == 9
    assert faults.call_count == 3 * (3 + 3)


def test_the_anchor_is_asked_for_the_states_of_those_it_looks_at_only():
    asked = []

    def anchor(states):
        asked.append(dict(states._given))
        return states["b"]

    right = legitimate(search(instance_of(tabled({}).changed(anchor=anchor), locals_=(0, 1, 2))))
    assert np.count_nonzero(right) == 9
    assert sorted(map(str, asked)) == ["{'b': 0}"] * 2 + ["{'b': 1}"] * 2 + ["{'b': 2}"] * 2 + ["{}"]
