import pytest
from hypothesis import given

from gomboc.spec.core.model import Outcome, Send
from gomboc.spec.protocols.skip_ring.build_list import (
    build_list_timeout,
    check,
    linearize,
    linearize_all,
    present,
    rival,
    slots,
    with_possible_neighbours,
    without,
    without_other_labels,
)
from gomboc.spec.protocols.skip_ring.build_ring import introduce
from gomboc.spec.protocols.skip_ring.rules import Rules
from gomboc.spec.protocols.skip_ring.state import (
    Check,
    Claim,
    Entry,
    GetConfiguration,
    Linearize,
    Present,
    Probe,
    RemoveConnections,
    Subscriber,
)
from tests.spec.protocols.skip_ring.starts import EXAMPLES, claims, members, subscribers

A, B, C = Claim("0", "a"), Claim("01", "b"), Claim("11", "c")
U = Subscriber("1", left=B, right=C)


def test_a_closer_neighbour_is_kept_and_the_farther_one_handed_to_it():
    closer = Claim("011", "x")
    assert linearize(U, "me", closer) == Outcome(Subscriber("1", left=closer, right=C), (Send("x", Linearize(B)),))


def test_a_farther_one_is_handed_to_the_neighbour_on_its_side():
    assert linearize(U, "me", A) == Outcome(U, (Send("b", Linearize(A)),))
    assert linearize(U, "me", Claim("111", "x")) == Outcome(U, (Send("c", Linearize(Claim("111", "x"))),))


def test_an_empty_side_takes_the_claim():
    assert linearize(Subscriber("1"), "me", A) == Outcome(Subscriber("1", left=A))
    assert linearize(Subscriber("1"), "me", C) == Outcome(Subscriber("1", right=C))


def test_what_is_stored_already_changes_nothing():
    assert linearize(U, "me", Claim("01", "b")) == linearize(U, "me", Claim("11", "c")) == Outcome(U)


def test_what_others_say_of_oneself_is_ignored():
    assert linearize(U, "me", Claim("0", "me")) == Outcome(U)


def test_hearsay_that_contradicts_is_probed_and_not_believed():
    assert linearize(U, "me", Claim("001", "b")) == Outcome(U, (Send("b", Probe("me", "LIN")),))


@pytest.mark.parametrize("label", ["01", "1", "11"])
def test_hearsay_that_ties_is_probed_and_not_believed(label):
    assert linearize(U, "me", Claim(label, "x")) == Outcome(U, (Send("x", Probe("me", "LIN")),))


def test_what_a_node_says_of_itself_replaces_what_was_believed_of_it():
    said = Claim("001", "b")
    assert linearize(U, "me", said, first_hand=True) == Outcome(Subscriber("1", left=said, right=C))


def test_the_supervisor_is_asked_about_both_nodes_of_a_tie():
    asked = Send("supervisor", GetConfiguration("x")), Send("supervisor", GetConfiguration("b"))
    assert linearize(U, "me", Claim("01", "x"), first_hand=True) == Outcome(U, asked)
    asked = Send("supervisor", GetConfiguration("x")), Send("supervisor", GetConfiguration("me"))
    assert linearize(U, "me", Claim("1", "x"), first_hand=True) == Outcome(U, asked)


def test_a_node_without_a_label_asks_to_be_forgotten():
    nobody = Subscriber(left=A)
    assert linearize(nobody, "me", B) == Outcome(nobody, (Send("b", RemoveConnections("me")),))
    assert present(nobody, "me", "b", "LIN") == Outcome(nobody, (Send("b", RemoveConnections("me")),))


def test_a_wrong_belief_about_ones_label_is_corrected():
    outcome = check(U, "me", Check(A, "01", "CYC"), introduce)
    assert outcome == Outcome(U, (Send("a", Present(Claim("1", "me"), "CYC")),))


def test_a_right_belief_is_an_introduction():
    right = Check(Claim("011", "x"), "1", "LIN")
    assert check(U, "me", right, Rules().introduce) == linearize(U, "me", Claim("011", "x"), first_hand=True)


