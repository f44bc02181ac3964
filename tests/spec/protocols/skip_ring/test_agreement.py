"""When a ring that publishes is right, and when it is not."""

import pytest
from msgspec.structs import replace

from gomboc.spec.core.faults import anchor_of, legitimacy_faults
from gomboc.spec.core.model import Received, Timeout
from gomboc.spec.core.protocol import configured
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.agreement import Anchor, held, missing
from gomboc.spec.protocols.skip_ring.state import FIELDS, SUPERVISOR, Entry, PublishNew, Subscriber, Supervisor
from gomboc.spec.publishing.exchange import CheckAndPublish, CheckTrie, Publish
from gomboc.spec.publishing.publications import Parameters, published
from gomboc.spec.publishing.trie import Summary
from tests.spec.protocols.skip_ring.reconciling import EVERY, PUBLISHING, THREE_BITS
from tests.spec.protocols.skip_ring.starts import database_of, right_states

HELD = EVERY[:3]
NEWS = EVERY[5]
FALSE_HASH = Summary("", "0" * 32)


def agreed(nodes, publications=HELD, outsiders=()):
    """Every node's local state in SR(nodes) where the members hold those publications."""
    states = right_states(nodes, outsiders)
    return {
        node: replace(local, publications=publications)
        if isinstance(local, Subscriber) and node not in outsiders
        else local
        for node, local in states.items()
    }


def rules(states, *in_flight):
    """The conjuncts that are false, each with its place."""
    return [(fault.rule, fault.node) for fault in legitimacy_faults(PUBLISHING, states, in_flight)]


def test_a_ring_is_right_whose_members_hold_the_same_valid_publications():
    assert rules(agreed(3)) == rules(agreed(1)) == rules(agreed(3, ())) == rules(agreed(0)) == []


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"hashes": (FALSE_HASH,)}, ["hashes_are_right"]),
        ({"publications": HELD[:2]}, ["tries_are_equal"]),
        ({"publications": (*HELD, NEWS)}, ["tries_are_equal"]),
        ({"publications": (*HELD[:2], replace(HELD[2], signer="v9"))}, ["publications_are_valid", "tries_are_equal"]),
        ({"label": None}, ["label_is_recorded"]),
    ],
)
def test_each_thing_that_is_wrong_with_a_member_is_a_fault_of_its_own(change, rule):
    states = agreed(3)
    wrong = {**states, "v2": replace(states["v2"], **change)}
    assert rules(wrong) == [(rule_name, "v2") for rule_name in rule]


def test_what_keep_should_have_dropped_is_a_fault_even_if_all_hold_it():
    keeping = configured(PROTOCOL, {"key_bits": 8, "keep": 1})
    parameters = Parameters(key_bits=8, keep=1)
    both = tuple(sorted(published("v1", number, "", parameters) for number in (0, 1)))
    faults = legitimacy_faults(keeping, agreed(2, both), ())
    assert [(fault.rule, fault.node) for fault in faults] == [("publications_are_valid", node) for node in ("v1", "v2")]
    assert legitimacy_faults(keeping, agreed(2, (published("v1", 1, "", parameters),)), ()) == ()


def test_what_the_first_member_lacks_is_found_at_the_others():
    states = agreed(3)
    states["v1"] = replace(states["v1"], publications=())
    assert rules(states) == [("tries_are_equal", "v2"), ("tries_are_equal", "v3")]


def test_one_that_is_not_recorded_may_hold_anything():
    states = agreed(3, outsiders=("w1",))
    states["w1"] = replace(states["w1"], publications=(replace(NEWS, key="000"),), hashes=(FALSE_HASH,))
    assert rules(states) == []


@pytest.mark.parametrize("protocol", [PROTOCOL, PUBLISHING], ids=["ring", "publishing"])
def test_a_crashed_node_is_at_fault_only_if_it_is_recorded(protocol):
    states = right_states(3, ("w1",))
    outside = {**states, "w1": Subscriber("0", wants=True, crashed=True)}
    assert legitimacy_faults(protocol, outside, ()) == ()
    inside = {**states, "v2": replace(states["v2"], crashed=True, hashes=(FALSE_HASH,) * (protocol is PUBLISHING))}
    assert [(fault.rule, fault.node) for fault in legitimacy_faults(protocol, inside, ())] == [
        ("no_crashed_member", "v2")
    ]


