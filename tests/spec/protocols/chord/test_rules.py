"""Each rule by itself, on a circle of sixteen ids.

Source: Section 2.2.3; Stoica et al. 2003, Figure 6; Zave 2017
"""

import pytest

from gomboc.spec.core.model import Commanded, Received, Timeout
from gomboc.spec.protocols.chord.cited import fired, rule
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.state import (
    CRASHED,
    Dead,
    FixFingerReply,
    FixFingerRequest,
    Join,
    JoinReply,
    JoinRequest,
    Leave,
    Lookup,
    Neighbours,
    Node,
    Notify,
    Outside,
    Peers,
    Ping,
    Route,
    RouteReply,
    RouteRequest,
    StabilizeReply,
    StabilizeRequest,
)
from gomboc.spec.types.kinds import Crash, Suspect
from tests.spec.protocols.chord.rings import MEETING, PLAIN, RULES, coins, commanded, member, received, sent, timed_out

OUTSIDE = Node()
JOINING = Node(contact="n0")


# A member's timeout.


def test_a_timeout_asks_the_head_and_pings_the_predecessor():
    outcome = timed_out("n4", member(0, 8, 12), PLAIN)
    assert sent(outcome) == [("n8", StabilizeRequest("n4")), ("n0", Ping("n4"))]
    assert outcome.local == member(0, 8, 12)


def test_a_node_that_has_no_successors_asks_its_predecessor():
    assert sent(timed_out("n4", member(8), PLAIN)) == [("n8", StabilizeRequest("n4")), ("n8", Ping("n4"))]


def test_a_node_that_is_alone_asks_no_node():
    assert not sent(timed_out("n4", member(), PLAIN))


def test_a_timeout_looks_one_finger_up_and_the_next_time_the_next_one():
    outcome = timed_out("n0", member(12, 1, 4))
    assert sent(outcome)[2:] == [("n1", FixFingerRequest(1, "n0", "n0"))]
    assert outcome.local.next == 2
    outcome = timed_out("n0", outcome.local)
    assert sent(outcome)[2:] == [("n1", FixFingerRequest(2, "n0", "n0"))]
    assert timed_out("n0", member(12, 1, 4, next=3)).local.next == 0


def test_no_finger_is_looked_up_whose_place_the_head_owns():
    outcome = timed_out("n0", member(12, 4, 8, fingers=((1, "n8"), (3, "n8"))))
    assert sent(outcome)[2:] == [("n4", FixFingerRequest(3, "n0", "n0"))]
    assert outcome.local.fingers == ((3, "n8"),)


def test_a_finger_whose_place_is_ones_own_is_none():
    outcome = timed_out("n0", member(1, 1, fingers=((2, "n1"),), next=2))
    assert not sent(outcome)[2:]
    assert outcome.local == member(1, 1, next=3)


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


# Questions, answers and notices.


def test_a_node_that_is_asked_tells_its_state_and_remembers_nothing():
    outcome = received("n4", member(0, 8, 12), StabilizeRequest("n0"))
    assert sent(outcome) == [("n0", StabilizeReply("n4", "n0", ("n8", "n12")))]
    assert outcome.local == member(0, 8, 12)


def test_the_answer_of_the_head_gives_its_list_and_is_followed_by_a_notice():
    outcome = received("n0", member(None, 4, 8), StabilizeReply("n4", "n0", ("n9", "n12")), PLAIN)
    assert outcome.local == member(None, 4, 9)
    assert sent(outcome) == [("n4", Notify("n0"))]


def test_the_answer_of_a_node_that_lies_before_the_head_makes_it_the_head():
    outcome = received("n0", member(None, 4, 8), StabilizeReply("n2", None, ("n4", "n8")), PLAIN)
    assert outcome.local == member(None, 2, 4)
    assert sent(outcome) == [("n2", Notify("n0"))]


def test_any_other_answer_comes_too_late():
    outcome = received("n0", member(None, 4, 8), StabilizeReply("n8", "n4", ("n0",)), PLAIN)
    assert outcome.local == member(None, 4, 8)
    assert not sent(outcome)


def test_a_nearer_predecessor_of_the_head_is_asked_and_not_adopted():
    outcome = received("n0", member(None, 4), StabilizeReply("n4", "n2", ("n8",)), PLAIN)
    assert outcome.local.successors == ("n4", "n8")
    assert sent(outcome) == [("n2", StabilizeRequest("n0"))]


def test_a_list_ends_before_oneself():
    assert received("n8", member(4, 0), StabilizeReply("n0", "n8", ("n8", "n4"))).local.successors == ("n0",)


def test_ones_own_answer_is_of_no_use():
    assert received("n8", member(4), StabilizeReply("n8", "n4", ("n0",))).local == member(4)


