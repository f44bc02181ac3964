import pytest

from gomboc.checker.prove.registry import find_lemmas
from tests.mutants.noticing import MISSED, TABLE, noticed
from tests.mutants.ties import TIES

pytestmark = pytest.mark.long

PAIRS = [(lemma, change) for lemma, changes in TIES.items() for change in changes]
CORNERS = {
    "index_of_label_0",
    "chain_of_label_0",
    "chain_from_64_bits",
    "last_edge_of_label_1",
    "places_of_63_bits",
    "sixth_newcomer_takes_a_label",
    "label_1_has_no_partner",
    "farthest_on_the_left",
    "states_stay",
    "altered_contents_pass",
}
"""Changes at the ends of a range, which samples without corners miss. They are tried in each run of the tests."""


def is_always_tried(lemma, change):
    return change is TIES[lemma][0] or change.name in CORNERS


TRIED = [pytest.param(*pair, marks=() if is_always_tried(*pair) else pytest.mark.dear) for pair in PAIRS]


def test_every_lemma_has_a_change_that_its_tie_must_notice():
    assert TIES.keys() == {lemma.name for lemma in find_lemmas()}
    assert all(TIES.values())


def test_each_run_of_the_tests_tries_the_corners_and_a_change_for_each_lemma():
    assert {change.name for _, change in PAIRS} >= CORNERS
    assert sum(is_always_tried(*pair) for pair in PAIRS) == 42


def test_every_change_is_of_a_line_that_is_there_once():
    assert [change.name for _, change in PAIRS if len(change.places()) != 1] == []


@pytest.mark.parametrize(("lemma", "change"), TRIED, ids=lambda part: getattr(part, "name", part))
def test_a_tie_notices_a_change(lemma, change):
    assert noticed(lemma, change)


def test_a_tie_notices_nothing_where_nothing_is_changed():
    assert noticed("reconciliation_makes_progress", None) == ""


def test_the_table_is_in_step_with_the_changes():
    """If not: python -m tests.mutants.noticing."""
    rows = [row.split(" | ")[:2] for row in TABLE.read_text(encoding="utf-8").splitlines() if row.startswith("| ")][1:]
    assert rows == [[f"| {lemma}", f"{change.path}: {change.breaks}"] for lemma, change in PAIRS]
    assert MISSED not in TABLE.read_text(encoding="utf-8")