@pytest.mark.parametrize("protocol", [PROTOCOL, PUBLISHING], ids=["ring", "publishing"])
def test_a_suspect_may_not_be_recorded(protocol):
    states = right_states(3, ("w1",))
    suspecting = {**states, SUPERVISOR: Supervisor(database_of(3), suspects=("w1",))}
    assert legitimacy_faults(protocol, suspecting, ()) == ()
    suspecting[SUPERVISOR] = Supervisor(database_of(3), suspects=("v2", "w1"))
    (fault,) = legitimacy_faults(protocol, suspecting, ())
    assert (fault.rule, fault.node, fault.found) == ("no_suspect_recorded", SUPERVISOR, ["v2"])


@pytest.mark.parametrize("message", [Publish((HELD[0], NEWS)), PublishNew("v1", NEWS)])
def test_what_the_first_member_lacks_may_not_be_in_flight(message):
    assert rules(agreed(3), ("v2", message)) == [("nothing_new_in_flight", "v2")]
    assert rules(agreed(0), ("v2", message)) == []


@pytest.mark.parametrize(
    "message",
    [
        Publish(HELD),
        Publish(()),
        PublishNew("v1", HELD[0]),
        PublishNew("v1", replace(NEWS, signer="v9")),
        CheckTrie("v1", (FALSE_HASH, Summary("0", "1" * 32))),
        CheckAndPublish("v3", (FALSE_HASH,), "1"),
        CheckAndPublish("v3", (), ""),
    ],
)
def test_whatever_else_of_publications_is_in_flight_is_harmless_and_so_is_what_follows_from_it(message):
    states = agreed(3)
    in_flight = [("v2", message)]
    while in_flight:
        assert rules(states, *in_flight) == []
        target, taken = in_flight.pop()
        (choice,) = PUBLISHING.actor.choices(target, states[target], Received(taken))
        outcome = PUBLISHING.actor.react(target, states[target], Received(taken), choice)
        assert outcome.local == states[target]
        in_flight += [(send.target, send.message) for send in outcome.sends]


@pytest.mark.parametrize("nodes", range(1, 10))
def test_no_timeout_disturbs_a_ring_that_agrees(nodes):
    states = agreed(nodes)
    for node, local in states.items():
        for choice in PUBLISHING.actor.choices(node, local, Timeout()):
            outcome = PUBLISHING.actor.react(node, local, Timeout(), choice)
            sent = [(send.target, send.message) for send in outcome.sends]
            assert rules({**states, node: outcome.local}, *sent) == []


def test_the_authority_is_the_database_and_the_publications_of_the_lowest_label():
    states = agreed(3)
    states["v2"] = replace(states["v2"], publications=(NEWS,))
    assert anchor_of(PUBLISHING, states) == Anchor(database_of(3), HELD)
    swapped = tuple(sorted((Entry("0", "v2"), Entry("1", "v1"), Entry("01", "v3"))))
    assert anchor_of(PUBLISHING, {**states, SUPERVISOR: Supervisor(swapped)}) == Anchor(swapped, (NEWS,))
    assert anchor_of(PUBLISHING, {**states, SUPERVISOR: Supervisor()}) == Anchor(())
    assert anchor_of(PROTOCOL, states) == database_of(3)


def test_what_is_missing_is_counted_over_the_members_against_all_that_there_is():
    states = agreed(3, outsiders=("w1",))
    assert missing(states, (), THREE_BITS) == 0
    states["v2"] = replace(states["v2"], publications=HELD[:1])
    assert missing(states, (), THREE_BITS) == 2
    states["w1"] = replace(states["w1"], publications=(NEWS,))
    assert missing(states, (), THREE_BITS) == 5
    assert missing(states, [("v1", Publish((EVERY[6], replace(EVERY[7], key="000"))))], THREE_BITS) == 8
    assert held(states, THREE_BITS) == {*HELD, NEWS}
    states["w1"] = replace(states["w1"], crashed=True)
    assert held(states, THREE_BITS) == {*HELD}


def test_without_parameters_publications_and_hashes_are_malformed():
    for u in (Subscriber(publications=HELD), Subscriber(hashes=(FALSE_HASH,))):
        (fault,) = PROTOCOL.naming.malformed(u)
        assert (fault.rule, fault.source) == ("canonical", "Section 4.2")
        assert FIELDS.malformed(THREE_BITS, u) == ()
    assert PROTOCOL.naming.malformed(Publish(HELD)) == ()
