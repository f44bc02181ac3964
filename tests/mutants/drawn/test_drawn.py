"""Mutants are drawn out of all places that can be changed by rule: each rule is seen here, and the skipped lines."""

import ast

from tests.mutants.beyond.suite import LATE, Noticed
from tests.mutants.drawn import table
from tests.mutants.drawn.draw import PARTS, Drawn, draw, possible
from tests.mutants.drawn.operators import Spot, spots

SOURCE = '''
@cached(size=3)
def bound(nodes: int = 2) -> int:
    """Rounds, 7 of them."""
    if nodes < 4 and not small:
        log(nodes)
        return max(nodes, 0)
    total: int | None = 1
    assert nodes > 9
    return total + 5 if nodes in known else None
'''

CHANGED = """
if not (nodes < 4 and not small):
if nodes <= 4 and not small:
if nodes < 5 and not small:
if nodes < 4 or not small:
if nodes < 4 and small:
pass
return None
return min(nodes, 0)
return max(nodes, 1)
return None
return total - 5 if nodes in known else None
return total + 6 if nodes in known else None
return total + 5 if nodes not in known else None
"""


def lines_changed(text):
    lines = text.split("\n")
    for spot in spots(text):
        line = lines[spot.line - 1]
        yield line[: spot.start].lstrip() + spot.new + line[spot.end :]


def test_each_rule_changes_its_place_and_decorators_signatures_annotations_and_assertions_stay():
    assert [*lines_changed(SOURCE)] == CHANGED.strip().split("\n")


def test_what_is_drawn_is_a_change_that_python_can_read_and_no_two_are_of_one_line():
    for part in PARTS:
        drawn = draw(part, 8, 1)
        assert len({(mutant.path, mutant.spot.line) for mutant in drawn}) == 8
        for mutant in drawn:
            assert mutant.before != mutant.after
            ast.parse(mutant.text())
            assert mutant.tests


def test_the_same_seed_draws_the_same():
    assert draw("impl", 5, 3) == draw("impl", 5, 3) != draw("impl", 5, 4)


def test_there_are_thousands_of_places():
    assert sum(len(possible(part)) for part in PARTS) > 10_000


def test_a_mutant_has_the_line_before_and_after():
    mutant = Drawn("tests/mutants/drawn/operators.py", Spot(1, 0, 3, "'''"))
    assert mutant.before.startswith('"""Small changes')
    assert mutant.after.startswith("'''Small changes")


def test_the_table_counts_what_is_noticed_and_not_what_is_undecided():
    mutants = draw("spec", 4, 1)
    seen = (Noticed("tests/a.py::test_b"), None, Noticed("none", f"{LATE} 900 s"), Noticed("none", "it crashed"))
    text = table.written([("spec", *row) for row in zip(mutants, seen, strict=True)], "--seed 1", {"spec": 4_000})
    assert "| spec | 4,000 | 4 | 2 | 0 | 1 | 1 | 67% |" in text
    assert f"- {mutants[1].name}: not explained" in text
    assert text.count("undecided: ") == 1


def test_a_draw_takes_its_own_place_in_the_table_and_leaves_those_of_other_seeds():
    one, other, later = (table.written([], options, {}) for options in ("--seed 1", "--seed 2", "--seed 3"))
    assert (
        table.with_section(one + other, "--seed 1", table.written([], "--seed 1", {}) + "new\n")
        == one + "new\n" + other
    )
    assert table.with_section(one + other, "--seed 3", later) == one + other + later


def test_a_part_with_files_of_its_own_is_drawn_from_too():
    paths = {mutant.path for mutant in possible("edges")}
    assert {
        "impl/api/content.py",
        "spec/protocols/chord/rules.py",
        "impl/protocols/delta_fault_tolerance/core.py",
    } <= paths
    assert not [path for path in paths if "errata" in path]
