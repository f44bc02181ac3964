"""The right tree is that of exactly the subscribers and the nodes on their routes; each conjunct can be false."""

import pytest
from msgspec.structs import replace

from gomboc.spec.core.faults import legitimacy_faults, premise_faults
from gomboc.spec.core.protocol import configured
from gomboc.spec.protocols.scribe import PROTOCOL
from gomboc.spec.protocols.scribe.legitimacy import right_tree
from gomboc.spec.protocols.scribe.space import tree
from gomboc.spec.protocols.scribe.state import (
    CRASHED,
    Acknowledge,
    Child,
    Dead,
    Heartbeat,
    Id,
    Leave,
    MethodReply,
    MethodRequest,
    Node,
    Publish,
    Submit,
    Subscribe,
)
from gomboc.spec.publishing.publications import Parameters, published

HOPS = {"o": "o", "p": "o", "q": "o", "s": "p", "t": "p"}
BITS = Parameters(key_bits=32)
OLD, NEW = (published("s", number, "", BITS) for number in (1, 2))
FORGED = replace(NEW, signer="t")
RIGHT = tree(HOPS, ("s", "t"), (OLD,))
SWITCHED = configured(PROTOCOL, {"low": 2, "high": 4})


def faults(protocol=PROTOCOL, in_flight=(), **changed):
    states = {name: replace(local, **changed.get(name, {})) for name, local in RIGHT.items()}
    return [fault.rule for fault in legitimacy_faults(protocol, states, in_flight)]


def test_the_right_tree_is_that_of_the_owner_the_subscribers_and_the_nodes_on_their_routes():
    assert right_tree(tuple(HOPS.items()), ("s", "t")) == {
        "o": (Child("p", 2),),
        "p": (Child("s", 1), Child("t", 1)),
        "s": (),
        "t": (),
    }
    assert right_tree(tuple(HOPS.items()), ()) == {"o": ()}
    assert RIGHT["q"] == Node(False, "o")
    assert RIGHT["s"] == Node(True, "p", "p", publications=(OLD,), delivered=(Id("s", 1),))
    assert faults() == []


@pytest.mark.parametrize(
    ("rule", "changed"),
    [
        ("parent_is_next", {"s": {"parent": None}}),
        ("parent_is_next", {"o": {"parent": "p"}}),
        ("children_are_right", {"p": {"children": (Child("s", 1),)}}),
        ("counts_are_right", {"p": {"children": (Child("s", 1), Child("t", 2))}}),
        ("publications_are_equal", {"s": {"publications": ()}}),
        (
            "publications_are_equal",
            {"t": {"publications": tuple(sorted((OLD, NEW))), "delivered": (Id("s", 1), Id("s", 2))}},
        ),
        ("publications_are_valid", {"t": {"publications": (replace(OLD, signer="o"),)}}),
        ("all_is_delivered", {"t": {"delivered": ()}}),
        ("method_is_right", {"p": {"method": "broadcast"}}),
        ("no_parent_outside_the_tree", {"q": {"parent": "o"}}),
        ("no_children_outside_the_tree", {"q": {"children": (Child("s", 1),)}}),
        ("no_publications_outside_the_tree", {"q": {"publications": (OLD,)}}),
        ("nothing_is_pending", {"s": {"pending": (OLD.key,)}}),
    ],
)
def test_each_conjunct_about_a_node_can_be_false_alone(rule, changed):
    assert faults(**changed) == [rule]


def test_the_owners_method_may_be_either_between_the_thresholds():
    assert faults(SWITCHED) == []
    assert faults(SWITCHED, o={"method": "broadcast"}) == []
    many = tree(HOPS, ("o", "p", "q", "s"))
    assert [fault.rule for fault in legitimacy_faults(SWITCHED, many, ())] == ["method_is_right"]
    many["o"] = replace(many["o"], method="broadcast")
    assert legitimacy_faults(SWITCHED, many, ()) == ()


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("children_subscribe", ("p", Subscribe("s", 2, ()))),
        ("children_subscribe", ("q", Subscribe("s", 1, ()))),
        ("no_child_leaves", ("p", Leave("s"))),
        ("the_dead_are_dead", ("p", Dead("s"))),
        ("nothing_new_in_flight", ("s", Publish("p", (NEW,)))),
        ("nothing_new_in_flight", ("q", Submit(NEW))),
    ],
)
def test_each_conjunct_about_a_message_can_be_false_alone(rule, message):
    assert faults(in_flight=(message,)) == [rule]


@pytest.mark.parametrize(
    "message",
    [
        ("p", Subscribe("s", 1, ("0" * 32,))),
        ("p", Subscribe("p", 7, ())),
        ("o", Leave("s")),
        ("s", Heartbeat("t", ())),
        ("q", Heartbeat("o", ())),
        ("q", Publish("o", (NEW,))),
        ("s", Publish("p", (OLD,))),
        ("s", Publish("p", (FORGED,))),
        ("o", Submit(OLD)),
        ("o", Submit(FORGED)),
        ("s", Acknowledge(OLD.key)),
        ("o", MethodRequest("s")),
        ("s", MethodReply("tree")),
    ],
)
def test_other_messages_are_harmless(message):
    assert faults(in_flight=(message,)) == []


def test_messages_to_crashed_nodes_are_harmless_and_so_is_the_report_of_a_crash():
    states = {**tree({**HOPS, "s": "o", "t": "o"}, ("s", "t")), "p": CRASHED}
    assert legitimacy_faults(PROTOCOL, states, (("p", Leave("s")), ("o", Dead("p")))) == ()


@pytest.mark.parametrize(
    ("rules", "changed"),
    [
        (["ways_end_at_owner", "ways_end_at_owner"], {"s": "t", "t": "s"}),
        (["one_owner", "one_owner"], {"q": "q"}),
        (["subscribers_have_routes", "publishers_have_routes"], {"s": None}),
    ],
)
def test_the_premise_is_that_every_route_ends_at_the_one_owner(rules, changed):
    states = {name: replace(local, next=changed.get(name, local.next)) for name, local in RIGHT.items()}
    assert [fault.rule for fault in premise_faults(PROTOCOL, states, ())] == rules
    assert premise_faults(PROTOCOL, RIGHT, ()) == ()


def test_a_publication_outside_the_overlay_waits_for_a_route():
    states = {**RIGHT, "q": Node(False, None, publications=(OLD,), pending=(OLD.key,))}
    assert [fault.rule for fault in premise_faults(PROTOCOL, states, ())] == ["publishers_have_routes"]
