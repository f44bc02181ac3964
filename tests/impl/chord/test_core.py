"""Joining, leaving and crashing, step by step; and nodes that are not inside."""

import pytest

from gomboc.impl.errors import UsageError
from tests.impl.chord.systems import (
    ALONE,
    CRASHED,
    OUTSIDE,
    crashed,
    delivered_by,
    node,
    numbered,
    obey,
    outside,
    receive,
    sent_by,
    state_of,
    time_out,
)

MEETING = numbered(meet=True)


def find(joiner, sender):
    return {"kind": "JoinRequest", "joiner": joiner, "sender": sender}


def place(sender, *successors):
    return {"kind": "JoinReply", "sender": sender, "successors": list(successors)}


def test_a_node_that_wants_in_asks_its_contact_in_every_timeout():
    core = outside("n10")
    assert time_out(core) == []
    assert obey(core, kind="Join", contact="n30") == []
    assert state_of(core) == {**OUTSIDE, "contact": "n30"}
    assert time_out(core) == time_out(core) == [("n30", find("n10", "n10"))]


def test_a_second_join_names_another_contact():
    core = outside("n10", contact="n30")
    obey(core, kind="Join", contact="n40")
    assert state_of(core)["contact"] == "n40"


def test_a_node_that_joins_through_itself_begins_a_ring():
    core = outside("n10", peers=["n20"])
    obey(core, kind="Join", contact="n10")
    assert state_of(core) == {**ALONE, "peers": ["n20"]}


def test_a_contact_with_ones_own_id_is_refused():
    with pytest.raises(UsageError) as error:
        obey(outside("n10"), kind="Join", contact="m10")
    assert str(error.value) == "The node 'n10' cannot join through 'm10': both have one identifier."


def test_a_node_that_is_inside_or_crashed_does_not_join():
    for core in (node("n10", predecessor="n5"), crashed("n10")):
        before = core.snapshot()
        assert obey(core, kind="Join", contact="n30") == []
        assert core.snapshot() == before


@pytest.mark.parametrize("joiner", ["n11", "n19"])
def test_the_member_right_before_a_joiner_gives_it_its_whole_list(joiner):
    core = node("n10", predecessor="n5", successors=["n20", "n30", "n40"])
    assert sent_by(receive(core, **find(joiner, "n50"))) == [(joiner, place("n10", "n20", "n30", "n40"))]


@pytest.mark.parametrize(("joiner", "to"), [("n20", "n20"), ("n21", "n20"), ("n31", "n30"), ("n9", "n40")])
def test_any_other_passes_the_joiner_on(joiner, to):
    core = node("n10", predecessor="n5", successors=["n20", "n30", "n40"])
    assert sent_by(receive(core, **find(joiner, "n50"))) == [(to, find(joiner, "n10"))]


def test_a_node_that_is_alone_gives_itself():
    assert sent_by(receive(node("n10"), **find("n5", "n5"))) == [("n5", place("n10", "n10"))]


@pytest.mark.parametrize("joiner", ["n10", "m10"])
def test_no_node_is_placed_at_an_id_that_is_taken(joiner):
    assert receive(node("n10"), **find(joiner, "n5")) == []


def test_a_node_that_is_placed_is_inside():
    core = outside("n10", contact="n30", peers=["n7"])
    outputs = receive(core, **place("n5", "n20", "n30", "n5"))
    right = {"predecessor": "n5", "successors": ["n20", "n30", "n5"]}
    assert state_of(core) == {**ALONE, **right, "peers": ["n7"]}
    assert (sent_by(outputs), delivered_by(outputs)) == ([], [{"kind": "Neighbours", **right}])


def test_a_node_that_is_placed_takes_of_the_list_what_comes_before_itself():
    core = outside("n10", contact="n30")
    receive(core, **place("n5", "n20", "n10", "n12"))
    assert state_of(core)["successors"] == ["n20"]


def test_a_second_place_or_one_that_no_node_wants_changes_nothing():
    for core in (node("n10", predecessor="n5", successors=["n20"]), outside("n10"), crashed("n10")):
        before = core.snapshot()
        assert receive(core, **place("n7", "n30")) == []
        assert core.snapshot() == before


def test_a_place_from_ones_own_id_changes_nothing():
    core = outside("n10", contact="n30")
    receive(core, **place("m10", "n30"))
    assert state_of(core) == {**OUTSIDE, "contact": "n30"}


QUESTIONS = [
    {"kind": "StabilizeRequest", "sender": "n1"},
    {"kind": "Ping", "sender": "n1"},
    {"kind": "Notify", "sender": "n1"},
    {"kind": "RouteRequest", "key": "00", "asker": "n2", "sender": "n1"},
    {"kind": "FixFingerRequest", "finger": 1, "asker": "n2", "sender": "n1"},
]
OTHERS = [
    {"kind": "StabilizeReply", "sender": "n1", "predecessor": None, "successors": []},
    {"kind": "RouteReply", "key": "00", "owner": "n1"},
    {"kind": "FixFingerReply", "finger": 1, "owner": "n1"},
    {"kind": "Dead", "node": "n1"},
    {"kind": "Outside", "node": "n1"},
]


