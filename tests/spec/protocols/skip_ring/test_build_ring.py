"""Properties of the closing edge from any state. Single steps are scenarios."""

from hypothesis import given
from hypothesis import strategies as st

from gomboc.spec.protocols.skip_ring.build_list import linearize, without
from gomboc.spec.protocols.skip_ring.build_ring import close_ring, introduce
from gomboc.spec.protocols.skip_ring.state import Subscriber
from tests.spec.protocols.skip_ring.starts import EXAMPLES, claims, subscribers


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
