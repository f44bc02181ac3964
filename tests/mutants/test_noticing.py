import pytest

from gomboc.checker.prove.registry import find_lemmas
from tests.mutants.noticing import MISSED, TABLE, noticed
from tests.mutants.ties import TIES

pytestmark = pytest.mark.long

PAIRS = [(lemma, change) for lemma, changes in TIES.items() for change in changes]
FIRST_OF_EACH = [
    pytest.param(lemma, change, marks=() if change is TIES[lemma][0] else pytest.mark.dear) for lemma, change in PAIRS
]


def test_every_lemma_has_a_change_that_its_tie_must_notice():
    assert TIES.keys() == {lemma.name for lemma in find_lemmas()}
    assert all(TIES.values())


@pytest.mark.parametrize(("lemma", "change"), FIRST_OF_EACH, ids=lambda part: getattr(part, "name", part))
def test_a_tie_notices_a_change(lemma, change):
    assert noticed(lemma, change)


def test_a_tie_notices_nothing_where_nothing_is_changed():
    assert noticed("reconciliation_makes_progress", None) == ""


def test_the_table_is_in_step_with_the_changes():
    """If not: python -m tests.mutants.noticing."""
    rows = [row.split(" | ")[:2] for row in TABLE.read_text(encoding="utf-8").splitlines() if row.startswith("| ")][1:]
    assert rows == [[f"| {lemma}", f"{change.path}: {change.breaks}"] for lemma, change in PAIRS]
    assert MISSED not in TABLE.read_text(encoding="utf-8")