@pytest.mark.parametrize(("before", "after"), [(None, 2), (0, 2), (3, 3), (2, 2)])
def test_a_node_that_notifies_is_adopted_if_there_is_no_predecessor_or_it_is_nearer(before, after):
    assert received("n4", member(before, 8), Notify("n2")).local.predecessor == f"n{after}"


def test_a_notice_of_oneself_is_none():
    assert received("n4", member(None, 8), Notify("n4")).local == member(None, 8)


@pytest.mark.parametrize("message", [Ping("n0"), JoinReply("n0", ("n8",))])
def test_pings_and_late_places_change_nothing(message):
    outcome = received("n4", member(0, 8), message)
    assert (outcome.local, outcome.sends, outcome.delivered) == (member(0, 8), (), ())


# The dead.


@pytest.mark.parametrize("word", [received, commanded])
def test_a_node_that_is_gone_is_dropped_wherever_it_is_listed(word):
    gone = Dead if word is received else Suspect
    local = member(8, 8, 12, fingers=((2, "n8"), (3, "n12")))
    assert word("n4", local, gone("n8")).local == member(None, 12, fingers=((3, "n12"),))
    assert word("n4", local, gone("n12")).local == member(8, 8, fingers=((2, "n8"),))
    assert word("n4", local, gone("n1")).local == local
    assert word("n4", local, gone("n4")).local == local


@pytest.mark.parametrize(
    "message",
    [
        StabilizeRequest("n0"),
        Ping("n0"),
        Notify("n0"),
        JoinRequest("n2", "n0"),
        RouteRequest("7", "n2", "n0"),
        FixFingerRequest(3, "n2", "n0"),
    ],
)
def test_the_mailbox_of_the_crashed_answers_any_node_that_has_sent_a_question(message):
    outcome = received("n4", CRASHED, message)
    assert sent(outcome) == [("n0", Dead("n4"))]
    assert outcome.local == CRASHED


@pytest.mark.parametrize(
    "message",
    [
        StabilizeReply("n0", None, ()),
        JoinReply("n0", ("n8",)),
        RouteReply("7", "n8"),
        FixFingerReply(3, "n8"),
        Dead("n0"),
    ],
)
def test_the_mailbox_of_the_crashed_answers_nothing_else(message):
    outcome = received("n4", CRASHED, message)
    assert (outcome.local, outcome.sends) == (CRASHED, ())


@pytest.mark.parametrize("local", [OUTSIDE, JOINING, member(0, 8, fingers=((3, "n12"),), next=2), CRASHED])
def test_a_node_that_crashes_or_leaves_knows_no_node(local):
    assert commanded("n4", local, Crash()).local == CRASHED
    assert commanded("n4", local, Leave()).local == CRASHED


def test_a_node_that_leaves_tells_its_predecessor_and_its_head_once():
    assert sent(commanded("n4", member(0, 8, 12), Leave())) == [("n0", Dead("n4")), ("n8", Dead("n4"))]
    assert sent(commanded("n4", member(8, 8), Leave())) == [("n8", Dead("n4"))]
    assert not sent(commanded("n4", member(0, 8), Crash()))


# Getting in.


def test_a_node_that_is_told_to_join_asks_its_contact_in_every_timeout():
    joining = commanded("n4", OUTSIDE, Join("n0")).local
    assert joining == JOINING
    outcome = timed_out("n4", joining)
    assert sent(outcome) == [("n0", JoinRequest("n4", "n4"))]
    assert outcome.local == joining


@pytest.mark.parametrize("local", [member(0, 8), CRASHED])
def test_only_a_node_that_is_outside_can_join(local):
    assert commanded("n4", local, Join("n0")).local == local


def test_a_node_that_joins_through_itself_begins_a_ring():
    keyed = Parameters(bits=4, ids="number", r=2, keys=("9",))
    outcome = commanded("n4", Node(contact="n0", peers=("n1",)), Join("n4"), keyed)
    assert outcome.local == member(peers=("n1",))
    assert outcome.delivered == (Route("9", "n4"),)
    assert commanded("n4", member(0, 8), Join("n4")).local == member(0, 8)
    assert commanded("n4", CRASHED, Join("n4")).local == CRASHED
    assert [rule.name for rule in fired(PLAIN, "n4", OUTSIDE, Commanded(Join("n4")))] == ["create"]
    assert [rule.name for rule in fired(PLAIN, "n4", OUTSIDE, Commanded(Join("n0")))] == ["join"]


def test_a_node_that_lies_before_the_head_is_given_the_whole_list():
    outcome = received("n0", member(12, 4, 8), JoinRequest("n2", "n12"))
    assert sent(outcome) == [("n2", JoinReply("n0", ("n4", "n8")))]
    assert outcome.local == member(12, 4, 8)


