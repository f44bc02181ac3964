"""Canonical states: values that no broker could have are refused."""

import pytest

from gomboc.spec.protocols.delta_fault_tolerance import PROTOCOL, configured
from gomboc.spec.protocols.delta_fault_tolerance.models import ANY, ONE
from gomboc.spec.protocols.delta_fault_tolerance.state import Connection, Forward, Node, Rejoin


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


@pytest.mark.parametrize(
    ("most_rows", "filters", "after", "wrong"),
    [
        (None, (ONE, ANY), None, None),
        (None, (), ONE, "no part of REJOIN without most_rows"),
        (1, (ONE, ANY), None, "filters, at most 1"),
        (1, (ANY,), ONE, None),
        (1, (ONE,), ANY, "filters after those of the part before"),
        (2, (ONE,), ONE, "filters after those of the part before"),
        (1, (), ANY, None),
    ],
)
def test_a_part_of_a_rejoining_has_as_many_filters_as_fit_behind_those_of_the_part_before(
    most_rows, filters, after, wrong
):
    protocol = configured({"delta": 1, "most_rows": most_rows})
    copy = Forward("b", (1, 1), ("b", 1, 1), Rejoin("b", filters, "b", after), (), None)
    assert [fault.expected for fault in protocol.naming.malformed(copy)] == ([wrong] if wrong else [])
