from gomboc.impl.protocols.skip_ring.messages import Check, Introduce, IntroduceShortcut, Linearize, Present
from tests.impl.protocols.skip_ring.cores import hear, state_of, subscriber, time_out, unordered


def printed(**variables):
    return subscriber(variant="skip_ring.printed_build_ring", **variables)


def slots(core):
    state = state_of(core)
    return state["left"], state["right"], state["ring"]


def test_a_node_stores_itself():
    core = printed(right=["1", "r"])
    assert hear(core, Introduce(("01", "u"), "LIN")) == [("u", "Linearize", ("1", "r"))]
    assert slots(core) == (["01", "u"], ["01", "u"], None)


def test_what_it_has_stored_of_itself_stays():
    core = printed(left=["01", "u"])
    assert ("u", "Check", ("01", "u"), "01", "LIN") in time_out(core)
    assert slots(core)[0] == ["01", "u"]


def test_the_supervisor_is_none_of_its_subscribers():
    for message in (Linearize(("1", "supervisor")), Check(("1", "supervisor"), "0", "LIN")):
        core = printed(right=["11", "supervisor"])
        assert hear(core, message) == []
        assert slots(core) == (None, None, None)


def test_the_end_of_the_list_tells_the_candidate_that_it_has_about_itself():
    core = printed(label="1", left=["0", "l"], ring=["0", "l"])
    assert hear(core, Check(("0", "l"), "1", "CYC")) == [("l", "Introduce", ("0", "l"), "LIN")]
    assert slots(core) == (["0", "l"], None, ["0", "l"])


def test_the_nearer_candidate_is_told_to_oneself_and_the_farther_one_hears_of_itself():
    core = printed(label="11", left=["1", "l"], ring=["0", "far"])
    assert hear(core, Present(("01", "near"), "CYC")) == unordered(
        ("u", "Introduce", ("01", "near"), "LIN"), ("far", "Introduce", ("0", "far"), "LIN")
    )
    assert slots(core)[2] == ["0", "far"]


def test_what_a_farther_candidate_replaces_is_lost():
    core = printed(label="11", left=["1", "l"], ring=["01", "near"])
    assert hear(core, Introduce(("0", "far"), "CYC")) == [("far", "Introduce", ("0", "far"), "LIN")]
    assert slots(core)[2] == ["0", "far"]


def test_candidates_on_two_sides_are_both_told_to_oneself():
    core = printed(ring=["0", "a"])
    assert hear(core, Introduce(("1", "b"), "CYC")) == unordered(
        ("u", "Introduce", ("1", "b"), "LIN"), ("u", "Introduce", ("0", "a"), "LIN")
    )
    assert slots(core) == (None, None, None)


def test_another_label_for_the_candidate_is_taken_on_its_side_and_else_sent_to_oneself_with_its_flag():
    core = printed(ring=["11", "a"])
    assert hear(core, Introduce(("1", "a"), "LIN")) == []
    assert slots(core) == (None, ["1", "a"], ["1", "a"])
    core = printed(right=["1", "r"], ring=["11", "a"])
    assert hear(core, Introduce(("0", "a"), "CYC")) == unordered(
        ("u", "Introduce", ("0", "a"), "CYC"), ("r", "Introduce", ("0", "a"), "CYC")
    )
    assert slots(core) == (None, ["1", "r"], None)


def test_a_candidate_is_stored_at_the_end_and_passed_on_elsewhere_and_one_with_the_own_label_goes_nowhere():
    core = printed()
    assert hear(core, Introduce(("1", "a"), "CYC")) == []
    assert slots(core)[2] == ["1", "a"]
    assert hear(printed(left=["0", "l"]), Introduce(("1", "a"), "CYC")) == [("l", "Introduce", ("1", "a"), "CYC")]
    core = printed()
    assert hear(core, Introduce(("01", "a"), "CYC")) == []
    assert slots(core) == (None, None, None)


def test_a_sender_that_is_wrong_about_the_label_is_introduced_to_the_right_one():
    core = printed()
    assert hear(core, Check(("1", "a"), "0", "CYC")) == [("a", "Introduce", ("01", "u"), "CYC")]
    assert slots(core) == (None, None, None)


def test_in_a_timeout_an_end_seeks_the_other_and_what_is_misplaced_is_sent_to_oneself():
    assert ("r", "Introduce", ("01", "u"), "CYC") in time_out(printed(right=["1", "r"]))
    core = printed(left=["1", "l"], right=["0", "r"])
    said = time_out(core)
    assert ("u", "Linearize", ("1", "l")) in said
    assert ("u", "Linearize", ("0", "r")) in said
    assert slots(core) == (None, None, None)


def test_in_a_timeout_the_closing_edge_is_checked_passed_on_or_left_alone():
    core = printed(ring=["1", "a"])
    assert ("a", "Check", ("01", "u"), "1", "CYC") in time_out(core)
    core = printed(left=["0", "l"], ring=["1", "a"])
    assert ("l", "Introduce", ("1", "a"), "CYC") in time_out(core)
    assert slots(core)[2] is None
    core = printed(ring=["01", "a"])
    assert [message for message in time_out(core) if message[0] != "supervisor"] == []
    assert slots(core)[2] == ["01", "a"]


def test_without_a_label_it_asks_to_be_left_but_not_by_itself_when_it_checks_itself():
    assert hear(printed(label=None), Linearize(("1", "a"))) == [("a", "RemoveConnections", "u")]
    assert hear(printed(label=None), Check(("1", "u"), "1", "LIN")) == []


def test_a_shortcut_that_is_oneself_is_not_taken_for_one():
    core = printed(shortcuts=[["1", None]])
    assert hear(core, IntroduceShortcut(("1", "u"))) == []
    assert state_of(core)["shortcuts"] == [["1", None]]
