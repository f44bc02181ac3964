"""The table of a broker: its changes, and the rows that a publication matches."""

import pytest

from gomboc.impl.protocols.delta_fault_tolerance.contents import Rejoin, Row, Subscription, Unsubscription
from gomboc.impl.protocols.delta_fault_tolerance.filters import Predicate
from gomboc.impl.protocols.delta_fault_tolerance.table import Table

ONE, TWO = (Predicate("x", "=", 1),), (Predicate("x", "=", 2),)
A, B = "0.1", "0.2"
ROWS = (Row(A, ONE, A), Row(A, TWO, A), Row(B, ONE, B))


@pytest.mark.parametrize(
    ("change", "rows"),
    [
        (Subscription(B, TWO, B), (*ROWS, Row(B, TWO, B))),
        (Subscription(A, ONE, "0"), (Row(A, ONE, "0"), *ROWS[1:])),
        (Unsubscription(A, ONE), ROWS[1:]),
        (Unsubscription(B, TWO), ROWS),
        (Rejoin(A, (TWO,), "0"), (Row(A, TWO, "0"), ROWS[2])),
        (Rejoin(A, (), A), ROWS[2:]),
        (Rejoin(B, (TWO,), B), (*ROWS[:2], Row(B, TWO, B))),
    ],
)
def test_a_subscription_changes_its_row_and_a_node_that_rejoins_all_of_its_own_and_no_others(change, rows):
    """Sections 4.6 and 4.7, update_routing_information."""
    table = Table(ROWS)
    table.change(change, None)
    assert table.rows() == rows


def test_a_publication_goes_where_the_rows_lead_that_it_matches():
    table = Table(ROWS)
    assert sorted(table.ways({"x": 1})) == [A, B]
    table.change(Rejoin(A, (TWO,), "0"), None)
    assert sorted(table.ways({"x": 1})) == [B]
    assert sorted(table.ways({"x": 2})) == ["0"]