@pytest.mark.parametrize("question", [*QUESTIONS, find("n5", "n1")], ids=lambda message: message["kind"])
def test_a_node_that_asks_a_crashed_node_hears_so_and_a_node_that_is_outside_is_silent(question):
    assert sent_by(receive(crashed("n10"), **question)) == [("n1", {"kind": "Dead", "node": "n10"})]
    for core in (outside("n10"), outside("n10", contact="n1")):
        before = core.snapshot()
        assert receive(core, **question) == []
        assert core.snapshot() == before


@pytest.mark.parametrize("question", [*QUESTIONS, find("n5", "n1")], ids=lambda message: message["kind"])
def test_with_meet_a_node_that_asks_a_node_outside_hears_so(question):
    for core in (outside("n10", MEETING), outside("n10", MEETING, contact="n1")):
        before = core.snapshot()
        assert sent_by(receive(core, MEETING, **question)) == [("n1", {"kind": "Outside", "node": "n10"})]
        assert core.snapshot() == before
    assert sent_by(receive(crashed("n10"), **question)) == [("n1", {"kind": "Dead", "node": "n10"})]


def test_a_member_forgets_a_node_that_is_outside():
    core = node("n10", predecessor="n5", successors=["n20", "n30"])
    receive(core, kind="Outside", node="n20")
    assert state_of(core)["successors"] == ["n30"]
    receive(core, kind="Outside", node="n5")
    assert state_of(core)["predecessor"] is None


@pytest.mark.parametrize("message", OTHERS, ids=lambda message: message["kind"])
@pytest.mark.parametrize("make", [outside, crashed])
def test_nothing_else_reaches_a_node_that_is_not_inside(make, message):
    core = make("n10")
    before = core.snapshot()
    assert receive(core, **message) == []
    assert core.snapshot() == before


@pytest.mark.parametrize("word", ["message", "command"])
def test_a_contact_that_is_gone_is_asked_no_more(word):
    core = outside("n10", contact="n30")
    if word == "message":
        receive(core, kind="Dead", node="n30")
    else:
        obey(core, kind="Suspect", node="n30")
    assert state_of(core) == OUTSIDE


def test_a_node_that_crashes_forgets_everything_and_sends_nothing():
    core = node("n10", predecessor="n5", successors=["n20"], fingers=[[5, "n50"]], next=3, peers=["n7"])
    outputs = obey(core, kind="Crash")
    assert state_of(core) == CRASHED
    assert sent_by(outputs) == []
    assert delivered_by(outputs) == [{"kind": "Neighbours", "predecessor": None, "successors": []}]
    assert time_out(core) == []


def test_a_node_that_leaves_crashes_with_notice_to_its_neighbours():
    core = node("n10", predecessor="n5", successors=["n20", "n30"])
    notice = {"kind": "Dead", "node": "n10"}
    assert sent_by(obey(core, kind="Leave")) == [("n5", notice), ("n20", notice)]
    assert state_of(core) == CRASHED
    assert sent_by(obey(node("n10", predecessor="n5", successors=["n5"]), kind="Leave")) == [("n5", notice)]
    assert sent_by(obey(outside("n10", contact="n5"), kind="Leave")) == []


@pytest.mark.parametrize(
    "command",
    [
        {"kind": "Suspect", "node": "n1"},
        {"kind": "Peers", "nodes": ["n1"]},
        {"kind": "Lookup", "key": "00"},
        {"kind": "Leave"},
        {"kind": "Crash"},
    ],
    ids=lambda message: message["kind"],
)
def test_no_command_wakes_up_a_node_that_has_crashed(command):
    core = crashed("n10")
    assert obey(core, **command) == []
    assert state_of(core) == CRASHED


def test_a_node_that_is_outside_looks_nothing_up_and_keeps_its_peers():
    core = outside("n10")
    assert obey(core, kind="Lookup", key="00") == []
    obey(core, kind="Peers", nodes=["n7"])
    assert state_of(core) == {**OUTSIDE, "peers": ["n7"]}


@pytest.mark.parametrize("named", [[], ["n10"], ["n10", "n20"]])
def test_a_place_without_another_successor_is_that_of_a_lone_member(named):
    """Source: Stoica et al. 2001, Section 4.4, join: a joiner always has a successor"""
    core = outside("n10", contact="n5")
    receive(core, **place("n5", *named))
    assert state_of(core) == {**ALONE, "predecessor": "n5", "successors": ["n5"]}
