"""Mutants are drawn out of all places that can be changed by rule: each rule is seen here, and the skipped lines."""

import ast

from tests.mutants.drawn import draw, possible
from tests.mutants.operators import spots

PRODUCT = ("spec", "impl", "checker")
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


def test_a_negation_goes_and_the_parentheses_behind_it_stay():
    assert {*lines_changed("full = not (a and b)")} == {"full = (a and b)", "full = not (a or b)"}


def test_what_is_drawn_is_a_row_that_python_can_read_and_no_two_are_of_one_line():
    drawn = draw(1, 40, PRODUCT)
    assert len({(row.file, row.name.rpartition("_")[0]) for row in drawn}) == 40
    for row in drawn:
        assert len(row.lines()) == 1
        assert row.old != row.new
        ast.parse(row.text())


def test_the_same_seed_draws_the_same():
    assert draw(3, 5, ["impl"]) == draw(3, 5, ["impl"]) != draw(4, 5, ["impl"])


def test_every_module_with_a_place_can_be_drawn_and_there_are_thousands_of_places():
    files = [file for file, _ in possible(PRODUCT)]
    assert len(files) > 10_000
    assert {file.split("/")[0] for file in files} == set(PRODUCT)
    assert {"spec/protocols/skip_ring/models.py", "checker/gate/table.py", "checker/prove/runner.py"} <= set(files)
