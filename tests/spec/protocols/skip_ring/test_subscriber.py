"""The rules of Algorithm 4, and crashes and restarts of a subscriber."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gomboc.spec.core.model import CERTAIN, Choice, Commanded, Outcome, Received, Send, Timeout
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.build_list import build_list_timeout, linearize, slots, without
from gomboc.spec.protocols.skip_ring.build_ring import build_ring_timeout
from gomboc.spec.protocols.skip_ring.labels import label_of
from gomboc.spec.protocols.skip_ring.state import (
    Check,
    Claim,
    Entry,
    GetConfiguration,
    IntroduceShortcut,
    Linearize,
    PublishRequest,
    RemoveConnections,
    Restart,
    SetData,
    Subscribe,
    Subscriber,
    Unsubscribe,
    WantIn,
    WantOut,
)
from gomboc.spec.protocols.skip_ring.subscriber import (
    ASK,
    SILENT,
    coin,
    introduce_partners,
    introduce_shortcut,
    part,
    partners,
    set_data,
    sides,
    thinks_minimal,
    timeout,
    turn_to_supervisor,
    update_shortcuts,
)
from gomboc.spec.types.kinds import Crash
from tests.spec.protocols.skip_ring.reconciling import EVERY, PUBLISHING
from tests.spec.protocols.skip_ring.starts import EXAMPLES, claims, inputs, members, right_states, subscribers

A, B, C = Claim("0", "a"), Claim("01", "b"), Claim("11", "c")
HALF = Choice(ASK, Fraction(1, 2)), Choice(SILENT, Fraction(1, 2))
ASKING, SILENTLY = HALF


def test_the_sides_are_the_neighbours_and_their_chains():
    before, after = sides(Subscriber("01", left=Claim("0011", "x"), right=Claim("0101", "y")))
    assert (before.neighbour, before.chain) == (Claim("0011", "x"), ("001", "0"))
    assert (after.neighbour, after.chain) == (Claim("0101", "y"), ("011", "1"))


def test_the_closing_edge_serves_where_the_list_ends():
    before, after = sides(Subscriber("0", right=Claim("01", "y"), ring=Claim("11", "x")))
    assert (before.neighbour, before.chain) == (Claim("11", "x"), ("1",))
    assert (after.neighbour, after.chain) == (Claim("01", "y"), ("1",))


def test_a_closing_edge_on_the_wrong_side_serves_no_node():
    before, after = sides(Subscriber("1", left=B, ring=A))
    assert before.neighbour == B
    assert after.neighbour == A


def test_partners_are_the_ring_neighbours_of_one_whose_label_is_longest():
    u = Subscriber("001", left=A, right=B)
    assert partners(u, *sides(u)) == (A, B)


def test_partners_are_the_last_shortcuts_of_one_whose_neighbours_are_longer():
    table = (Entry("0", "a"), Entry("001", "p"), Entry("011", "q"), Entry("1", "z"))
    u = Subscriber("01", left=Claim("0011", "x"), right=Claim("0101", "y"), shortcuts=table)
    assert partners(u, *sides(u)) == (A, Claim("1", "z"))


def test_partners_may_be_a_neighbour_on_one_side_and_a_shortcut_on_the_other():
    u = Subscriber("01", left=Claim("001", "x"), right=Claim("1", "z"), shortcuts=(Entry("0", "a"),))
    assert partners(u, *sides(u)) == (A, Claim("1", "z"))


def test_partners_are_introduced_to_each_other_unless_they_are_one_node():
    u = Subscriber("001", left=A, right=B)
    sends = Send("a", IntroduceShortcut(B)), Send("b", IntroduceShortcut(A))
    assert introduce_partners(u, *sides(u), partners) == Outcome(u, sends)
    alone = Subscriber("0", right=Claim("1", "z"), ring=Claim("1", "z"))
    assert introduce_partners(alone, *sides(alone), partners) == Outcome(alone)


def test_exactly_the_right_labels_are_kept_and_other_nodes_linearised():
    u = Subscriber("01", left=A, shortcuts=(Entry("001", "x"), Entry("11", "c")))
    assert update_shortcuts(u, "me", {"001", "1"}, linearize) == Outcome(
        Subscriber("01", left=A, right=C, shortcuts=(Entry("001", "x"), Entry("1", None)))
    )


def test_a_shortcut_is_replaced_and_the_node_before_linearised():
    u = Subscriber("01", left=A, shortcuts=(Entry("11", "x"),))
    assert introduce_shortcut(u, "me", C, linearize) == Outcome(
        Subscriber("01", left=A, right=Claim("11", "x"), shortcuts=(Entry("11", "c"),))
    )


def test_a_shortcut_that_did_not_change_is_not_linearised():
    u = Subscriber("01", left=A, shortcuts=(Entry("11", "c"),))
    assert introduce_shortcut(u, "me", C, linearize) == Outcome(u)


def test_what_is_no_shortcut_is_linearised():
    u = Subscriber("01", left=A)
    assert introduce_shortcut(u, "me", C, linearize) == linearize(u, "me", C)


@pytest.mark.parametrize(
    ("u", "asks"),
    [
        (Subscriber("0", right=B), Fraction(1, 2)),
        (Subscriber("11"), Fraction(1, 2)),
        (Subscriber("1", left=A), Fraction(1, 2)),
        (Subscriber("01", left=A, right=C), Fraction(1, 16)),
        (Subscriber("001", right=C, ring=Claim("1", "d")), Fraction(1, 2)),
        (Subscriber("001", left=A, right=C), Fraction(1, 72)),
        (Subscriber("11", left=B, ring=A), Fraction(1, 16)),
        (Subscriber("01", left=A), Fraction(1, 2)),
        (Subscriber("01", right=C), Fraction(1, 2)),
        (Subscriber("001", ring=A), Fraction(1, 2)),
        (Subscriber("01", left=A, shortcuts=(Entry("0", "a"),)), Fraction(1, 2)),
    ],
)
def test_a_node_that_seems_minimal_or_misses_a_neighbour_asks_every_other_time_and_a_longer_label_less_often(u, asks):
    assert coin(u) == (Choice(ASK, asks), Choice(SILENT, 1 - asks))


@pytest.mark.parametrize(
    ("u", "minimal"),
    [
        (Subscriber("0", right=B), True),
        (Subscriber("11"), True),
        (Subscriber("1", left=A), False),
        (Subscriber("001", ring=A), False),
        (Subscriber("01", shortcuts=(Entry("0", None),)), True),
        (Subscriber("01", shortcuts=(Entry("0", "a"),)), False),
        (Subscriber("01", left=Claim("01", "x")), True),
    ],
)
def test_a_node_that_knows_no_lower_label_thinks_itself_minimal(u, minimal):
    assert thinks_minimal(u) == minimal


@pytest.mark.parametrize(
    ("label", "wants", "choice", "sends"),
    [
        (None, True, SILENTLY, (Send("supervisor", Subscribe("me")),)),
        (None, False, SILENTLY, ()),
        ("01", False, SILENTLY, (Send("supervisor", Unsubscribe("me")),)),
        ("01", True, ASKING, (Send("supervisor", GetConfiguration("me")),)),
        ("01", True, SILENTLY, ()),
    ],
)
def test_the_supervisor_is_told_what_the_application_wants(label, wants, choice, sends):
    u = Subscriber(label, wants=wants)
    assert turn_to_supervisor(u, "me", choice) == Outcome(u, sends)


def test_one_that_parts_has_every_node_forget_it_and_forgets_them():
    u = Subscriber(None, left=A, right=B, ring=A, shortcuts=(Entry("11", "c"), Entry("1", None)), wants=False)
    forget = RemoveConnections("me")
    assert part(u, "me") == Outcome(
        Subscriber(None, wants=False), (Send("a", forget), Send("b", forget), Send("c", forget))
    )


def test_a_configuration_overwrites_and_the_neighbours_replaced_are_linearised():
    u = Subscriber("01", left=A, right=C)
    message = SetData(Claim("001", "x"), "01", Claim("1", "z"))
    assert set_data(u, "me", message, linearize) == Outcome(
        Subscriber("01", left=Claim("001", "x"), right=Claim("1", "z")),
        (Send("x", Linearize(A)), Send("z", Linearize(C))),
    )


@pytest.mark.parametrize(("held", "asked"), [("001", ["x"]), ("0011", ["x"]), ("0001", [])])
def test_the_supervisor_is_asked_about_a_neighbour_that_was_at_least_as_close(held, asked):
    u = Subscriber("01", left=Claim(held, "x"))
    sends = set_data(u, "me", SetData(Claim("001", "p"), "01", None), linearize).sends
    assert [send.message.subscriber for send in sends if send.target == "supervisor"] == asked


def test_closeness_is_measured_around_the_ring_on_the_closing_edge():
    u = Subscriber("0", right=B, ring=Claim("111", "x"))
    sends = set_data(u, "me", SetData(C, "0", B), linearize).sends
    assert Send("supervisor", GetConfiguration("x")) in sends
    u = Subscriber("0", right=B, ring=Claim("101", "x"))
    sends = set_data(u, "me", SetData(C, "0", B), linearize).sends
    assert Send("supervisor", GetConfiguration("x")) not in sends


def test_a_neighbour_across_the_end_of_the_circle_goes_to_the_closing_edge():
    assert set_data(Subscriber(), "me", SetData(C, "0", B), linearize).local == Subscriber("0", right=B, ring=C)
    assert set_data(Subscriber(), "me", SetData(B, "11", A), linearize).local == Subscriber("11", left=B, ring=A)


def test_in_a_ring_of_two_the_other_is_neighbour_and_closing_edge():
    other = Claim("1", "z")
    assert set_data(Subscriber(), "me", SetData(other, "0", other), linearize).local == Subscriber(
        "0", right=other, ring=other
    )


def test_a_configuration_that_names_oneself_or_ones_own_label_as_neighbour_has_none_there():
    message = SetData(Claim("0", "me"), "01", Claim("01", "x"))
    assert set_data(Subscriber(), "me", message, linearize) == Outcome(Subscriber("01"))
    message = SetData(Claim("01", "x"), "01", Claim("1", "me"))
    assert set_data(Subscriber(), "me", message, linearize) == Outcome(Subscriber("01"))


@pytest.mark.parametrize(("proposed", "shortcuts"), [("01", ()), ("001", (Entry("0", "x"),))])
def test_a_replaced_neighbour_is_asked_about_if_the_proposed_one_is_none_or_it_is_a_shortcut_too(proposed, shortcuts):
    u = Subscriber("01", left=Claim("001", "x"), shortcuts=shortcuts)
    sends = set_data(u, "me", SetData(Claim(proposed, "p"), "01", None), linearize).sends
    assert Send("supervisor", GetConfiguration("x")) in sends


def test_the_configuration_one_has_changes_nothing():
    for node, u in right_states(6).items():
        if node != "supervisor":
            before, after = sides(u)
            message = SetData(before.neighbour, u.label, after.neighbour)
            assert set_data(u, node, message, linearize) == Outcome(u)


def test_the_timeout_checks_both_neighbours_and_introduces_the_partners():
    u = Subscriber("001", left=A, right=B)
    myself = Claim("001", "me")
    assert timeout(u, "me", SILENTLY, linearize, partners) == Outcome(
        u,
        (
            Send("a", Check(myself, "0", "LIN")),
            Send("b", Check(myself, "01", "LIN")),
            Send("a", IntroduceShortcut(B)),
            Send("b", IntroduceShortcut(A)),
        ),
    )


@given(subscribers.filter(lambda u: u.label))
@EXAMPLES
def test_after_a_timeout_the_shortcuts_have_the_labels_that_follow_from_the_neighbours(u):
    u = without(u, "v1")
    audited = build_ring_timeout(u, "v1").then(build_list_timeout, "v1", linearize).local
    before, after = sides(audited)
    held = [entry.label for entry in timeout(u, "v1", SILENTLY, linearize, partners).local.shortcuts]
    assert held == sorted({*before.chain, *after.chain})


@given(subscribers, claims)
@EXAMPLES
def test_an_introduced_shortcut_changes_no_label_and_adds_none(u, claim):
    after = introduce_shortcut(without(u, "v1"), "v1", claim, linearize).local
    assert after.label == u.label
    assert [entry.label for entry in after.shortcuts] == [entry.label for entry in u.shortcuts]


@given(subscribers, members)
@EXAMPLES
def test_a_configuration_of_no_node_leaves_no_reference(u, node):
    outcome = set_data(without(u, node), node, SetData(None, None, None), linearize)
    assert outcome.local == Subscriber(wants=u.wants)
    targets = {send.target for send in outcome.sends}
    assert {slot.node for slot in slots(u)} - {node} <= targets


def test_labels_of_a_ring_of_sixteen_are_asked_for_ever_more_seldom():
    between = Subscriber(left=Claim("0", "a"), right=Claim("1", "b"))
    asks = [coin(replace(between, label=label_of(index)))[0].probability for index in (2, 4, 8)]
    assert asks == [Fraction(1, 16), Fraction(1, 72), Fraction(1, 256)]


commands = st.sampled_from([WantIn(), WantOut(), WantOut(True), PublishRequest(7, ""), Crash()])
protocols = st.sampled_from([PROTOCOL, PUBLISHING])


@given(protocols, subscribers)
@EXAMPLES
def test_a_crash_changes_nothing_but_that_it_has_crashed(protocol, u):
    assert protocol.actor.react("v1", u, Commanded(Crash()), CERTAIN[0]) == Outcome(replace(u, crashed=True))


@given(protocols, subscribers, st.one_of(inputs, st.builds(Commanded, commands)))
@EXAMPLES
def test_nothing_but_a_restart_has_any_effect_on_a_crashed_node(protocol, u, taken):
    crashed = replace(u, crashed=True, publications=EVERY)
    assert protocol.actor.choices("v1", crashed, taken) == CERTAIN
    assert protocol.actor.react("v1", crashed, taken, CERTAIN[0]) == Outcome(crashed)


@given(protocols, subscribers, st.booleans())
@EXAMPLES
def test_a_node_that_restarts_has_the_variables_that_it_had(protocol, u, wants):
    u = replace(u, wants=wants, forgets=not wants, publications=EVERY)
    restarted = protocol.actor.react("v1", replace(u, crashed=True), Commanded(Restart(True)), CERTAIN[0])
    assert restarted == Outcome(u)


@given(protocols, subscribers, st.booleans())
@EXAMPLES
def test_or_it_has_none_and_its_application_wants_what_it_wanted(protocol, u, wants):
    u = replace(u, wants=wants, forgets=not wants, publications=EVERY, crashed=True)
    restarted = protocol.actor.react("v1", u, Commanded(Restart(False)), CERTAIN[0])
    assert restarted == Outcome(Subscriber(wants=wants))


@given(protocols, subscribers, st.booleans())
@EXAMPLES
def test_a_node_that_has_not_crashed_does_not_restart(protocol, u, keep):
    assert protocol.actor.react("v1", u, Commanded(Restart(keep)), CERTAIN[0]) == Outcome(u)


def test_a_node_that_has_crashed_tosses_no_coin():
    assert PUBLISHING.actor.choices("v1", Subscriber("1", crashed=True), Timeout()) == CERTAIN
    assert PUBLISHING.actor.react("v1", Subscriber("1", crashed=True), Received("anything"), CERTAIN[0]).sends == ()