def test_a_lone_member_gives_itself():
    assert sent(received("n0", member(), JoinRequest("n2", "n2"))) == [("n2", JoinReply("n0", ("n0",)))]


def test_whose_place_is_elsewhere_is_sent_on_as_near_as_possible():
    local = member(12, 4, 6, fingers=((3, "n8"),))
    assert sent(received("n0", local, JoinRequest("n10", "n12"))) == [("n8", JoinRequest("n10", "n0"))]
    assert sent(received("n0", local, JoinRequest("n8", "n12"))) == [("n6", JoinRequest("n8", "n0"))]


def test_a_node_that_is_the_head_already_hears_of_its_own_question():
    assert sent(received("n0", member(12, 4, 6), JoinRequest("n4", "n4"))) == [("n4", JoinRequest("n4", "n0"))]
    assert not sent(received("n4", member(0, 6), JoinRequest("n4", "n0")))


def test_a_place_makes_a_member():
    outcome = received("n2", Node(contact="n12", peers=("n9",)), JoinReply("n0", ("n4", "n8")))
    assert outcome.local == member(0, 4, 8, peers=("n9",))
    assert outcome.delivered == (Neighbours("n0", ("n4", "n8")),)


def test_a_place_is_cut_before_oneself_and_never_empty():
    assert received("n2", JOINING, JoinReply("n0", ("n4", "n2"))).local == member(0, 4)
    assert received("n2", JOINING, JoinReply("n0", ("n2", "n4"))).local == member(0, 0)


@pytest.mark.parametrize(
    "message", [JoinReply("n0", ("n8",)), StabilizeRequest("n0"), JoinRequest("n2", "n0"), Notify("n0"), Dead("n0")]
)
def test_a_node_that_is_outside_and_does_not_want_in_hears_nothing(message):
    outcome = received("n4", OUTSIDE, message)
    assert (outcome.local, outcome.sends) == (OUTSIDE, ())


def test_a_node_that_wants_in_through_a_node_that_is_gone_gives_up():
    assert received("n4", JOINING, Dead("n0")).local == OUTSIDE
    assert received("n4", JOINING, Dead("n1")).local == JOINING


# Lookups.


def test_the_owner_of_a_key_answers_the_asker():
    assert sent(received("n4", member(0, 8), RouteRequest("3", "n12", "n0"))) == [("n12", RouteReply("3", "n4"))]
    assert sent(received("n4", member(0, 8), RouteRequest("4", "n12", "n0"))) == [("n12", RouteReply("4", "n4"))]


def test_a_lookup_goes_to_the_nearest_before_the_key_or_to_the_head():
    local = member(12, 4, 6, fingers=((3, "n9"),))
    assert sent(received("n0", local, RouteRequest("b", "n12", "n12"))) == [("n9", RouteRequest("b", "n12", "n0"))]
    assert sent(received("n0", local, RouteRequest("9", "n12", "n12"))) == [("n6", RouteRequest("9", "n12", "n0"))]
    assert sent(received("n0", local, RouteRequest("3", "n12", "n12"))) == [("n4", RouteRequest("3", "n12", "n0"))]


def test_without_a_predecessor_a_node_owns_nothing_unless_it_is_alone():
    assert sent(received("n4", member(None, 8), RouteRequest("4", "n8", "n0"))) == [
        ("n8", RouteRequest("4", "n8", "n4"))
    ]
    assert sent(received("n4", member(), RouteRequest("9", "n8", "n0"))) == [("n8", RouteReply("9", "n4"))]


def test_without_successors_a_lookup_goes_to_the_predecessor():
    assert sent(received("n4", member(8), RouteRequest("7", "n0", "n0"))) == [("n8", RouteRequest("7", "n0", "n4"))]
    assert sent(received("n4", member(8), RouteRequest("9", "n0", "n0"))) == [("n0", RouteReply("9", "n4"))]


def test_an_application_is_told_a_node_that_owns_its_key():
    assert sent(commanded("n4", member(0, 8), Lookup("7"))) == [("n8", RouteRequest("7", "n4", "n4"))]
    assert commanded("n4", member(0, 8), Lookup("4")).delivered == (RouteReply("4", "n4"),)
    assert received("n4", member(0, 8), RouteReply("7", "n8")).delivered == (RouteReply("7", "n8"),)
    assert not sent(commanded("n4", OUTSIDE, Lookup("7")))


def test_ones_own_lookup_that_comes_back_is_answered_at_once():
    outcome = received("n4", member(0, 8), RouteRequest("4", "n4", "n0"))
    assert (outcome.sends, outcome.delivered) == ((), (RouteReply("4", "n4"),))


