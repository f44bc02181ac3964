from hypothesis import given
from hypothesis import strategies as st

from gomboc.spec.core.model import Outcome, Send
from gomboc.spec.protocols.skip_ring.build_list import linearize, without
from gomboc.spec.protocols.skip_ring.build_ring import build_ring_timeout, close_ring, introduce, keep_farther
from gomboc.spec.protocols.skip_ring.state import Check, Claim, Entry, Introduce, Linearize, Present, Probe, Subscriber
from tests.spec.protocols.skip_ring.starts import EXAMPLES, claims, subscribers

A, B, C, D = Claim("0", "a"), Claim("01", "b"), Claim("11", "c"), Claim("111", "d")


def offered(u, claim):
    """Outcome at `u` of a claim for the closing edge that another node passes on."""
    return introduce(u, "me", claim, "CYC", False, linearize)


def test_an_end_of_the_list_sends_its_claim_towards_the_other_end():
    myself = Claim("0", "me")
    assert build_ring_timeout(Subscriber("0", right=B), "me").sends == (Send("b", Present(myself, "CYC")),)
    myself = Claim("111", "me")
    assert build_ring_timeout(Subscriber("111", left=B), "me").sends == (Send("b", Present(myself, "CYC")),)


def test_a_node_between_two_others_and_a_node_alone_seek_no_node():
    for u in (Subscriber("1", left=B, right=C), Subscriber("1")):
        assert build_ring_timeout(u, "me") == Outcome(u)


def test_an_end_of_the_list_checks_the_closing_edge():
    u = Subscriber("0", right=B, ring=D)
    assert build_ring_timeout(u, "me") == Outcome(u, (Send("d", Check(Claim("0", "me"), "111", "CYC")),))


def test_a_node_that_is_no_end_hands_the_closing_edge_on():
    u = Subscriber("1", left=B, right=C, ring=D)
    assert build_ring_timeout(u, "me") == Outcome(Subscriber("1", left=B, right=C), (Send("b", Introduce(D, "CYC")),))


def test_a_closing_edge_to_ones_own_label_is_probed():
    u = Subscriber("111", left=B, ring=D)
    assert build_ring_timeout(u, "me") == Outcome(Subscriber("111", left=B), (Send("d", Probe("me", "CYC")),))


def test_the_end_that_lies_away_from_a_claim_takes_it():
    assert offered(Subscriber("0", right=B), D) == Outcome(Subscriber("0", right=B, ring=D))
    assert offered(Subscriber("111", left=B), A) == Outcome(Subscriber("111", left=B, ring=A))


def test_a_node_that_is_no_end_hands_a_claim_on_towards_the_end():
    u = Subscriber("1", left=B, right=C)
    assert offered(u, D) == Outcome(u, (Send("b", Introduce(D, "CYC")),))
    assert offered(u, A) == Outcome(u, (Send("c", Introduce(A, "CYC")),))


def test_a_claim_about_the_neighbour_it_would_be_handed_to_ends_here():
    u = Subscriber("1", left=B, right=C)
    assert offered(Subscriber("1", right=Claim("01", "b")), B) == Outcome(Subscriber("1", right=B))
    assert offered(u, B) == Outcome(u, (Send("c", Introduce(B, "CYC")),))


def test_a_candidate_that_contradicts_or_ties_is_probed_for_the_closing_edge():
    u = Subscriber("1", left=B, right=C)
    assert offered(u, Claim("001", "b")) == Outcome(u, (Send("b", Probe("me", "CYC")),))
    assert offered(u, Claim("01", "x")) == Outcome(u, (Send("x", Probe("me", "CYC")),))


def test_a_node_is_believed_of_itself_for_the_list_too():
    u, relabelled = Subscriber("1", left=B, right=C), Claim("001", "b")
    outcome = introduce(u, "me", relabelled, "LIN", True, linearize)
    assert outcome == Outcome(Subscriber("1", left=relabelled, right=C))


def test_the_farther_of_two_candidates_is_kept_and_the_nearer_introduced_to_it_and_to_oneself():
    u = Subscriber("0", ring=C)
    assert offered(u, D) == Outcome(Subscriber("0", right=C, ring=D), (Send("d", Introduce(C, "LIN")),))
    assert offered(Subscriber("0", ring=D), C) == Outcome(
        Subscriber("0", right=C, ring=D), (Send("d", Introduce(C, "LIN")),)
    )


def test_the_candidate_there_is_changes_nothing():
    u = Subscriber("0", right=B, ring=D)
    assert offered(u, D) == Outcome(u)


def test_candidates_on_different_sides_both_go_to_the_list():
    u = Subscriber("1", ring=A)
    assert offered(u, D) == Outcome(Subscriber("1", left=A, right=D))


def test_a_claim_for_the_list_goes_to_the_list():
    u = Subscriber("1", left=A)
    assert introduce(u, "me", B, "LIN", False, linearize) == linearize(u, "me", B)
    assert linearize(u, "me", B).sends == (Send("b", Linearize(A)),)


@given(subscribers, claims, st.booleans())
@EXAMPLES
def test_the_closing_edge_is_decided_without_shortcuts(u, claim, first_hand):
    u = without(u, "v1")
    outcome = introduce(u, "v1", claim, "CYC", first_hand, linearize)
    bare = Subscriber(u.label, u.left, u.right, u.ring)
    assert introduce(bare, "v1", claim, "CYC", first_hand, linearize).sends == outcome.sends
    assert outcome.local.shortcuts == u.shortcuts


@given(subscribers.filter(lambda u: u.label and u.ring), claims)
@EXAMPLES
def test_of_two_candidates_neither_is_lost(u, claim):
    u = without(u, claim.node)
    if u.ring and claim.label != u.label and u.ring.label not in (u.label, claim.label):
        outcome = close_ring(u, claim, "me", linearize)
        known = {u.ring.node, claim.node}
        stored = {slot.node for slot in (outcome.local.left, outcome.local.right, outcome.local.ring) if slot}
        assert known <= stored | {send.target for send in outcome.sends} | introduced(outcome)


def introduced(outcome):
    """The subjects of the sent messages."""
    return {send.message.claim.node for send in outcome.sends if hasattr(send.message, "claim")}


def test_no_node_is_introduced_to_itself_by_the_merge():
    outcome = keep_farther(Subscriber("0", ring=C), "me", D, C, linearize)
    assert all(send.target not in introduced(outcome) for send in outcome.sends)


def test_the_timeout_introduces_a_misplaced_partner_that_is_also_the_inner_neighbour_to_itself():
    """Harmless, since a claim of another node about the node itself is ignored; it happens in corrupted states only."""
    u = Subscriber("111", left=Claim("1", "x"), right=None, ring=Claim("1111", "x"), shortcuts=(Entry("1", None),))
    assert build_ring_timeout(u, "me").sends == (Send("x", Introduce(Claim("1111", "x"), "CYC")),)
