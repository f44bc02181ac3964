"""Properties of the list's rules from any state. Single steps are scenarios."""

from hypothesis import given

from gomboc.spec.protocols.skip_ring.build_list import linearize, rival, slots, without, without_other_labels
from tests.spec.protocols.skip_ring.starts import EXAMPLES, claims, members, subscribers


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
