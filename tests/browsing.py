"""How many tests ran in a browser: a run without one passes, and says so where it ends."""

from collections.abc import Mapping, Sequence

import pytest

MARK = "browser"
"""The marker of tests that drive a browser: those that ask for the fixture of this name."""

PACKAGES = "chromium and chromium-driver"
"""Debian's packages that they need."""


def mark(items: Sequence[pytest.Item]) -> None:
    """Mark the tests that drive a browser, so that their reports say it in whichever process they run."""
    for item in items:
        if MARK in getattr(item, "fixturenames", ()):
            item.add_marker(MARK)


def summary(stats: Mapping[str, Sequence[object]]) -> str:
    """The line that ends a run; empty if it had no test for a browser. `stats` are pytest's reports by outcome."""
    counts = {
        outcome: sum(MARK in getattr(report, "keywords", ()) for report in stats.get(outcome, ()))
        for outcome in ("passed", "failed", "error", "skipped")
    }
    ran = counts["passed"] + counts["failed"] + counts["error"]
    if not ran and not counts["skipped"]:
        return ""
    if not ran:
        return f"browser tests: NONE RAN, {counts['skipped']} skipped: install Debian's packages {PACKAGES}."
    return f"browser tests: {ran} ran, {counts['skipped']} skipped."
