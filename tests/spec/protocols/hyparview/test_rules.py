"""HyParView, beyond scenarios of single steps: coins, windows, refused values, and the rules as published."""

from math import prod

import pytest

from gomboc.spec.core.model import CERTAIN, Commanded, Received, Send, Timeout
from gomboc.spec.core.protocol import Size, configured
from gomboc.spec.protocols.hyparview import PROTOCOL
from gomboc.spec.protocols.hyparview.errata import AcceptsAll, AddsUntold, RefusesWhileItAsks
from gomboc.spec.protocols.hyparview.parameters import Parameters
from gomboc.spec.protocols.hyparview.rules import Rules
from gomboc.spec.protocols.hyparview.space import names
from gomboc.spec.protocols.hyparview.state import (
    Accept,
    Disconnect,
    ForwardJoin,
    Join,
    Keep,
    Neighbor,
    Node,
    Refuse,
    Shuffle,
    ShuffleReply,
)
from gomboc.spec.protocols.hyparview.views import window
from gomboc.spec.types.kinds import Suspect

FULL = Node("inside", names(5), names(35)[5:])
RULES = Rules(Parameters())


@pytest.mark.parametrize(
    ("taken", "results"),
    [
        (Timeout(), (5, 30)),
        (Received(Join("x")), (5, 30)),
        (Received(Neighbor("x", "high")), (5, 30)),
        (Received(Neighbor("x", "low")), (1, 1)),
        (Received(ForwardJoin("x", 3, "n000")), (4, 30)),
        (Received(ForwardJoin("x", 2, "n000")), (4, 1)),
        (Received(ForwardJoin("x", 0, "n000")), (1, 30)),
        (Received(Shuffle("x", 1, (), "n000")), (4, 1)),
        (Received(Shuffle("x", 0, (), "n000")), (1, 30)),
        (Received(ShuffleReply(("x",))), (1, 30)),
        (Received(ShuffleReply(("n000", "n007"))), (1, 1)),
        (Received(Disconnect("n000")), (1, 30)),
        (Received(Keep("x")), (1, 1)),
        (Commanded(Suspect("n000")), (1, 1)),
    ],
)
def test_full_views_have_at_most_150_results_of_equal_chance(taken, results):
    choices = RULES.choices("me", FULL, taken)
    assert len(choices) == prod(results)
    assert len({choice.name for choice in choices}) == len(choices)
    assert {choice.probability for choice in choices} == {choices[0].probability}
    assert sum(choice.probability for choice in choices) == 1
    assert (choices == CERTAIN) == (prod(results) == 1)


def test_a_window_goes_round_and_has_each_node_once():
    assert window(("a", "b", "c"), "b", 2) == ("b", "c")
    assert window(("a", "b", "c"), "c", 9) == ("c", "a", "b")
    assert window((), None, 3) == ()


SMALL = Parameters(active=2, passive=3, arwl=1, prwl=1)


def test_as_published_a_walk_ends_with_a_link_that_its_other_end_is_not_told_of():
    taken = Received(ForwardJoin("c", 0, "a"))
    outcome = AddsUntold(SMALL).react("b", Node("inside", ("a",)), taken, CERTAIN[0])
    assert outcome.local.active == ("a", "c")
    assert outcome.sends == ()
    assert not [
        send
        for send in AddsUntold(SMALL)
        .react("b", outcome.local, Timeout(), AddsUntold(SMALL).choices("b", outcome.local, Timeout())[0])
        .sends
        if isinstance(send.message, Keep)
    ]


def test_if_every_request_is_accepted_one_with_low_priority_displaces_a_node():
    rules, local, taken = AcceptsAll(SMALL), Node("inside", ("a", "c")), Received(Neighbor("d", "low"))
    outcomes = [rules.react("b", local, taken, choice) for choice in rules.choices("b", local, taken)]
    assert {outcome.local.active for outcome in outcomes} == {("a", "d"), ("c", "d")}
    assert all(Send("d", Accept("b")) in outcome.sends for outcome in outcomes)


def test_the_variant_that_refuses_while_it_asks_does_so_there_only():
    rules, taken = RefusesWhileItAsks(SMALL), Received(Neighbor("d", "low"))
    asking, open_ = Node("inside", ("a",), ("c",), "c"), Node("inside", ("a",))
    assert rules.react("b", asking, taken, CERTAIN[0]).sends == (Send("d", Refuse("b")),)
    assert rules.react("b", open_, taken, CERTAIN[0]).sends == (Send("d", Accept("b")),)


def test_members_that_one_place_each_cannot_connect_are_refused_in_a_sentence():
    one = configured(PROTOCOL, {"active": 1})
    for made in (one.starts.start, lambda nodes: one.starts.space(Size(nodes))):
        made(2)
        with pytest.raises(
            ValueError, match=r"^active views of one node connect two members, not 3: take active from 2"
        ):
            made(3)
