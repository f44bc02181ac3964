"""Each module of the product has a mirrored test file, or a line that says which test file covers it."""

import pytest

from tests.tree import mirrors
from tests.tree.mirrors import ROOT, bodies, covering, line_for, mirror_of, modules, table

TABLE = table()


def test_every_module_has_a_mirror_or_a_line():
    """If not: write the mirror, or a line of tests/tree/mirrors.toml."""
    assert [module for module, test in covering(TABLE).items() if test is None] == []


def test_every_line_names_a_test_file_that_is_there_and_is_the_nearest_one_of_a_module_without_a_mirror():
    assert [test for test in TABLE.values() if not (ROOT / test).is_file() or "/test_" not in test] == []
    without = [module for module in modules() if not (ROOT / mirror_of(module)).exists()]
    assert TABLE.keys() - {line_for(module, TABLE) for module in without} == set()


def test_the_lines_are_in_order():
    assert [*TABLE] == sorted(TABLE)


@pytest.mark.parametrize(
    ("module", "key"),
    [
        ("checker/cli/paths.py", "checker/cli/paths.py"),
        ("checker/cli/commands/gate.py", "checker/cli/commands"),
        ("checker/cli/written.py", "checker"),
        ("impl/api/node.py", None),
    ],
)
def test_the_nearest_line_counts(module, key):
    named = dict.fromkeys(("checker", "checker/cli/commands", "checker/cli/paths.py"), "")
    assert line_for(module, named) == key


def test_a_module_without_either_is_found(monkeypatch):
    monkeypatch.setattr(mirrors, "modules", lambda: ["checker/traces/trace.py", "checker/traces/never.py"])
    assert covering({}) == {
        "checker/traces/trace.py": "tests/checker/traces/test_trace.py",
        "checker/traces/never.py": None,
    }


def test_bodies_are_lines_that_an_import_does_not_run():
    lines = (ROOT / "checker/core/phrases.py").read_text().splitlines()
    assert {lines[number - 1][:4] for number in bodies("checker/core/phrases.py")} <= {"", "    "}
    assert bodies("checker/core/exit_codes.py") == set()
