"""Lookups and fingers, step by step."""

import pytest

from gomboc.impl.automaton import Timeout
from tests.impl.chord.systems import delivered_by, node, numbered, obey, outside, receive, sent_by, state_of, time_out

KNOWN = {"predecessor": "n5", "successors": ["n20", "n30"], "fingers": [[4, "n30"], [5, "n50"]]}


def seek(key, asker="n10", sender="n10"):
    return {"kind": "RouteRequest", "key": f"{key:02x}", "asker": asker, "sender": sender}


def found(key, owner="n10"):
    return {"kind": "RouteReply", "key": f"{key:02x}", "owner": owner}


@pytest.mark.parametrize("key", [6, 9, 10])
def test_what_lies_behind_the_predecessor_up_to_oneself_is_ones_own(key):
    core = node("n10", **KNOWN)
    assert sent_by(receive(core, **seek(key, "n33", "n44"))) == [("n33", found(key))]
    outputs = obey(core, kind="Lookup", key=f"{key:02x}")
    assert (sent_by(outputs), delivered_by(outputs)) == ([], [found(key)])


@pytest.mark.parametrize(
    ("key", "to"),
    [(11, "n20"), (20, "n20"), (21, "n20"), (30, "n20"), (31, "n30"), (50, "n30"), (51, "n50"), (0, "n50"), (5, "n50")],
)
def test_else_the_nearest_that_is_known_before_the_key_is_asked_or_the_head(key, to):
    core = node("n10", **KNOWN)
    assert sent_by(receive(core, **seek(key, "n33", "n44"))) == [(to, seek(key, "n33"))]
    assert sent_by(obey(core, kind="Lookup", key=f"{key:02x}")) == [(to, seek(key))]


def test_without_a_predecessor_nothing_is_ones_own_not_even_ones_id():
    core = node("n10", successors=["n20", "n30"])
    assert sent_by(obey(core, kind="Lookup", key="09")) == [("n30", seek(9))]
    assert sent_by(obey(core, kind="Lookup", key="0a")) == [("n30", seek(10))]


def test_a_node_that_is_alone_owns_everything():
    for key in ("00", "0a", "3f"):
        assert delivered_by(obey(node("n10"), kind="Lookup", key=key)) == [found(int(key, 16))]


def test_a_node_that_has_only_a_predecessor_asks_that():
    assert sent_by(obey(node("n10", predecessor="n5"), kind="Lookup", key="0b")) == [("n5", seek(11))]


def test_an_answer_is_delivered():
    core = node("n10")
    assert delivered_by(receive(core, **found(7, "n8"))) == [found(7, "n8")]
    assert delivered_by(receive(outside("n10"), **found(7, "n8"))) == []


def refreshes(core, times):
    """The fingers that are refreshed in so many timeouts, and their messages' targets."""
    sends = [send for _ in range(times) for send in time_out(core) if send[1]["kind"] == "FixFingerRequest"]
    return [(message["finger"], to) for to, message in sends]


def test_the_fingers_that_aim_beyond_the_head_are_refreshed_in_turn():
    core = node("n10", predecessor="n5", successors=["n12", "n20"], next=4)
    assert refreshes(core, 8) == 2 * [(4, "n20"), (5, "n20"), (2, "n12"), (3, "n12")]


def test_a_finger_that_aims_at_the_head_is_not_needed():
    assert [number for number, _ in refreshes(node("n10", successors=["n14"]), 6)] == [3, 4, 5, 3, 4, 5]


def test_a_node_that_is_alone_needs_no_finger_and_none_are_needed_where_the_head_is_half_a_turn_away():
    assert refreshes(node("n10"), 3) == refreshes(node("n10", successors=["n42"]), 3) == []


def test_without_fingers_none_is_refreshed_or_kept():
    core = node("n10", numbered(fingers=False), successors=["n12"])
    assert refreshes(core, 6) == []
    receive(core, kind="FixFingerReply", finger=4, owner="n30")
    assert state_of(core)["fingers"] == []


