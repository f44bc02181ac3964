"""Runs of the toy of words have the verdicts and rounds that are counted by hand; both judges say the same.

Source: traces/README.md, Conformance
"""

import pytest

from tests.checker.judge.runs import runs


@pytest.mark.parametrize(("claim", "below"), runs().items(), ids=runs())
def test_each_run_has_its_verdicts(claim, below):
    assert below, f"{claim}: there is no run"
    for run in below:
        assert run.said() == run.says != [], claim
