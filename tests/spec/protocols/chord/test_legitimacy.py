"""The ideal ring, conjunct by conjunct: each is false of something, and nothing else is then.

Source: Zave 2017, ideal state; Stoica et al. 2003, Section IV
"""

from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.protocols.chord import legitimacy
from gomboc.spec.protocols.chord.legitimacy import owner, right_state
from gomboc.spec.protocols.chord.state import CRASHED, Node
from tests.spec.protocols.chord.rings import PLAIN, SMALL, member, protocol

MEMBERS = ("n1", "n5", "n6", "n12")
IDEAL = {name: right_state(SMALL, MEMBERS, name) for name in MEMBERS}


def test_the_ideal_ring_of_four_is_this():
    assert {
        "n1": member(12, 5, 6, fingers=((3, "n12"),)),
        "n5": member(1, 6, 12, fingers=((1, "n12"), (2, "n12"), (3, "n1"))),
        "n6": member(5, 12, 1, fingers=((3, "n1"),)),
        "n12": member(6, 1, 5, fingers=((3, "n5"),)),
    } == IDEAL
    assert legitimacy_faults(protocol(), IDEAL, ()) == ()


def test_in_a_ring_of_no_more_than_r_a_list_has_all_others():
    assert right_state(PLAIN, ("n3", "n9"), "n9") == member(3, 3)
    assert right_state(SMALL, ("n3",), "n3") == member()


def test_a_node_has_no_finger_to_itself():
    assert right_state(SMALL, ("n0", "n1"), "n0") == member(1, 1)


def test_a_key_belongs_to_the_member_there_or_the_next_one():
    owners = [owner(SMALL.circle, MEMBERS, position) for position in range(16)]
    assert owners == ["n1"] * 2 + ["n5"] * 4 + ["n6"] + ["n12"] * 6 + ["n1"] * 3


def test_the_anchor_is_a_node_that_is_inside_in_the_order_of_the_circle():
    shares = {name: legitimacy.share(local) for name, local in {**IDEAL, "n9": CRASHED, "n10": Node()}.items()}
    assert legitimacy.anchor(SMALL, shares) == MEMBERS
