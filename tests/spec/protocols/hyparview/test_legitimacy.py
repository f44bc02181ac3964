"""Legitimacy, premise and promises of HyParView: each condition is false where its fault is planted."""

from msgspec.structs import replace

from gomboc.spec.core.faults import legitimacy_faults, premise_faults
from gomboc.spec.core.protocol import configured
from gomboc.spec.protocols.hyparview import PROTOCOL
from gomboc.spec.protocols.hyparview.promises import OBSERVERS
from gomboc.spec.protocols.hyparview.state import (
    CRASHED,
    OUTSIDE,
    Accept,
    Broadcast,
    Heard,
    Item,
    Join,
    Keep,
    Neighbor,
    Node,
    Peers,
)
from gomboc.spec.publishing.publications import Parameters, published

SMALL = configured(PROTOCOL, {"active": 2, "passive": 3, "key_bits": 8})
ITEM, OTHER = (Item("t", published("b", number, "", Parameters(8))) for number in (1, 2))
LINE = {
    "a": Node("inside", ("b",)),
    "b": Node("inside", ("a", "c")),
    "c": Node("inside", ("b", "d")),
    "d": Node("inside", ("c",), ("a",), "a"),
    "e": CRASHED,
    "f": OUTSIDE,
}
"""A line of four members, the last of which asks the first."""


def faults(protocol, states, *in_flight):
    return {fault.rule for fault in legitimacy_faults(protocol, states, in_flight)}


def test_a_line_is_right_while_its_ends_get_linked():
    """Asked; then active at one end, which the other one asks for; then active at both."""
    assert faults(SMALL, LINE) == set()
    one_end = {**LINE, "a": Node("inside", ("b", "d"))}
    assert faults(SMALL, one_end, ("d", Accept("a")), ("d", Keep("a")), ("a", Neighbor("d", "low"))) == set()
    assert faults(SMALL, {**one_end, "d": Node("inside", ("a", "c"))}) == set()


def test_an_expired_publication_is_nothing_new():
    kept = configured(PROTOCOL, {"active": 2, "key_bits": 8, "keep": 1})
    states = {name: replace(LINE[name], held=(OTHER,)) for name in "abcd"}
    assert faults(kept, states, ("a", Broadcast("b", ITEM))) == set()
    assert faults(SMALL, states, ("a", Broadcast("b", ITEM))) == {"nothing_new_in_flight"}


def test_where_all_nodes_fit_into_a_view_a_node_may_want_in_through_one_that_is_or_wants_in():
    wide = configured(PROTOCOL, {"active": 5, "key_bits": 8})
    joining = {**LINE, "d": Node("inside", ("c",)), "f": Node("outside", contact="a")}
    assert premise_faults(wide, joining, (("a", Join("f")),)) == ()
    for contact, others in (("g", {"g": Node("outside", contact="a")}), ("e", {})):
        states = {**{name: joining[name] for name in "abce"}, "c": Node("inside", ("b",)), **others}
        assert premise_faults(wide, {**states, "f": Node("outside", contact=contact)}, ()) == ()
    for contact, others in (("e", {"e": OUTSIDE}), ("e", {"e": Node("outside", contact="f")})):
        states = {**joining, **others, "f": Node("outside", contact=contact)}
        assert {fault.rule for fault in premise_faults(wide, states, ())} == {"no_node_wants_in"}


def test_one_node_more_than_a_node_and_its_active_view_may_displace_another():
    joining = {**LINE, "d": Node("inside", ("c",)), "f": Node("outside", contact="a")}
    for places, rules in ((4, {"no_node_wants_in"}), (5, set())):
        protocol = configured(PROTOCOL, {"active": places, "key_bits": 8})
        assert {fault.rule for fault in premise_faults(protocol, joining, ())} == rules


def test_what_is_delivered_twice_is_noticed():
    (observer,) = OBSERVERS
    seen, none = observer.observe("a", observer.blank, Heard("t", ITEM.publication))
    assert none == observer.observe("a", seen, Peers(("b",)))[1] == ()
    assert observer.observe("a", seen, Heard("u", ITEM.publication))[1] == ()
    assert [fault.rule for fault in observer.observe("a", seen, Heard("t", ITEM.publication))[1]] == ["delivered_once"]
