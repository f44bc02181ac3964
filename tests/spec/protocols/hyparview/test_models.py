"""The pinned models of HyParView: their negative control is the smallest."""

from gomboc.checker.judge.verdict import Violated
from gomboc.spec.protocols.hyparview.models import SMALL, closed
from tests.spec.protocols.exploring import run


def test_three_nodes_are_too_few_to_displace_a_right_link_since_two_places_are_enough_for_all():
    three = run(closed(SMALL, 3, 4, "accepts_all"))
    assert not [finding for finding in three.findings if isinstance(finding.verdict, Violated)]