def test_the_owner_of_a_fingers_place_answers_and_others_send_it_on():
    assert sent(received("n12", member(8, 0), FixFingerRequest(3, "n2", "n8"))) == [("n2", FixFingerReply(3, "n12"))]
    assert sent(received("n8", member(4, 12), FixFingerRequest(3, "n4", "n4"))) == [
        ("n12", FixFingerRequest(3, "n4", "n8"))
    ]


def test_a_finger_is_pointed_to_the_owner_of_its_place():
    local = member(12, 1, fingers=((1, "n4"), (3, "n12")))
    assert received("n0", local, FixFingerReply(3, "n9")).local.fingers == ((1, "n4"), (3, "n9"))
    assert received("n0", local, FixFingerReply(2, "n4")).local.fingers == ((1, "n4"), (2, "n4"), (3, "n12"))
    assert received("n0", local, FixFingerReply(3, "n0")).local.fingers == ((1, "n4"),)
    assert received("n0", local, FixFingerReply(0, "n4")).local == local
    assert received("n0", member(12, 1), FixFingerReply(3, "n9"), PLAIN).local == member(12, 1)


# What the layers above and below hear and say.


def test_neighbours_are_told_above_when_they_change_and_only_then():
    assert received("n4", member(0, 8), Notify("n2")).delivered == (Neighbours("n2", ("n8",)),)
    assert received("n4", member(0, 8), Dead("n8")).delivered == (Neighbours("n0", ()),)
    assert commanded("n4", member(0, 8), Crash()).delivered == (Neighbours(None, ()),)
    assert not received("n4", member(0, 8), Notify("n0")).delivered
    assert not commanded("n4", OUTSIDE, Crash()).delivered


def test_the_next_hop_to_a_key_is_told_above_when_it_changes():
    keyed = Parameters(bits=4, ids="number", r=2, keys=("9", "3"))
    taken = received("n2", Node(contact="n0"), JoinReply("n0", ("n8",)), keyed)
    assert taken.delivered[1:] == (Route("9", "n8"), Route("3", "n8"))
    assert received("n8", member(2, 12), Dead("n12"), keyed).delivered[1:] == (Route("9", "n2"),)
    assert commanded("n8", member(2, 12), Crash(), keyed).delivered[1:] == (Route("9", None), Route("3", None))
    assert received("n4", member(None, 8), Notify("n2"), keyed).delivered[1:] == (Route("3", "n4"),)


def test_peers_are_what_the_membership_named_last_but_oneself():
    named = Peers(("n12", "n4", "n8"))
    assert commanded("n4", member(0, 8, peers=("n1",)), named).local == member(0, 8, peers=("n12", "n8"))
    assert commanded("n4", OUTSIDE, named).local == Node(peers=("n12", "n8"))
    assert commanded("n4", CRASHED, named).local == CRASHED


def test_what_is_no_input_has_no_rule():
    with pytest.raises(ValueError, match=r"^node 'n4' has no rule for 7$"):
        received("n4", member(0, 8), 7)
    with pytest.raises(ValueError, match=r"^node 'n4' has no rule for 7$"):
        commanded("n4", member(0, 8), 7)
    for taken in (Received(7), Commanded(7)):
        with pytest.raises(KeyError):
            rule(member(0, 8), taken)


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

QUESTIONS = [
    StabilizeRequest("n4"),
    Ping("n4"),
    Notify("n4"),
    JoinRequest("n9", "n4"),
    RouteRequest("5", "n9", "n4"),
    FixFingerRequest(3, "n9", "n4"),
]
NOT_ASKED = [StabilizeReply("n4", None, ()), RouteReply("5", "n4"), FixFingerReply(3, "n4"), Dead("n4"), Outside("n4")]


@pytest.mark.parametrize("local", [OUTSIDE, JOINING])
@pytest.mark.parametrize("message", QUESTIONS, ids=str)
def test_with_meet_a_node_outside_that_is_asked_says_so(message, local):
    outcome = received("n2", local, message, MEETING)
    assert (outcome.local, sent(outcome)) == (local, [("n4", Outside("n2"))])
    assert not sent(received("n2", local, message, PLAIN))


@pytest.mark.parametrize("message", NOT_ASKED, ids=str)
def test_with_meet_a_node_outside_that_is_not_asked_says_nothing(message):
    assert not sent(received("n2", OUTSIDE, message, MEETING))


def test_a_member_forgets_a_node_outside_wherever_it_is_listed():
    known = member(2, 2, 8, fingers=((3, "n2"),), peers=("n2",))
    assert received("n0", known, Outside("n2")).local == member(None, 8, peers=("n2",))
    assert received("n2", known, Outside("n2")).local == known
    assert received("n9", Node(contact="n2"), Outside("n2"), MEETING).local == Node(contact="n2")
