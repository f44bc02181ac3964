from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from gomboc.spec.model import Fault, Timeout
from gomboc.spec.protocol import Cited, Start, anchor_of, fired, legitimacy_faults, premise_faults
from tests.toys.coins.spec import UNORDERED, start


def test_a_state_without_faults_is_legitimate():
    assert legitimacy_faults(UNORDERED, {"a": ("heads",), "b": ()}, (("a", "heads"),)) == ()


def test_faults_are_those_of_the_authority_then_of_the_nodes_by_name_then_of_the_messages():
    states = {"b": ("tails",), "a": ("tails",)}
    assert legitimacy_faults(UNORDERED, states, (("b", "tails"),)) == (
        Fault("no_tails", "a", "heads", "tails", "nowhere"),
        Fault("no_tails", "b", "heads", "tails", "nowhere"),
        Fault("no_tails_sent", "b", "heads", "tails", "nowhere"),
    )


def test_a_start_is_a_value():
    assert start(("a", "heads")) == Start(start().roles, start().locals, (("a", "heads"),))
    assert hash(start()) == hash(start())


def test_what_a_protocol_need_not_state_asks_for_nothing():
    states = {"a": (), "b": ()}
    assert UNORDERED.edges("a", ()) == UNORDERED.premise(states, ()) == UNORDERED.assumption(states, ()) == ()
    assert UNORDERED.environment(states, ()) == UNORDERED.always == UNORDERED.observers == UNORDERED.quiet == ()
    assert UNORDERED.asleep(()) is False
    assert UNORDERED.share(states) is states
    assert UNORDERED.misnamed({"a": "thrower"}) is None
    assert UNORDERED.named(()) == ()
    assert premise_faults(UNORDERED, states, ()) == ()


def test_the_anchor_sees_the_share_of_each_node_and_of_no_other_than_it_looks_at():
    looked = []

    def share(local):
        looked.append(local)
        return len(local)

    seen = {"a": ("heads",), "b": ("heads", "tails")}
    sharing = replace(UNORDERED, share=share, anchor=lambda shares: shares["b"])
    assert anchor_of(sharing, seen) == 2
    assert looked == [seen["b"]]
    counting = replace(sharing, anchor=lambda shares: (len(shares), dict(shares)))
    assert anchor_of(counting, seen) == (2, {"a": 1, "b": 2})
    with pytest.raises(KeyError):
        anchor_of(replace(sharing, anchor=lambda shares: shares["c"]), seen)


def test_without_a_share_the_anchor_sees_whole_states():
    seen = {"a": ("heads",), "b": ()}
    anchor = anchor_of(replace(UNORDERED, anchor=lambda shares: shares), seen)
    assert anchor is seen
    assert isinstance(anchor, Mapping)


def test_legitimacy_is_stated_against_the_anchor_of_shares():
    wrong = Fault("one_each", "a", 1, 0, "nowhere")
    sharing = replace(
        UNORDERED,
        share=len,
        anchor=lambda shares: shares["a"],
        anchor_faults=lambda anchor: () if anchor == 1 else (wrong,),
        node_faults=lambda anchor, me, local: (),
    )
    assert legitimacy_faults(sharing, {"a": ("heads",), "b": ()}, ()) == ()
    assert legitimacy_faults(sharing, {"a": (), "b": ()}, ()) == (wrong,)


def test_a_step_fires_the_rule_that_answers_it_if_nothing_else_is_said():
    assert fired(UNORDERED, "a", (), Timeout()) == (Cited("timeout", "nowhere"),)
    two = (Cited("1a", "slide 2"), Cited("1b", "slide 3"))
    assert fired(replace(UNORDERED, fired=lambda me, local, taken: two), "a", (), Timeout()) == two


LINKED = replace(UNORDERED, edges=lambda node, value: tuple((node, other) for other in value))
"""States and messages are the names of the nodes that they know."""


def test_a_node_that_states_edges_promises_convergence_from_connected_states_only():
    apart = Fault(
        "weakly_connected", "b", "every node that is awake, from any other", ("b",), "the premise of convergence"
    )
    assert premise_faults(LINKED, {"a": ("c",), "b": (), "c": ()}, ()) == (apart,)
    assert premise_faults(LINKED, {"a": ("c",), "b": (), "c": ()}, (("b", ("a",)),)) == ()
    assert premise_faults(LINKED, {}, ()) == ()


def test_nodes_that_are_asleep_connect_no_node_and_need_not_be_connected():
    sleepy = replace(LINKED, asleep=lambda local: "zzz" in local)
    assert premise_faults(sleepy, {"a": ("b",), "b": (), "c": ("zzz",)}, ()) == ()
    assert premise_faults(sleepy, {"a": ("c",), "b": ("c",), "c": ("zzz", "a", "b")}, ())[0].found == ("b",)


def test_the_premise_of_a_protocol_comes_before_connectivity():
    lacking = Fault("enough", "", "two members", 1, "Section 1")
    asking = replace(LINKED, premise=lambda states, in_flight: (lacking,))
    assert premise_faults(asking, {"a": (), "b": ()}, ())[0] == lacking
    assert len(premise_faults(asking, {"a": (), "b": ()}, ())) == 2