def test_a_refresh_is_passed_on_or_answered_by_the_owner():
    refresh = {"kind": "FixFingerRequest", "finger": 4, "asker": "n44", "sender": "n44"}
    core = node("n10", predecessor="n60", successors=["n20"])
    assert sent_by(receive(core, **{**refresh, "finger": 5})) == [
        ("n20", {**refresh, "finger": 5, "sender": "n10"}),
    ]
    assert sent_by(receive(core, **{**refresh, "finger": 4})) == [("n20", {**refresh, "sender": "n10"})]
    own = {**refresh, "asker": "n50"}
    assert sent_by(receive(core, **own)) == [("n50", {"kind": "FixFingerReply", "finger": 4, "owner": "n10"})]


def test_an_answer_replaces_the_finger():
    core = node("n10", predecessor="n5", successors=["n12"], fingers=[[3, "n20"], [5, "n50"]])
    receive(core, kind="FixFingerReply", finger=4, owner="n30")
    receive(core, kind="FixFingerReply", finger=3, owner="n22")
    assert state_of(core)["fingers"] == [[3, "n22"], [4, "n30"], [5, "n50"]]


def test_the_lowest_finger_that_is_needed_is_kept():
    core = node("n10", predecessor="n5", successors=["n12"])
    receive(core, kind="FixFingerReply", finger=1, owner="n12")
    receive(core, kind="FixFingerReply", finger=2, owner="n20")
    core.handle(0.0, Timeout())
    assert state_of(core)["fingers"] == [[2, "n20"]]


def test_a_finger_that_is_oneself_is_not_kept():
    core = node("n10", predecessor="n40", successors=["n12"], fingers=[[5, "n50"]], next=5)
    assert [message for message in time_out(core) if message[1]["kind"] == "FixFingerRequest"] == []
    assert (state_of(core)["fingers"], state_of(core)["next"]) == ([], 0)
    core = node("n10", predecessor="n5", successors=["n12"], fingers=[[5, "n50"]])
    receive(core, kind="FixFingerReply", finger=5, owner="n10")
    assert state_of(core)["fingers"] == []


def test_a_finger_that_is_not_needed_is_not_kept():
    core = node("n10", predecessor="n5", successors=["n20"], fingers=[[2, "n20"], [5, "n50"]])
    for finger in (2, 3):
        receive(core, kind="FixFingerReply", finger=finger, owner="n30")
    assert state_of(core)["fingers"] == [[2, "n20"], [5, "n50"]]
    core.handle(0.0, Timeout())
    assert state_of(core)["fingers"] == [[5, "n50"]]


ROUTED = numbered(fingers=False, keys=["0b", "0a", "3f"])


def routes(outputs):
    return [(message["key"], message["next"]) for message in delivered_by(outputs) if message["kind"] == "Route"]


def test_the_next_hop_towards_each_key_of_the_header_is_told_when_it_changes():
    core = node("n10", ROUTED, predecessor="n5", successors=["n20"])
    answer = {"kind": "StabilizeReply", "sender": "n20", "predecessor": "n10", "successors": ["n30"]}
    assert routes(receive(core, ROUTED, **answer)) == [("3f", "n30")]
    assert routes(receive(core, ROUTED, **answer)) == []
    assert routes(receive(core, ROUTED, kind="Dead", node="n5")) == [("0a", "n30")]
    assert routes(obey(core, ROUTED, kind="Crash")) == [("0b", None), ("0a", None), ("3f", None)]


def test_neighbours_are_told_before_routes():
    core = outside("n10", ROUTED)
    outputs = obey(core, ROUTED, kind="Join", contact="n10")
    assert delivered_by(outputs) == [{"kind": "Route", "key": key, "next": "n10"} for key in ("0b", "0a", "3f")]
    kinds = [message["kind"] for message in delivered_by(receive(core, ROUTED, kind="Notify", sender="n5"))]
    assert kinds == ["Neighbours", "Route", "Route"]
