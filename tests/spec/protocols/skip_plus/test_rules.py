"""The rules of ALG+: their names, temporary edges, and receipts in any order. Single steps are scenarios."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomboc.spec.core.model import CERTAIN, Commanded, Received, Timeout
from gomboc.spec.core.protocol import fired
from gomboc.spec.protocols.skip_plus import PROTOCOL, rules
from gomboc.spec.protocols.skip_plus.models import named, right_start
from gomboc.spec.protocols.skip_plus.names import prefix_length, string_of
from gomboc.spec.protocols.skip_plus.ranges import UNBOUNDED, neighbours
from gomboc.spec.protocols.skip_plus.rules import RULES_BY_SLIDE, Rules, View
from gomboc.spec.protocols.skip_plus.state import ABSENT, Gone, Join, NeighbourRanges, Node, Update, ascending

RULES = Rules()


def react(me, local, taken):
    return RULES.react(me, local, taken, CERTAIN[0])


def view(me, known):
    return View(me, known, neighbours(me, known), (), {})


@given(st.lists(st.text("01", min_size=2, max_size=2), min_size=2, max_size=9))
def test_a_temporary_neighbour_is_moved_towards_itself(strings):
    """Source: Slide 29, "either stabilizes, or forwarded": its prefix grows, or the distance falls."""
    names = named(*strings)
    for me in names:
        seen = view(me, tuple(name for name in names if name != me))
        for node in seen.temporary():
            hop = rules.next_hop(seen, node)
            between = min(me, node) < hop < max(me, node)
            assert prefix_length(hop, node) > prefix_length(me, node) or (string_of(hop) == string_of(node) and between)
            most = [
                neighbour for neighbour in seen.stable if prefix_length(neighbour, node) == prefix_length(hop, node)
            ]
            assert all(neighbour < node for neighbour in most) or all(neighbour > node for neighbour in most)
        assert {node for _, node in rules.forward_temporary_edges(seen)} == set(seen.temporary())


def test_a_right_node_sends_each_neighbour_one_update_and_stays_as_it_is():
    for me, local in right_start(named("00", "10", "01", "11", "00")).locals:
        outcome = react(me, local, Timeout())
        assert outcome.local == local
        assert [send.target for send in outcome.sends] == list(local.neighbours)
        assert all(send.message.sender == me for send in outcome.sends)


def test_joining_by_oneself_is_refused():
    (a,) = named("0")
    says = "^node 'a:0' cannot join through itself: its contact must be another node$"
    with pytest.raises(ValueError, match=says):
        react(a, ABSENT, Commanded(Join(a)))
    with pytest.raises(ValueError, match=says):
        react(a, Node(True), Commanded(Join(a)))


@given(st.permutations(range(3)))
def test_receipts_of_one_round_commute(order):
    a, b, c, d = named("00", "10", "01", "11")
    inbox = (Update(b, (UNBOUNDED, UNBOUNDED), (c, d)), Update(c, (UNBOUNDED, (None, a)), (b,)), Gone(d, (a,)))
    local = Node(True, (d,))
    for index in order:
        local = react(a, local, Received(inbox[index])).local
    assert local == Node(
        True,
        ascending((a, b, c, d)),
        (),
        (NeighbourRanges(b, (UNBOUNDED, UNBOUNDED)), NeighbourRanges(c, (UNBOUNDED, (None, a)))),
        (d,),
    )


def test_every_rule_of_the_slides_has_a_name_and_a_slide():
    assert [cited.name for cited in RULES_BY_SLIDE.values()] == [
        "create_reverse_edges",
        "introduce_stable_edges",
        "forward_temporary_edges",
        "introduce_all",
        "linearize",
    ]


def test_the_rules_that_a_step_comprises_are_those_of_its_variant():
    a, b, c, _ = named("0", "0", "1", "0")
    variants = {"ours": PROTOCOL} | {variant.name: variant.protocol for variant in PROTOCOL.variants.errata}
    comprised = {
        name: [rule.name for rule in fired(variant, a, Node(True, (b, c)), Timeout())]
        for name, variant in variants.items()
    }
    assert comprised["ours"] == ["end_round", "create_reverse_edges"]
    assert comprised["printed_introduction"] == [*comprised["ours"], "introduce_all"]
