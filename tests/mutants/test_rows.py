"""The rows are in step with the product and the tests; a sample of them is tried, and what is amiss is noticed."""

import re

import pytest
from msgspec.structs import replace

from tests.mutants.rows import PAGE, ROOT, areas, every_row, page, path_of, read, written
from tests.mutants.trial import failing, noticing, project

pytestmark = pytest.mark.long

ROWS = every_row()
BY_NAME = {row.name: row for row in ROWS}
SAMPLE = ("longest_label_too_short", "no_messages_means_three_each", "chain_goes_one_further")
"""A mutant of a rule, one of the machinery, and one that does not end."""
FIRST_OF_EACH_AREA = [
    pytest.param(next(row.name for row in ROWS if row.area == area), marks=pytest.mark.dear) for area in areas()
]
SAME = BY_NAME["no_messages_means_three_each"]


@pytest.fixture(scope="module")
def copy():
    with project() as folder:
        yield folder


@pytest.mark.parametrize("area", areas())
def test_a_file_of_rows_reads_as_it_is_written_and_holds_its_own_area(area):
    text = path_of(area).read_text(encoding="utf-8")
    assert written(read(text)) == text
    assert {row.area for row in read(text)} == {area}


def test_every_row_changes_lines_that_occur_once():
    assert [(row.file, row.name) for row in ROWS if len(row.lines()) != 1 or row.old == row.new] == []


def test_no_two_rows_have_a_name_or_a_change_in_common():
    assert len(BY_NAME) == len(ROWS)
    assert len({(row.file, row.old, row.new) for row in ROWS}) == len(ROWS)


def test_every_row_says_what_it_breaks_and_has_tests_that_must_notice_it_or_survives_for_a_reason():
    assert [row.name for row in ROWS if not row.why or bool(row.tests) == bool(row.survives)] == []


def test_the_tests_that_rows_name_are_there():
    """If not: python -m tests.mutants NAME."""
    assert [test for row in ROWS for test in row.tests if not is_there(test)] == []


def is_there(test):
    file, _, names = test.partition("::")
    text = (ROOT / file).read_text(encoding="utf-8") if (ROOT / file).exists() else ""
    return re.search(rf"^def {re.escape(names.split('[')[0])}\(", text, re.MULTILINE) is not None


def test_a_test_that_is_not_there_is_missed():
    assert is_there("tests/mutants/test_rows.py::test_a_test_that_is_not_there_is_missed[any]")
    assert not is_there("tests/mutants/test_rows.py::test_that_never_was")
    assert not is_there("tests/mutants/test_never.py::test_a_test_that_is_not_there_is_missed")


def test_every_module_of_rules_of_the_skip_ring_has_rows():
    files = "build_list", "build_ring", "labels", "legitimacy", "rules", "subscriber", "supervisor"
    assert {f"spec/protocols/skip_ring/{file}.py" for file in files} <= {row.file for row in ROWS}


def test_the_page_counts_the_rows():
    """If not: python -m tests.mutants."""
    assert PAGE.read_text(encoding="utf-8") == page(ROWS)


@pytest.mark.parametrize("name", [*SAMPLE, *FIRST_OF_EACH_AREA])
def test_a_mutant_is_noticed_by_the_tests_that_must(copy, name):
    assert noticing(copy, BY_NAME[name]) == BY_NAME[name].tests


def test_a_mutant_that_no_recorded_test_notices_is_noticed_by_the_mirror(copy):
    forgotten = replace(SAME, tests=())
    assert noticing(copy, forgotten) == SAME.tests


def test_nothing_is_noticed_where_nothing_changes_and_the_copy_is_as_it_was(copy):
    assert noticing(copy, replace(SAME, new=SAME.old)) == ()
    assert failing(copy, SAME.tests) == ()
    assert (copy / SAME.file).read_bytes() == (ROOT / SAME.file).read_bytes()
