"""The invariant and each of its consequences is false of some state, and the assumption counts lists in flight.

Source: Zave 2017
"""

import pytest

from gomboc.spec.protocols.chord.legitimacy import right_state
from gomboc.spec.protocols.chord.lists import examined, in_order, lists_of, unskipped
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.promises import CONSEQUENCES, always, assumption, commands_assumption, invariant_faults
from gomboc.spec.protocols.chord.state import CRASHED, Dead, JoinReply, Node, Outside, StabilizeReply, StabilizeRequest
from tests.spec.protocols.chord.rings import MEETING, PLAIN, member

R1 = Parameters(bits=4, ids="number", r=1, fingers=False)
MEMBERS = ("n1", "n5", "n6", "n12")
IDEAL = {name: right_state(PLAIN, MEMBERS, name) for name in MEMBERS}


def false(states, parameters=PLAIN, in_flight=()):
    """The promises that are false of a state."""
    return {promise.name for promise in always(parameters) if promise.faults(states, in_flight)}


def broken(states, in_flight=(), parameters=PLAIN):
    return [(fault.rule, fault.node) for fault in assumption(parameters, states, in_flight)]


def test_the_ideal_ring_keeps_every_promise_and_all_are_principals():
    assert not false(IDEAL)
    assert examined(PLAIN.circle, lists_of(PLAIN, IDEAL, ())).principals == MEMBERS


def test_there_are_seven_promises_of_which_six_are_consequences():
    assert [promise.name for promise in always(PLAIN)] == ["invariant", *(promise.__name__ for promise in CONSEQUENCES)]
    assert len(CONSEQUENCES) == 6
    assert not always(MEETING)


def test_a_principal_is_skipped_by_no_list():
    assert unskipped(PLAIN.circle, MEMBERS, (("n1", ("n6", "n12")),)) == ("n1", "n6", "n12")
    assert unskipped(PLAIN.circle, MEMBERS, (("n12", ("n5",)),)) == ("n5", "n6", "n12")
    assert unskipped(PLAIN.circle, MEMBERS, (("n12", ("n12",)),)) == ("n12",)


@pytest.mark.parametrize(
    ("listed", "right"),
    [(("n5", "n6"), True), ((), True), (("n6", "n5"), False), (("n5", "n5"), False), (("n5", "n1"), False)],
)
def test_a_list_is_in_order_if_it_goes_around_once_at_most(listed, right):
    assert in_order(PLAIN.circle, "n1", listed) is right


def test_the_ring_of_three_backwards_winds_twice_and_has_no_principal():
    states = {"n0": member(1, 2), "n1": member(2, 0), "n2": member(0, 1)}
    assert false(states, R1) == {"invariant", "ordered_ring"}


def test_a_ring_that_has_grown_promises_all_though_no_node_has_crashed():
    """Three principals, with r = 1, one of which lists only a node that is outside."""
    states = {"n0": member(2, 1), "n1": member(0, 2), "n2": member(1, 3), "n3": Node()}
    assert "principals_in_ring" in false(states, R1)


def test_two_rings_are_one_too_many():
    states = {"n0": member(2, 2), "n1": member(3, 3), "n2": member(0, 0), "n3": member(1, 1)}
    assert false(states, R1) == {"invariant", "at_most_one_ring"}


def test_a_list_of_the_dead_alone_leads_nowhere():
    states = {"n1": member(None, 5), "n5": CRASHED}
    assert false(states, R1) == {
        "invariant",
        "at_least_one_ring",
        "principals_in_ring",
        "connected_appendages",
    }


def test_a_list_out_of_order_is_found():
    states = IDEAL | {"n1": member(12, 6, 5), "n6": member(5, 9, 12), "n9": CRASHED}
    assert "ordered_lists" in false(states)


def test_a_member_that_reaches_no_ring_is_found():
    states = IDEAL | {"n9": member(None, 11), "n11": CRASHED}
    assert false(states) == {"invariant", "connected_appendages"}


def test_a_ring_that_grows_has_few_principals_and_keeps_every_promise():
    assert not false({"n1": member()})
    assert not false({"n1": member(), "n5": member(1, 1)})
    assert not false({"n1": member(5, 5), "n5": member(1, 1), "n6": member(5, 1)})
    assert not false({"n1": Node(), "n5": CRASHED})