def test_the_sender_of_a_check_is_believed_of_itself():
    relabelled = Claim("001", "b")
    outcome = check(U, "me", Check(relabelled, "1", "LIN"), Rules().introduce)
    assert outcome == Outcome(Subscriber("1", left=relabelled, right=C))


def test_the_timeout_tells_both_neighbours_what_is_believed_of_them():
    myself = Claim("1", "me")
    assert build_list_timeout(U, "me", linearize) == Outcome(
        U, (Send("b", Check(myself, "01", "LIN")), Send("c", Check(myself, "11", "LIN")))
    )


def test_the_timeout_checks_a_neighbour_with_ones_own_label():
    tied, myself = Claim("1", "x"), Claim("1", "me")
    for u in (Subscriber("1", left=tied), Subscriber("1", right=tied)):
        assert build_list_timeout(u, "me", linearize) == Outcome(u, (Send("x", Check(myself, "1", "LIN")),))


def test_the_timeout_moves_neighbours_that_are_stored_on_the_wrong_side():
    crossed = Subscriber("1", left=C, right=B)
    assert build_list_timeout(crossed, "me", linearize) == Outcome(Subscriber("1", left=B), (Send("b", Linearize(C)),))


def test_of_several_claims_all_are_taken_in_order():
    both = linearize_all(Outcome(Subscriber("1")), "me", (A, B), linearize)
    assert both == Outcome(Subscriber("1", left=B), (Send("b", Linearize(A)),))


def test_neither_the_node_itself_nor_the_supervisor_stays_a_neighbour():
    impossible = Subscriber("1", left=Claim("01", "supervisor"), right=C, ring=Claim("0", "me"))
    assert with_possible_neighbours(impossible, "me") == Subscriber("1", right=C)


@given(subscribers, members)
@EXAMPLES
def test_without_a_node_nothing_refers_to_it_and_the_rest_stays(u, node):
    left = without(u, node)
    assert all(claim.node != node for claim in slots(left))
    assert [entry.label for entry in left.shortcuts] == [entry.label for entry in u.shortcuts]
    assert set(slots(u)) - set(slots(left)) == {claim for claim in slots(u) if claim.node == node}
    assert set(u.shortcuts) - set(left.shortcuts) == {entry for entry in u.shortcuts if entry.node == node}
    assert left.label == u.label


@given(subscribers, claims)
@EXAMPLES
def test_other_labels_of_a_node_are_forgotten_and_nothing_else(u, claim):
    left = without_other_labels(u, claim)
    gone = [slot for slot in slots(u) if slot.node == claim.node and slot.label != claim.label]
    assert [slot for slot in slots(u) if slot not in gone] == list(slots(left))
    assert (left.label, left.shortcuts, left.wants) == (u.label, u.shortcuts, u.wants)


@given(subscribers, claims)
@EXAMPLES
def test_a_rival_is_another_node_with_the_same_label(u, claim):
    rivals = rival(u, "me", claim)
    others = {slot.node for slot in slots(u) if slot.label == claim.label} - {claim.node}
    assert (rivals in others) if others else rivals == ("me" if u.label == claim.label else None)


@given(subscribers, claims)
@EXAMPLES
def test_hearsay_replaces_a_neighbour_on_its_side_by_a_closer_one_only(u, claim):
    u = without(u, "v1")
    after = linearize(u, "v1", claim).local
    if u.left and u.label and u.left.label < u.label:
        assert after.left == u.left or u.left.label < after.left.label < u.label
    if u.right and u.label and u.right.label > u.label:
        assert after.right == u.right or u.label < after.right.label < u.right.label


def test_no_shortcut_is_touched_by_the_list():
    with_shortcut = Subscriber("1", left=B, shortcuts=(Entry("11", "c"),))
    assert linearize(with_shortcut, "me", C).local == Subscriber("1", left=B, right=C, shortcuts=(Entry("11", "c"),))
