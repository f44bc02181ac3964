"""Each rule by itself, on a circle of sixteen ids.

Source: Section 2.2.3; Stoica et al. 2003, Figure 6; Zave 2017
"""

import pytest

from gomboc.spec.core.model import Commanded, Received, Timeout
from gomboc.spec.protocols.chord.cited import fired, rule
from gomboc.spec.protocols.chord.state import CRASHED, Dead, Join, JoinReply, Node, Outside, Route, StabilizeRequest
from tests.spec.protocols.chord.rings import MEETING, PLAIN, RULES, coins, commanded, member, received, sent, timed_out

OUTSIDE = Node()
JOINING = Node(contact="n0")


# A member's timeout.


def test_with_meet_a_coin_says_whether_the_head_is_asked_or_a_peer_that_would_be_nearer():
    local = member(0, 8, peers=("n12", "n5", "n7", "n8"))
    assert {name: str(chance) for name, chance in coins("n4", local).items()} == {
        "head": "1/2",
        "peer n5": "1/4",
        "peer n7": "1/4",
    }
    assert sent(timed_out("n4", local, MEETING, "peer n7"))[0] == ("n7", StabilizeRequest("n4"))
    assert sent(timed_out("n4", local, MEETING, "head"))[0] == ("n8", StabilizeRequest("n4"))


def test_with_meet_a_node_that_has_no_successors_asks_any_peer():
    assert coins("n4", member(None, peers=("n1", "n9"))) == {"peer n1": 1 / 2, "peer n9": 1 / 2}
    assert coins("n4", member(9, peers=("n1",))) == {"head": 1 / 2, "peer n1": 1 / 2}
    assert sent(timed_out("n4", member(None, peers=("n1",)), MEETING)) == [("n1", StabilizeRequest("n4"))]


def test_without_meet_no_peer_is_asked():
    assert coins("n4", member(0, 8, peers=("n5",)), PLAIN) == {"certain": 1}


# Getting in.


def test_a_node_that_joins_through_itself_begins_a_ring():
    outcome = commanded("n4", Node(contact="n0", peers=("n1",), watched=("9",)), Join("n4"))
    assert outcome.local == member(peers=("n1",), watched=("9",))
    assert outcome.delivered == (Route("9", "n4"),)
    assert commanded("n4", member(0, 8), Join("n4")).local == member(0, 8)
    assert commanded("n4", CRASHED, Join("n4")).local == CRASHED
    assert [rule.name for rule in fired(PLAIN, "n4", OUTSIDE, Commanded(Join("n4")))] == ["create"]
    assert [rule.name for rule in fired(PLAIN, "n4", OUTSIDE, Commanded(Join("n0")))] == ["join"]


# What the layers above and below hear and say.


@pytest.mark.parametrize(
    ("local", "taken", "name"),
    [
        (member(0, 8), Timeout(), "stabilize"),
        (JOINING, Timeout(), "retry_join"),
        (OUTSIDE, Timeout(), "sleep"),
        (JOINING, Received(JoinReply("n0", ("n8",))), "join_reply"),
        (OUTSIDE, Received(JoinReply("n0", ("n8",))), "ignore_outside"),
        (OUTSIDE, Received(Dead("n0")), "handle_crash"),
        (CRASHED, Received(StabilizeRequest("n0")), "bounce"),
        (member(0, 8), Received(JoinReply("n0", ("n8",))), "stale_join_reply"),
        (CRASHED, Commanded(Join("n0")), "join"),
    ],
)
def test_a_step_is_called_by_what_the_node_does(local, taken, name):
    assert rule(local, taken).name == name


def test_a_timeout_that_looks_a_finger_up_comprises_two_rules():
    names = [rule.name for rule in fired(RULES.parameters, "n0", member(12, 1), Timeout())]
    assert names == ["stabilize", "fix_fingers"]
    assert [rule.name for rule in fired(PLAIN, "n0", member(12, 1), Timeout())] == ["stabilize"]
    assert [rule.name for rule in fired(RULES.parameters, "n0", member(), Timeout())] == ["stabilize"]


# Nodes outside that are asked.


def test_a_member_forgets_a_node_outside_wherever_it_is_listed():
    known = member(2, 2, 8, fingers=((3, "n2"),), peers=("n2",))
    assert received("n0", known, Outside("n2")).local == member(None, 8, peers=("n2",))
    assert received("n2", known, Outside("n2")).local == known
    assert received("n9", Node(contact="n2"), Outside("n2"), MEETING).local == Node(contact="n2")
