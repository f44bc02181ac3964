"""The picture of Scribe: the places of nodes in the tree, and the looks of their lines."""

import pytest

from gomboc.checker.evidence.scribe.picture import CHILD, NEXT, PARENT, lines
from gomboc.checker.report.page.picture import Line
from gomboc.checker.report.page.pictures import picture_of
from gomboc.spec.core.registry import find_protocol
from gomboc.spec.protocols.scribe.state import CRASHED, Child, Node

CHILDREN = (Child("n2", 1), Child("n3", 2))


@pytest.mark.parametrize(
    ("local", "distance", "label", "look"),
    [
        (Node(False, "n1"), 0.08, "n1", "authority"),
        (Node(True, "n0", "n0", CHILDREN), 0.55, "n1", "in"),
        (Node(False, "n0", "n0", CHILDREN), 0.55, "n1 forwards", "in"),
        (Node(True, "n0", "n0"), 1.0, "n1", "in"),
        (Node(False, "n0"), 1.22, "n1", "out"),
        (CRASHED, 1.22, "n1", "out"),
    ],
    ids=["owner", "subscriber with children", "forwarder", "leaf", "neither", "crashed"],
)
def test_a_node_stands_where_its_place_in_the_tree_is(local, distance, label, look):
    drawn = picture_of(find_protocol("scribe")).spot(("n0", "n1", "n2", "n3"), "n1", local)
    assert (drawn.x, drawn.y) == (distance, 0.0)
    assert (drawn.label, drawn.look) == (label, look)


def test_lines_lead_to_parent_and_children_and_to_another_next_hop():
    drawn = Line("n0", PARENT, True), Line("n2", CHILD, True), Line("n3", CHILD, True)
    assert lines("n1", Node(True, "n0", "n0", CHILDREN), frozenset()) == drawn
    assert lines("n1", Node(True, "n4", "n0", CHILDREN), frozenset()) == (*drawn, Line("n4", NEXT, True))
    assert lines("n1", Node(True, "n1"), frozenset()) == ()


@pytest.mark.parametrize(
    ("conjunct", "right"),
    [
        ("parent_is_next", [False, True, True]),
        ("no_parent_outside_the_tree", [False, True, True]),
        ("children_are_right", [True, False, False]),
        ("counts_are_right", [True, False, False]),
        ("no_children_outside_the_tree", [True, False, False]),
        ("all_is_delivered", [True, True, True]),
    ],
)
def test_lines_are_wrong_where_their_conjunct_is_false(conjunct, right):
    drawn = lines("n1", Node(True, "n0", "n0", CHILDREN), frozenset((conjunct,)))
    assert [line.right for line in drawn] == right