def test_a_node_that_was_alone_may_know_no_node_yet_when_the_others_have_met():
    """All three are principals, which is r + 1 of them."""
    states = {"n1": member(9), "n5": member(1, 9, 1), "n9": member(1, 1)}
    assert not false(states)
    crashed = {**states, "n5": member(1, 7, 9), "n7": CRASHED}
    assert false(crashed) == {"invariant", "principals_in_ring"}


def test_whom_a_growing_ring_does_not_know_yet_may_have_a_list_that_goes_past_itself():
    states = {"n1": member(9, 9), "n9": member(1, 1), "n5": member(1, 1, 9)}
    assert not false(states)
    crashed = {**states, "n1": member(9, 7, 9), "n7": CRASHED}
    assert false(crashed) == {"invariant", "ordered_lists"}


BACKWARDS = {"n0": member(1, 2), "n1": member(2, 0), "n2": member(0, 1)}


def test_no_start_is_assumed_to_have_the_invariant_if_no_list_names_a_crashed_node():
    crashed = {**BACKWARDS, "n0": member(1, 3, 2), "n3": CRASHED}
    assert not broken(BACKWARDS, parameters=R1)
    assert not broken({**BACKWARDS, "n3": CRASHED}, parameters=R1)
    assert broken(crashed, parameters=R1) == [("enough_principals", "")]
    assert not broken(crashed, parameters=MEETING)


def test_a_crash_of_a_node_that_only_a_list_in_flight_names_counts():
    states = {"n1": member(5, 5), "n5": member(1, 1), "n9": CRASHED}
    assert not broken(states)
    assert broken(states, [("n1", StabilizeReply("n5", "n1", ("n9",)))]) == [("enough_principals", "")]


def after_commands(states, in_flight=(), parameters=PLAIN):
    return [(fault.rule, fault.node) for fault in commands_assumption(parameters, states, in_flight)]


def test_commands_are_assumed_to_leave_the_invariant_whether_a_node_has_crashed_or_not():
    assert after_commands(BACKWARDS, parameters=R1) == [("enough_principals", "")]
    assert not after_commands(BACKWARDS, parameters=MEETING)
    assert not after_commands(IDEAL)
    assert not after_commands({"n9": Node()})


def test_one_member_may_know_no_node_unless_a_list_skips_it():
    one = {"n1": member(9), "n5": member(1, 9, 1), "n9": member(1, 1)}
    assert not after_commands(one)
    assert after_commands({**one, "n9": member(1)}) == [("at_most_one_isolated_node", "n9")]
    skipped = {"n1": member(9, 5, 9), "n5": member(1, 9), "n7": member(5), "n9": member(5, 1)}
    assert after_commands(skipped) == [("isolated_nodes_are_skipped", "n7")]


def test_a_false_word_on_its_way_counts_as_if_it_had_arrived():
    """A second ring is left if n1 and n9 come to know no node."""
    states = {"n1": member(9, 5), "n5": member(1, 9), "n9": member(5, 1)}
    one, other = ("n1", Dead("n5")), ("n9", Outside("n1"))
    assert not broken(states, [one], parameters=R1)
    assert not broken(states, [other], parameters=R1)
    assert broken(states, [one, other], parameters=R1) == [("at_most_one_isolated_node", "n9")]
    assert not broken(states, [one, other], parameters=MEETING)
    assert not broken(states, [one, ("n9", Dead("n9")), ("n5", Dead("n1"))], parameters=R1), "these change nothing"
    known = {**states, "n1": member(9), "n6": CRASHED}
    answer = ("n1", StabilizeReply("n5", "n1", ("n9",)))
    assert broken(known, [answer, one, other], parameters=R1) == [("at_most_one_isolated_node", "n9")]


def test_what_is_left_of_a_list_on_its_way_counts_too():
    states = IDEAL | {"n6": CRASHED}
    answer = ("n1", StabilizeReply("n5", "n1", ("n6",)))
    assert not broken(states, [answer])
    assert ("every_list_has_a_live_entry", "n1") in broken(states, [answer, ("n1", Dead("n5"))])


def test_no_node_begins_a_second_ring():
    assert broken(IDEAL | {"n9": member()}) == [("one_ring_is_begun", "n9")]
    assert not broken({"n9": member()})
    assert not broken({"n9": member(), "n1": member(9, 9)})
    assert not broken(IDEAL | {"n9": member()}, parameters=MEETING)


