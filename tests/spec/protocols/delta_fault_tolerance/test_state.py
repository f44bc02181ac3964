"""Canonical states: values that no broker could have are refused."""

import pytest

from gomboc.spec.protocols.delta_fault_tolerance import PROTOCOL
from gomboc.spec.protocols.delta_fault_tolerance.state import Connection, Node


@pytest.mark.parametrize(
    ("seen", "wrong"),
    [
        ((("a", (0, 1)), ("b", (2, 1))), False),
        ((("a", (-1, 1)),), True),
        ((("a", (0, 0)),), True),
        ((("a", (0, 1)), ("b", (1, -2))), True),
        ((("b", (0, 1)), ("a", (0, 1))), True),
    ],
)
def test_recorded_stamps_count_from_0_and_are_in_the_order_of_names(seen, wrong):
    state = Node("operational", 0, seen=seen)
    assert bool(tuple(filter(None, PROTOCOL.naming.malformed(state)))) is wrong


@pytest.mark.parametrize(
    ("mine", "theirs", "wrong"), [((0, 1), None, False), ((0, 0), None, True), ((0, 1), (0, 0), True)]
)
def test_streams_of_connections_count_from_1(mine, theirs, wrong):
    state = Node("operational", 0, known=("a",), connections=(Connection("a", "operational", mine, theirs),))
    assert bool(tuple(PROTOCOL.naming.malformed(state))) is wrong
