from collections.abc import Mapping

import pytest

from gomboc.spec.core.faults import anchor_of, legitimacy_faults, premise_faults
from gomboc.spec.core.model import Fault
from tests.toys.coins.spec import UNORDERED


def test_a_state_without_faults_is_legitimate():
    assert legitimacy_faults(UNORDERED, {"a": ("heads",), "b": ()}, (("a", "heads"),)) == ()


def test_faults_are_those_of_the_authority_then_of_the_nodes_by_name_then_of_the_messages():
    states = {"b": ("tails",), "a": ("tails",)}
    assert legitimacy_faults(UNORDERED, states, (("b", "tails"),)) == (
        Fault("no_tails", "a", "heads", "tails", "nowhere"),
        Fault("no_tails", "b", "heads", "tails", "nowhere"),
        Fault("no_tails_sent", "b", "heads", "tails", "nowhere"),
    )


def test_the_anchor_sees_the_share_of_each_node_and_of_no_other_than_it_looks_at():
    looked = []

    def share(local):
        looked.append(local)
        return len(local)

    seen = {"a": ("heads",), "b": ("heads", "tails")}
    sharing = UNORDERED.changed(share=share, anchor=lambda shares: shares["b"])
    assert anchor_of(sharing, seen) == 2
    assert looked == [seen["b"]]
    counting = sharing.changed(anchor=lambda shares: (len(shares), dict(shares)))
    assert anchor_of(counting, seen) == (2, {"a": 1, "b": 2})
    with pytest.raises(KeyError):
        anchor_of(sharing.changed(anchor=lambda shares: shares["c"]), seen)


def test_without_a_share_the_anchor_sees_whole_states():
    seen = {"a": ("heads",), "b": ()}
    anchor = anchor_of(UNORDERED.changed(anchor=lambda shares: shares), seen)
    assert anchor is seen
    assert isinstance(anchor, Mapping)


def test_legitimacy_is_stated_against_the_anchor_of_shares():
    wrong = Fault("one_each", "a", 1, 0, "nowhere")
    sharing = UNORDERED.changed(
        share=len,
        anchor=lambda shares: shares["a"],
        anchor_faults=lambda anchor: () if anchor == 1 else (wrong,),
        node_faults=lambda anchor, me, local: (),
    )
    assert legitimacy_faults(sharing, {"a": ("heads",), "b": ()}, ()) == ()
    assert legitimacy_faults(sharing, {"a": (), "b": ()}, ()) == (wrong,)


LINKED = UNORDERED.changed(edges=lambda node, value: tuple((node, other) for other in value))
"""States and messages are the names of the nodes that they know."""


def test_a_node_that_states_edges_promises_convergence_from_connected_states_only():
    apart = Fault(
        "weakly_connected", "b", "every node that is awake, from any other", ("b",), "the premise of convergence"
    )
    assert premise_faults(LINKED, {"a": ("c",), "b": (), "c": ()}, ()) == (apart,)
    assert premise_faults(LINKED, {"a": ("c",), "b": (), "c": ()}, (("b", ("a",)),)) == ()
    assert premise_faults(LINKED, {}, ()) == ()


def test_nodes_that_are_asleep_connect_no_node_and_need_not_be_connected():
    sleepy = LINKED.changed(asleep=lambda local: "zzz" in local)
    assert premise_faults(sleepy, {"a": ("b",), "b": (), "c": ("zzz",)}, ()) == ()
    assert premise_faults(sleepy, {"a": ("c",), "b": ("c",), "c": ("zzz", "a", "b")}, ())[0].found == ("b",)


def test_the_premise_of_a_protocol_comes_before_connectivity():
    lacking = Fault("enough", "", "two members", 1, "Section 1")
    asking = LINKED.changed(premise=lambda states, in_flight: (lacking,))
    assert premise_faults(asking, {"a": (), "b": ()}, ())[0] == lacking
    assert len(premise_faults(asking, {"a": (), "b": ()}, ())) == 2