def test_a_crash_may_leave_r_and_one_principals_and_not_less():
    assert not broken(IDEAL | {"n6": CRASHED})
    assert broken(IDEAL | {"n5": CRASHED, "n6": CRASHED})[0] == ("every_list_has_a_live_entry", "n1")
    assert broken(IDEAL | {"n1": CRASHED, "n6": CRASHED}) == [("enough_principals", "")]


def test_a_list_on_its_way_counts_if_it_would_be_used():
    states = IDEAL | {"n6": CRASHED}
    dead = StabilizeReply("n6", "n5", ())
    assert broken(states, [("n5", dead)]) == [("every_list_has_a_live_entry", "n5")]
    assert broken(states, [("n1", StabilizeReply("n5", "n1", ("n6", "n12")))]) == []
    assert not broken(states, [("n12", StabilizeReply("n5", "n1", ("n6", "n12")))])
    assert not broken(states, [("n6", dead)]), "n6 has crashed"
    assert broken({**states, "n9": Node(contact="n1")}, [("n9", JoinReply("n6", ("n6",)))])


def test_a_list_that_comes_too_late_counts_too_since_the_head_may_crash():
    """n1 has asked n6, knows n5 meanwhile, and would take the answer if n5 crashed."""
    states = IDEAL | {"n6": CRASHED}
    assert not broken(states, [("n1", StabilizeReply("n6", "n5", ("n12",)))])
    assert broken(states, [("n1", StabilizeReply("n6", "n5", ()))]) == [("every_list_has_a_live_entry", "n1")]
    assert broken({**states, "n9": Node()}, [("n9", JoinReply("n6", ("n6",)))])


def test_an_answer_to_a_node_that_knows_no_node_skips_a_node_that_lies_before_its_sender():
    states = {"n1": member(), "n5": member(1, 6, 1), "n6": member(5, 1)}
    coming = [("n1", StabilizeReply("n6", "n5", ("n1",)))]
    assert examined(PLAIN.circle, lists_of(PLAIN, states, ())).principals == ("n1", "n5", "n6")
    assert examined(PLAIN.circle, lists_of(PLAIN, states, coming)).principals == ("n1", "n6")


def test_a_late_list_skips_a_node_that_has_got_in_behind_its_sender():
    """Once the head is gone, the answer is used; the nodes before its sender are in the stored list until then."""
    states = {"n1": member(6, 3, 5), "n3": member(1, 5, 6), "n5": member(3, 6, 1), "n6": member(5, 1, 3)}
    late = [("n1", StabilizeReply("n5", "n1", ("n9",)))]
    assert not broken(states, late)
    crashed = states | {"n3": CRASHED, "n9": CRASHED}
    assert not broken(crashed)
    assert broken(crashed, late) == [("enough_principals", "")]


def test_a_list_that_comes_too_late_skips_no_node():
    late = [("n1", StabilizeReply("n12", "n6", ("n1",))), ("n6", StabilizeReply("n5", "n1", ("n6",)))]
    assert not broken(IDEAL | {"n9": CRASHED}, late)


def test_a_list_on_its_way_may_skip_a_node_that_would_be_a_principal():
    states = IDEAL | {"n6": CRASHED}
    skipping = [("n1", StabilizeReply("n5", "n1", ("n1",))), ("n12", StabilizeReply("n1", None, ("n6",)))]
    assert invariant_faults(PLAIN, states, ()) == ()
    assert broken(states, skipping[1:]) == [("enough_principals", "")]
    assert broken(states, skipping[:1]) == []


def test_promises_look_at_the_lists_and_at_a_node_that_waits_for_one():
    invariant, *implied = always(PLAIN)
    state = member(3, 1, 2, fingers=((3, "n9"),))
    for projection in (invariant.projection, implied[0].projection):
        assert projection(state) == projection(member(None, 1, 2))
        assert projection(state) != projection(member(3, 1))
        assert projection(CRASHED) != projection(Node())
        assert projection(StabilizeRequest("n1")) is None
    assert len({promise.projection for promise in implied}) == 1, "so that they are asked together"
    assert [invariant.projection(StabilizeReply("n1", before, ("n2",))) for before in (None, "n9")] == [
        ("StabilizeReply", "n1", ("n2",))
    ] * 2
    assert invariant.projection(JoinReply("n1", ("n2",))) == ("JoinReply", "n1", ("n2",))
    assert invariant.projection(Node()) != invariant.projection(Node(contact="n1"))
    assert implied[0].projection(StabilizeReply("n1", None, ("n2",))) is None
