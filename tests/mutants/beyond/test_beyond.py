import pytest

from tests.mutants.beyond import suite, table
from tests.mutants.beyond.changes import ALL, SURVIVORS
from tests.mutants.beyond.chosen import CHOSEN
from tests.mutants.change import ROOT, Change

BY_NAME = {change.name: change for change in ALL}
SAMPLE = ("no_messages_means_three_each", "violations_out_of_order")
"""Two with quick tests; all of them: python -m tests.mutants.beyond."""


def rows_by_name():
    return {name: (what, by) for name, what, by in table.rows()}


def test_every_change_changes_one_line_that_is_there():
    assert [change.name for change in ALL if len(change.places()) != 1] == []
    assert [change.name for change in ALL if change.before == change.after] == []


def test_no_two_changes_have_a_name_in_common_and_every_one_has_tests_that_are_there():
    assert len(BY_NAME) == len(ALL)
    assert all(suite.tests_of(change) for change in ALL)
    assert [path for change in ALL for path in suite.tests_of(change) if not (ROOT / path).exists()] == []


def test_the_table_is_in_step_with_the_changes():
    """If not: python -m tests.mutants.beyond."""
    assert {name: what for name, (what, _) in rows_by_name().items()} == {
        change.name: table.cell(f"{change.path}: {change.breaks}") for change in ALL
    }
    assert table.UNTRIED not in {by for _, by in rows_by_name().values()}


def test_every_survivor_is_explained():
    assert {name for name, (_, by) in rows_by_name().items() if by == table.SURVIVES} == SURVIVORS.keys()


def test_of_25_changes_that_were_chosen_before_at_least_24_are_noticed():
    assert len(CHOSEN) == 25
    assert len({change.name for change in CHOSEN} & SURVIVORS.keys()) <= 1


@pytest.mark.parametrize("name", SAMPLE)
def test_a_change_is_noticed_by_the_test_that_the_table_names(name):
    assert suite.noticed(BY_NAME[name]).test == rows_by_name()[name][1]


def test_nothing_is_noticed_where_nothing_changes():
    line = "return publications[len(publications) - last :]"
    assert (
        suite.noticed(
            Change("same", "impl/api/node.py", line, line, "nothing", ("tests/impl/publishing/test_publication.py",))
        )
        is None
    )
