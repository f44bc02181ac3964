"""The picture of Chord: the points of nodes, and the looks of their lines."""

from gomboc.checker.evidence.chord.picture import BEFORE, FINGER, FURTHER, HEAD, lines
from gomboc.checker.report.page.picture import Line, on_circle
from gomboc.checker.report.page.pictures import picture_of
from gomboc.spec.core.protocol import configured
from gomboc.spec.core.registry import find_protocol
from gomboc.spec.protocols.chord.names import Circle
from gomboc.spec.protocols.chord.state import CRASHED, Node

KNOWS = Node("inside", "n8", ("n4", "n6"), ((3, "n8"),))


def numbered(bits):
    return picture_of(configured(find_protocol("chord"), {"bits": bits, "ids": "number"}))


def test_nodes_stand_where_their_ids_are():
    names = ("n0", "n4", "n8", "n12")
    spots = [numbered(4).spot(names, name, KNOWS) for name in names]
    assert [(point.x, point.y) for point in spots] == [on_circle(turn) for turn in (0.0, 0.25, 0.5, 0.75)]
    hashed = picture_of(find_protocol("chord")).spot(names, "n4", KNOWS)
    assert (hashed.x, hashed.y) == on_circle(Circle().id_of("n4") / Circle().size())


def test_members_stand_on_the_circle_and_all_others_outside():
    looks = [numbered(4).spot(("n0",), "n0", local) for local in (KNOWS, CRASHED, Node(), Node(contact="n4"))]
    assert [look.look for look in looks] == ["in", "out", "out", "out"]
    assert [round(look.x**2 + look.y**2, 2) for look in looks] == [1.0, 1.49, 1.49, 1.49]


def test_lines_lead_to_all_whom_a_member_knows_each_at_its_level():
    assert lines("n0", KNOWS, frozenset()) == (
        Line("n4", HEAD, True),
        Line("n6", FURTHER, True),
        Line("n8", BEFORE, True),
        Line("n8", FINGER, True),
    )


def test_lines_are_wrong_where_their_conjunct_is_false():
    false = frozenset(("successors_are_right", "fingers_are_right"))
    assert [line.right for line in lines("n0", KNOWS, false)] == [False, False, True, False]
