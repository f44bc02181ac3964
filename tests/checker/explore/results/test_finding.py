"""The exit code of an exploration."""

import pytest
from msgspec.structs import replace

from gomboc.checker.explore.graph.examine import examine
from gomboc.checker.explore.results.finding import Finding
from gomboc.checker.judge.verdict import Holds, Unknown, Violated
from tests.checker.explore.graph.graphs import graph_model

GOOD, BAD, OPEN = Holds("all"), Violated(0, "it", "it is not"), Unknown("a bound")


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [((), 0), ((GOOD, GOOD), 0), ((GOOD, OPEN), 3), ((OPEN, BAD), 1), ((BAD, GOOD), 1), ((OPEN,), 3)],
)
def test_a_violation_outweighs_what_is_unknown_and_that_outweighs_what_holds(verdicts, code):
    exploration = examine(graph_model([(0, [("a", 1)])], kinds=()))
    findings = tuple(Finding("it", "it is", verdict) for verdict in verdicts)
    assert replace(exploration, findings=findings).exit_code() == code
