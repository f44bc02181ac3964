"""The rules of Algorithm 4, and crashes and restarts of a subscriber."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gomboc.spec.core.model import CERTAIN, Choice, Commanded, Outcome
from gomboc.spec.protocols.skip_ring import PROTOCOL, subscriber
from gomboc.spec.protocols.skip_ring.build_list import build_list_timeout, linearize, slots, without
from gomboc.spec.protocols.skip_ring.build_ring import build_ring_timeout
from gomboc.spec.protocols.skip_ring.state import (
    Claim,
    Entry,
    PublishRequest,
    Restart,
    SetData,
    Subscriber,
    WantIn,
    WantOut,
)
from gomboc.spec.types.kinds import Crash
from tests.spec.protocols.skip_ring.reconciling import EVERY, PUBLISHING
from tests.spec.protocols.skip_ring.starts import EXAMPLES, claims, inputs, members, right_states, subscribers

A, B, C = Claim("0", "a"), Claim("01", "b"), Claim("11", "c")
SILENTLY = Choice(subscriber.SILENT, Fraction(1, 2))


@pytest.mark.parametrize(
    ("u", "asks"),
    [
        (Subscriber("0", right=B), Fraction(1, 2)),
        (Subscriber("11"), Fraction(1, 2)),
        (Subscriber("1", left=A), Fraction(1, 2)),
        (Subscriber("01", left=A, right=C), Fraction(1, 16)),
        (Subscriber("001", right=C, ring=Claim("1", "d")), Fraction(1, 2)),
        (Subscriber("001", left=A, right=C), Fraction(1, 72)),
        (Subscriber("0001", left=A, right=C), Fraction(1, 256)),
        (Subscriber("11", left=B, ring=A), Fraction(1, 16)),
        (Subscriber("01", left=A), Fraction(1, 2)),
        (Subscriber("01", right=C), Fraction(1, 2)),
        (Subscriber("001", ring=A), Fraction(1, 2)),
        (Subscriber("01", left=A, shortcuts=(Entry("0", "a"),)), Fraction(1, 2)),
        (Subscriber("01", left=Claim("01", "x"), right=C), Fraction(1, 2)),
    ],
)
def test_a_node_that_seems_minimal_or_misses_a_neighbour_asks_every_other_time_and_a_longer_label_less_often(u, asks):
    assert subscriber.coin(u) == (Choice(subscriber.ASK, asks), Choice(subscriber.SILENT, 1 - asks))


def test_the_configuration_one_has_changes_nothing():
    for node, u in right_states(6).items():
        if node != "supervisor":
            before, after = subscriber.sides(u)
            message = SetData(before.neighbour, u.label, after.neighbour)
            assert subscriber.set_data(u, node, message, linearize) == Outcome(u)


@given(subscribers.filter(lambda u: u.label))
@EXAMPLES
def test_after_a_timeout_the_shortcuts_have_the_labels_that_follow_from_the_neighbours(u):
    u = without(u, "v1")
    audited = build_ring_timeout(u, "v1").then(build_list_timeout, "v1", linearize).local
    before, after = subscriber.sides(audited)
    held = [
        entry.label for entry in subscriber.timeout(u, "v1", SILENTLY, linearize, subscriber.partners).local.shortcuts
    ]
    assert held == sorted({*before.chain, *after.chain})


@given(subscribers, claims)
@EXAMPLES
def test_an_introduced_shortcut_changes_no_label_and_adds_none(u, claim):
    after = subscriber.introduce_shortcut(without(u, "v1"), "v1", claim, linearize).local
    assert after.label == u.label
    assert [entry.label for entry in after.shortcuts] == [entry.label for entry in u.shortcuts]


@given(subscribers, members)
@EXAMPLES
def test_a_configuration_of_no_node_leaves_no_reference(u, node):
    outcome = subscriber.set_data(without(u, node), node, SetData(None, None, None), linearize)
    assert outcome.local == Subscriber(wants=u.wants)
    targets = {send.target for send in outcome.sends}
    assert {slot.node for slot in slots(u)} - {node} <= targets


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


@given(protocols, subscribers, st.booleans(), st.booleans())
@EXAMPLES
def test_a_crashed_node_restarts_with_its_variables_or_its_wish_alone_and_no_other_node_does(protocol, u, wants, keep):
    u = replace(u, wants=wants, forgets=not wants, publications=EVERY)
    restart = Commanded(Restart(keep))
    restarted = protocol.actor.react("v1", replace(u, crashed=True), restart, CERTAIN[0])
    assert restarted == Outcome(u if keep else Subscriber(wants=wants))
    assert protocol.actor.react("v1", u, restart, CERTAIN[0]) == Outcome(u)
