"""The picture of delta-fault-tolerance: the tree as it is, the brokers outside of it, and the meaning of the lines."""

import pytest

from gomboc.checker.evidence.delta_fault_tolerance.picture import BYPASS, LINK, PICTURE, ROW, lines, places
from gomboc.checker.report.page.picture import Line
from gomboc.checker.report.page.pictures import picture_of
from gomboc.spec.core.registry import find_protocol
from gomboc.spec.protocols.delta_fault_tolerance.contents import Row
from gomboc.spec.protocols.delta_fault_tolerance.models import ONE
from gomboc.spec.protocols.delta_fault_tolerance.names import parent
from gomboc.spec.protocols.delta_fault_tolerance.space import line, star, trees
from gomboc.spec.protocols.delta_fault_tolerance.state import Connection, Node

STREAM = (0, 1)
MIDDLE = Node(
    connections=(Connection("0", "operational", STREAM, STREAM), Connection("0.1.2.3", "operational", STREAM, STREAM)),
    rows=(Row("0.1.2.3", ONE, "0.1.2.3"), Row("0.1.2", ONE, "0.1.2"), Row("0.4", ONE, "0")),
)


def test_it_is_the_picture_of_that_protocol():
    picture = picture_of(find_protocol("delta_fault_tolerance"))
    assert picture.own
    assert picture.levels == PICTURE.levels


@pytest.mark.parametrize("names", [("0",), line(6), star(6), *trees(20)], ids=len)
def test_no_two_brokers_stand_in_one_place_and_parents_stand_higher(names):
    points = places(names)
    assert len(set(points.values())) == len(names)
    assert all(abs(x) <= 1 and abs(y) <= 1 for x, y in points.values())
    assert all(points[parent(name)][1] < points[name][1] for name in names if parent(name) in points)


def test_children_stand_on_both_sides_of_their_parent():
    points = places(("0", "0.1", "0.2", "0.2.3"))
    assert points["0.1"][0] < points["0"][0] < points["0.2"][0]


def test_a_line_leans_so_that_names_stand_beside_it():
    across = [x for x, _ in places(("0", "0.1", "0.1.2")).values()]
    assert across == sorted(set(across))


@pytest.mark.parametrize("status", ["operational", "recovering", "failed", "detached"])
def test_a_node_that_takes_no_part_looks_so(status):
    look = PICTURE.spot(("0", "0.1"), "0.1", Node(status)).look
    assert look == ("out" if status in ("failed", "detached") else "in")


def test_lines_are_links_bypasses_and_where_publications_are_sent_once_each():
    assert lines("0.1", MIDDLE, frozenset()) == (
        Line("0", LINK, True),
        Line("0.1.2.3", BYPASS, True),
        Line("0", ROW, True),
        Line("0.1.2", ROW, True),
        Line("0.1.2.3", ROW, True),
    )
    assert len(PICTURE.levels) == 3


@pytest.mark.parametrize(("false", "wrong"), [("sessions_agree", {LINK, BYPASS}), ("tables_are_right", {ROW})])
def test_lines_are_wrong_where_their_conjunct_is_false(false, wrong):
    assert {line.level for line in lines("0.1", MIDDLE, frozenset((false,))) if not line.right} == wrong
