"""Algorithms 1 and 2 line by line, as printed."""

import pytest

from gomboc.spec.model import Outcome, Send
from gomboc.spec.skip_ring.printed import PRINTED, check, introduce, keep_farther, linearize, timeout
from gomboc.spec.skip_ring.state import Check, Claim, Introduce, Linearize, RemoveConnections, Subscriber

A, B, C, D = Claim("0", "a"), Claim("01", "b"), Claim("1", "c"), Claim("11", "d")
U = Subscriber("01", left=A, right=C)
ME = Claim("01", "u")


def hear(u, claim, flag):
    return introduce(u, "u", claim, flag, False, linearize)


def test_a_claim_about_oneself_is_stored_on_both_sides():
    """Algorithm 1, line 26: nothing guards it."""
    assert linearize(Subscriber("01"), "u", ME) == Outcome(Subscriber("01", left=ME, right=ME))
    assert linearize(U, "u", ME).local == Subscriber("01", left=ME, right=ME)


def test_a_claim_with_ones_own_label_is_stored_on_both_sides():
    assert linearize(Subscriber("01"), "u", B).local == Subscriber("01", left=B, right=B)


def test_a_node_that_is_neither_is_delegated_to_the_side_on_which_another_is_closer():
    far = Claim("001", "e")
    assert linearize(Subscriber("01", left=far), "u", A) == Outcome(
        Subscriber("01", left=far), (Send("e", Linearize(A)),)
    )
    assert linearize(U, "u", far) == Outcome(Subscriber("01", left=far, right=C), (Send("e", Linearize(A)),))


def test_without_a_label_one_asks_to_be_removed():
    assert linearize(Subscriber(None), "u", A) == Outcome(Subscriber(None), (Send("a", RemoveConnections("u")),))
    assert hear(Subscriber(None), A, "CYC") == Outcome(Subscriber(None), (Send("a", RemoveConnections("u")),))


def test_a_node_that_knows_ones_label_is_introduced_and_any_node_else_is_told_it():
    """Algorithm 1, lines 8-12: the answer is an Introduce."""
    sends = check(U, "u", Check(A, "11", "CYC"), lambda *said: said)
    assert sends == Outcome(U, (Send("a", Introduce(ME, "CYC")),))
    assert check(U, "u", Check(A, "01", "CYC"), lambda *said: said) == (U, "u", A, "CYC", True)


@pytest.mark.parametrize(
    ("u", "local", "sends"),
    [
        (Subscriber("01", right=C), None, [("c", Introduce(ME, "CYC"))]),
        (Subscriber("01", left=A), None, [("a", Introduce(ME, "CYC"))]),
        (Subscriber("01", left=A, ring=D), Subscriber("01", left=A), [("a", Introduce(D, "CYC"))]),
        (Subscriber("01", right=C, ring=A), Subscriber("01", right=C), [("c", Introduce(A, "CYC"))]),
        (Subscriber("01", right=C, ring=D), None, [("d", Check(ME, "11", "CYC"))]),
        (Subscriber("01", ring=B), None, []),
    ],
)
def test_the_closing_edge_is_sought_handed_on_or_checked(u, local, sends):
    """Algorithm 2, lines 2-13. The list is looked after besides (line 14)."""
    outcome = timeout(u, "u", linearize)
    about_list = [("a", Check(ME, "0", "LIN"))] * bool(u.left) + [("c", Check(ME, "1", "LIN"))] * bool(u.right)
    assert outcome.local == (local or u)
    assert [(send.target, send.message) for send in outcome.sends] == sends + about_list


def test_a_neighbour_on_the_wrong_side_is_sent_to_oneself():
    """Algorithm 1, lines 5-6."""
    outcome = timeout(Subscriber("01", left=C, right=A), "u", linearize)
    assert outcome == Outcome(Subscriber("01"), (Send("u", Linearize(C)), Send("u", Linearize(A))))


def test_another_label_of_the_closing_edge_replaces_it_on_the_same_side_and_else_goes_to_oneself():
    """Algorithm 2, lines 18-23; the code after line 23 takes the claim too."""
    assert hear(Subscriber("01", right=C, ring=Claim("1", "d")), D, "LIN").local.ring == D
    away = Claim("001", "d")
    outcome = hear(Subscriber("01", ring=D), away, "CYC")
    assert outcome == Outcome(Subscriber("01", ring=away), (Send("u", Introduce(away, "CYC")),))


def test_a_candidate_is_taken_by_the_end_of_the_list_and_handed_on_by_any_node_else():
    """Algorithm 2, lines 25-29."""
    assert hear(Subscriber("01", right=C), D, "CYC") == Outcome(Subscriber("01", right=C, ring=D))
    assert hear(U, D, "CYC") == Outcome(U, (Send("a", Introduce(D, "CYC")),))
    assert hear(U, B, "CYC") == Outcome(U)


def test_the_farther_candidate_is_told_of_itself():
    """Algorithm 2, lines 31-34: u.ring is assigned before lines 32 and 34 read it."""
    near, far = Subscriber("01", ring=C), Subscriber("01", ring=D)
    assert keep_farther(near, "u", D, C) == Outcome(far, (Send("d", Introduce(D, "LIN")),))
    assert keep_farther(far, "u", C, D) == Outcome(
        far, (Send("u", Introduce(C, "LIN")), Send("d", Introduce(D, "LIN")))
    )
    assert hear(far, D, "CYC") == Outcome(far, (Send("d", Introduce(D, "LIN")),))


def test_candidates_on_different_sides_are_both_sent_to_oneself():
    """Algorithm 2, lines 36-38."""
    sends = Send("u", Introduce(A, "LIN")), Send("u", Introduce(D, "LIN"))
    assert hear(Subscriber("01", ring=D), A, "CYC") == Outcome(Subscriber("01"), sends)


def test_references_to_oneself_are_not_forgotten_and_those_to_the_supervisor_are():
    u = Subscriber("01", left=ME, right=Claim("1", "supervisor"))
    assert PRINTED.forget(u, "u") == Subscriber("01", left=ME)
