"""What the paper on delta-fault-tolerance claims: each claim settled once, by its own function.

Source: Kazemzadeh and Jacobsen, Delta-Fault-Tolerant Publish/Subscribe Systems, 2007
"""

import pytest

from checker.evidence.delta_fault_tolerance.claims.forwarding import TABLE_1, computed
from checker.evidence.delta_fault_tolerance.exhibits.trees import trees
from spec.delta_fault_tolerance import PROTOCOL
from spec.delta_fault_tolerance.models import FIGURE_5
from tests.checker.evidence.delta_fault_tolerance.settled import findings

pytestmark = pytest.mark.xdist_group("claims")

RESULTS = {
    "table_1": "refuted",
    "recipients_have_no_direction": "refuted",
    "algorithm_1_ends": "reproduced",
    "index_of_from": "refuted",
    "duplicates_by_succession": "refuted",
    "in_order_delivery": "refuted",
    "status_told": "refuted",
    "window_of_rejoin": "refuted",
    "tables_of_one_side": "refuted",
    "recovering_answers": "refuted",
    "recovering_answers_when_done": "refuted",
    "sent_again": "refuted",
    "counters_are_lost": "refuted",
    "clients_are_forgotten": "refuted",
    "bypasses_stay": "refuted",
    "failures_are_masked": "refuted",
    "no_stamp_succeeds": "refuted",
    "all_but_the_sender": "refuted",
    "guides_are_needed": "reproduced",
    "stamps_come_last": "reproduced",
    "rejoin_is_needed": "undecided",
    "stamps_are_needed": "undecided",
    "guides_end": "refuted",
    "detector_may_err": "refuted",
    "too_many_failures": "reproduced",
    "exactly_once": "refuted",
}

QUOTED = [
    ("table_1", "why", "30 of 32 cells are right"),
    ("table_1", "counterexample", "N3 for delta = 1: {N1 S4} for {N2 S4}, S2 for delta = 0: {N1} for {N2}."),
    ("recipients_have_no_direction", "why", "for delta = 0, 1, 2, 3."),
    ("recipients_have_no_direction", "counterexample", "After 3 steps each waits for the other one for ever."),
    ("algorithm_1_ends", "why", "On each of the 48 trees of up to 8 brokers, with every delta up to 3: 192 runs"),
    ("index_of_from", "counterexample", "after 7 steps"),
    ("in_order_delivery", "counterexample", "After 4 steps"),
    ("counters_are_lost", "counterexample", "after 17 steps"),
    ("exactly_once", "counterexample", "2 times in all"),
]


def test_each_claim_is_settled_as_recorded_and_what_its_texts_state_is_so():
    assert {name: finding.found.value for name, finding in findings().items()} == RESULTS
    assert [name for name, finding in findings().items() if not finding.as_recorded()] == []


@pytest.mark.parametrize(("name", "field", "text"), QUOTED)
def test_figures_are_quoted(name, field, text):
    assert text in getattr(findings()[name], field)


def test_what_is_refuted_has_a_counterexample_or_figures():
    without = [
        name for name, finding in findings().items() if finding.found.value == "refuted" and not finding.counterexample
    ]
    assert without == []


def test_table_1_is_right_from_delta_2_on():
    """Table 1."""
    for node, cells in TABLE_1.items():
        name = next(each for each in ("N1", f"N1.{node}", f"N1.N2.{node}", f"N1.N3.{node}") if _is(each, node))
        assert [computed(name, delta) for delta in (2, 3)] == list(cells[2:])


def _is(name, node):

    return name in FIGURE_5 and name.rpartition(".")[2] == node


@pytest.mark.parametrize(("nodes", "many"), list(enumerate((1, 1, 1, 2, 3, 6, 11, 23), 1)))
def test_there_are_that_many_trees(nodes, many):
    assert len(trees(nodes)) == many
    assert all(PROTOCOL.misnamed(dict.fromkeys(names, "broker")) is None for names in trees(nodes))
