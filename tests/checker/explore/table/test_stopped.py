"""A bound that is reached while a graph is judged leaves open only the findings that were not judged yet."""

import pytest

from gomboc.checker.explore.questions.bounds import BoundReachedError, BoundWatch
from gomboc.checker.explore.table.examine import examine
from gomboc.checker.judge.verdict import Holds, Unknown
from tests.plugins.linearisation import linearisation
from tests.plugins.promises import findings, named_verdicts


def test_a_bound_that_is_reached_while_convergence_is_judged_leaves_convergence_open(monkeypatch):
    def insist(self):
        raise BoundReachedError("the bound of 7 seconds was reached")

    monkeypatch.setattr(BoundWatch, "insist", insist)
    exploration = examine(linearisation(1))
    assert named_verdicts(exploration) == {
        "closure": Holds,
        "convergence from": Unknown,
        "convergence every": Unknown,
        "not_vacuous": Holds,
        "canonical": Holds,
        "stays_connected": Holds,
    }
    stopped = Unknown("the bound of 7 seconds was reached while it was judged")
    assert all(finding.verdict == stopped for finding in findings(exploration))


def test_any_other_error_is_none_of_its_business(monkeypatch):
    def insist(self):
        raise RuntimeError("something else")

    monkeypatch.setattr(BoundWatch, "insist", insist)
    with pytest.raises(RuntimeError, match="something else"):
        examine(linearisation(1))
