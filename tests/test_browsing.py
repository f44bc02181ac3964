"""A run says how many tests ran in a browser, and says it loudly if none did."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.browsing import summary

ROOT = Path(__file__).resolve().parent.parent


class Report:
    def __init__(self, *keywords):
        self.keywords = dict.fromkeys(keywords, 1)


BROWSED, OTHER = Report("browser"), Report("spark")


@pytest.mark.parametrize(
    ("stats", "line"),
    [
        ({"passed": [OTHER]}, ""),
        ({"passed": [OTHER, BROWSED, BROWSED], "skipped": [OTHER]}, "browser tests: 2 ran, 0 skipped."),
        ({"passed": [BROWSED], "failed": [BROWSED], "error": [BROWSED]}, "browser tests: 3 ran, 0 skipped."),
        (
            {"passed": [OTHER], "skipped": [BROWSED, OTHER, BROWSED]},
            "browser tests: NONE RAN, 2 skipped: install Debian's packages chromium and chromium-driver.",
        ),
    ],
)
def test_the_line_says_how_many_ran(stats, line):
    assert summary(stats) == line


def test_a_run_without_a_browser_passes_and_says_so(tmp_path):
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "tests/checker/report/page/test_browser.py",
    ]
    ran = subprocess.run(words, cwd=ROOT, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
    assert "browser tests: NONE RAN" in ran.stdout
