"""The rows are in step with the product and the tests; a sample of them is tried, and what is amiss is noticed."""

import re

import pytest
from msgspec.structs import replace

from tests.mutants import rows
from tests.mutants.rows import BY_MACHINE, PAGE, ROOT, Row, areas, every_row, page, path_of, read, written
from tests.mutants.trial import ALSO, changed, failing, failing_of, noticing, project

pytestmark = pytest.mark.long

ROWS = every_row()
BY_NAME = {row.name: row for row in ROWS}
SAMPLE = (
    "no_messages_means_three_each",
    "violations_out_of_order",
    "leading_bit_stays",
    "list_the_wrong_way_round",
    "leaver_is_not_told",
    "missing_label_is_not_named",
    "wish_reversed",
    "parting_ends_the_wish",
    "one_end_only_seeks",
)
"""Two of the machinery, and one of each module with rules of the skip ring. All: `python -m tests.mutants`."""
OTHER_KINDS = (
    "longest_label_too_short",
    "check_may_misjudge",
    "hearsay_may_be_false",
    "one_that_moves_is_not_told",
    "inner_neighbour_is_told_of_itself",
    "shortcut_is_not_forgotten",
    "leaver_tosses_a_coin",
    "coin_reversed",
    "closing_edge_on_the_wrong_end",
    "shortcuts_of_one_side",
    "shortcut_counts_as_kept",
    "introductions_are_first_hand",
    "half_a_tie_is_reported",
    "probe_is_not_answered",
    "claim_handed_to_the_wrong_end",
    "supervisor_subscribes",
    "supervisor_is_introduced",
)
"""Further kinds of faults in these rules."""
ENDLESS = "chain_goes_one_further"
FIRST_OF_EACH_AREA = [next(row.name for row in ROWS if row.area == area) for area in areas()]
SLOW = [pytest.param(name, marks=pytest.mark.dear) for name in (*OTHER_KINDS, *FIRST_OF_EACH_AREA)]
SAME = BY_NAME["no_messages_means_three_each"]


@pytest.fixture(scope="module")
def copy():
    with project() as copy:
        yield copy


@pytest.mark.parametrize("area", areas())
def test_a_file_of_rows_reads_as_it_is_written_and_holds_its_own_area(area):
    """If not: python -m tests.mutants NAME."""
    text = path_of(area).read_text(encoding="utf-8")
    assert written(read(text)) == text
    assert {row.area for row in read(text)} == {area}


def test_rows_of_a_moved_file_go_to_the_file_of_its_new_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(rows, "FOLDER", tmp_path / "rows")
    monkeypatch.setattr(rows, "PAGE", tmp_path / "README.md")
    rows.PAGE.touch()
    before = [Row("impl/runtime/host.py", "one", "a", "b"), Row("impl/runtime/clock.py", "other", "a", "b")]
    rows.file_rows(before)
    assert (areas(), every_row()) == (["impl/runtime"], before[::-1])
    moved = [replace(row, file=row.file.replace("impl/runtime", "impl/core")) for row in before]
    rows.file_rows(moved)
    assert (areas(), every_row()) == (["impl/core"], moved[::-1])
    assert "| `impl/core` | 2 |" in (tmp_path / "README.md").read_text(encoding="utf-8")


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
    """Whether the file of a test is there, and the test in it where one is named."""
    file, _, names = test.partition("::")
    if not names:
        return (ROOT / file).is_file()
    text = (ROOT / file).read_text(encoding="utf-8") if (ROOT / file).exists() else ""
    return re.search(rf"^def {re.escape(names.split('[')[0])}\(", text, re.MULTILINE) is not None


def test_a_test_that_is_not_there_is_missed():
    assert is_there("tests/mutants/test_rows.py::test_a_test_that_is_not_there_is_missed[any]")
    assert not is_there("tests/mutants/test_rows.py::test_that_never_was")
    assert is_there("tests/mutants/test_rows.py")
    assert not is_there("tests/mutants/test_never.py")
    assert not is_there("tests/mutants/test_never.py::test_a_test_that_is_not_there_is_missed")


def test_further_tests_of_a_folder_are_there_and_so_is_the_folder():
    assert [path for path, tests in ALSO.items() for path in (path, *tests) if not (ROOT / path).exists()] == []


def test_every_module_of_rules_of_the_skip_ring_has_rows():
    files = "build_list", "build_ring", "labels", "legitimacy", "rules", "subscriber", "supervisor"
    assert {f"spec/protocols/skip_ring/{file}.py" for file in files} <= {row.file for row in ROWS}


def test_the_page_counts_the_rows():
    """If not: python -m tests.mutants."""
    text = PAGE.read_text(encoding="utf-8")
    assert (text, text.count(BY_MACHINE)) == (page(ROWS, text), 1)


@pytest.mark.parametrize("name", [*SAMPLE, *SLOW])
def test_a_mutant_is_noticed_by_the_tests_that_must(copy, name):
    assert noticing(copy, BY_NAME[name]) == BY_NAME[name].tests


def test_without_a_mutant_no_test_of_the_sample_fails(copy):
    assert failing_of(copy, sorted({test for name in SAMPLE for test in BY_NAME[name].tests})) == ()


def test_a_mutant_that_does_not_end_is_noticed(copy):
    endless = BY_NAME[ENDLESS]
    with changed(copy, endless):
        assert failing(copy, endless.tests, seconds=1) == endless.tests


def test_a_file_is_a_test_that_must_notice_too_and_one_that_passes_is_not_named(copy):
    mirror, other = SAME.tests[0].split("::")[0], "tests/tree/test_grouping.py"
    assert noticing(copy, replace(SAME, tests=(mirror, *SAME.tests, other))) == (mirror, *SAME.tests)


def test_a_mutant_that_no_recorded_test_notices_is_noticed_by_the_mirror(copy):
    forgotten = replace(SAME, tests=())
    assert noticing(copy, forgotten) == SAME.tests


def test_nothing_is_noticed_where_nothing_changes_and_the_copy_is_as_it_was(copy):
    with changed(copy, replace(SAME, new=SAME.old)):
        assert failing_of(copy, SAME.tests) == failing(copy, SAME.tests) == ()
    with changed(copy, SAME):
        assert (copy.folder / SAME.file).read_text(encoding="utf-8") == SAME.text()
    assert (copy.folder / SAME.file).read_bytes() == (ROOT / SAME.file).read_bytes()
