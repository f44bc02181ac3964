"""Each lemma is proved of an encoding: the samples that hold it against the specification notice changes of that."""

import pytest

from gomboc.checker.prove.registry import find_lemmas
from tests.mutants.rows import every_row
from tests.mutants.trial import failing, noticing, project

pytestmark = pytest.mark.long

SAMPLES = "tests/checker/prove/test_lemmas.py::test_an_encoding_agrees_with_the_specification"
ROWS = every_row()
OF_LEMMA = {lemma.name: [row for row in ROWS if f"{SAMPLES}[{lemma.name}]" in row.tests] for lemma in find_lemmas()}
BY_NAME = {row.name: row for rows in OF_LEMMA.values() for row in rows}
CORNERS = {
    "index_of_label_0",
    "chain_of_label_0",
    "chain_from_64_bits",
    "chain_of_label_1",
    "places_of_63_bits",
    "labels_end_after_62_bits",
    "sixth_newcomer_takes_a_label",
    "label_1_has_no_partner",
    "farthest_on_the_left",
    "states_stay",
    "altered_contents_pass",
}
"""Changes at the ends of a range, which samples without corners miss. They are tried in each run of the tests."""
ALWAYS = CORNERS | {"nearer_closes_the_ring", "delivered_messages_stay"}
ALWAYS |= {rows[0].name for rows in OF_LEMMA.values() if rows}


@pytest.fixture(scope="module")
def copy():
    with project() as copy:
        yield copy


def test_every_lemma_has_a_change_that_its_samples_must_notice():
    assert [name for name, rows in OF_LEMMA.items() if not rows] == []
    assert BY_NAME.keys() >= CORNERS


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in ALWAYS else pytest.mark.dear) for name in BY_NAME]
)
def test_samples_notice_a_change(copy, name):
    assert noticing(copy, BY_NAME[name]) == BY_NAME[name].tests


def test_samples_notice_nothing_where_nothing_is_changed(copy):
    assert failing(copy, [f"{SAMPLES}[reconciliation_makes_progress]"]) == ()
