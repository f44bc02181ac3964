"""A quick run covers the tests that mirror changed files."""

import pytest

from tests.quick import ROOT, mirrors_of


@pytest.mark.parametrize(
    ("paths", "tests"),
    [
        (["checker/traces/trace.py"], ["tests/checker/traces/test_trace.py"]),
        (["spec/protocols/chord/rules.py", "README.md"], ["tests/spec/protocols/chord/test_rules.py"]),
        (
            ["tests/checker/summary/test_verdict_row.py", "tests/checker/ring.py"],
            ["tests/checker/summary/test_verdict_row.py"],
        ),
        (["README.md", "pyproject.toml", "tests/conftest.py"], []),
    ],
)
def test_the_tests_of_a_change_are_those_that_mirror_it(paths, tests):
    assert mirrors_of(paths) == tests
    assert all((ROOT / test).is_file() for test in tests)


def test_a_source_without_a_mirror_is_tested_by_its_folder():
    mirrors = mirrors_of(["checker/report/page/chart.py"])
    assert mirrors
    assert all(test.startswith("tests/checker/report/page/test_") for test in mirrors)
