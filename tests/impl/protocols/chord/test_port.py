"""Chord behind the interface of applications: nodes that join through each other, and look keys up."""

import pytest

from gomboc.impl.api.overlays import overlay
from gomboc.impl.api.recording import Recording
from gomboc.impl.core.reasons import Reason
from tests.impl.in_memory import InMemory
from tests.impl.protocols.chord.systems import successors_of
from tests.impl.protocols.chord.test_lookups import hashed
from tests.impl.refusing import refused

NAMES = ["ann", "ben", "cai", "dan", "eve"]
TOPIC = "ring"


class System(InMemory):
    def __init__(self, parameters=None):
        chord = overlay("chord", parameters)
        super().__init__(chord, 1, Recording(chord, {"seed": 1}))
        for name in NAMES:
            self.start(name)

    def joined(self):
        for name in NAMES:
            self.nodes[name].subscribe(TOPIC, via=NAMES[0])
        self.clock.advance(20)
        return self

    def owners(self, keys):
        """The owners of these keys, as a node is told each."""
        owners = []
        for number, key in enumerate(keys):
            self.nodes[NAMES[number % 3]].look_up(TOPIC, key, lambda *answer: owners.append(answer))
        self.clock.advance(10)
        assert len(owners) == len(keys)
        return dict(owners)


def right(keys, names, bits=256):
    ids = {name: hashed(name) % 2**bits for name in names}
    return {key: successors_of(hashed(key) % 2**bits, ids, bits)[0] for key in keys}


KEYS = [f"song {number}" for number in range(40)]


@pytest.mark.parametrize("parameters", [None, {"bits": 10, "r": 2}])
def test_any_node_that_asks_hears_a_node_that_owns_a_key(parameters):
    bits = 256 if parameters is None else 10
    expected = right(KEYS, NAMES, bits)
    assert len(set(expected.values())) > 3
    assert System(parameters).joined().owners(KEYS) == expected


def test_after_some_have_left_their_keys_have_other_owners():
    there = System().joined()
    there.nodes["eve"].unsubscribe(TOPIC)
    there.clock.advance(20)
    assert there.owners(KEYS) == right(KEYS, NAMES[:-1])


def test_after_one_has_crashed_its_keys_have_other_owners():
    there = System().joined()
    there.nodes["eve"].stop()
    there.clock.advance(20)
    assert there.owners(KEYS) == right(KEYS, NAMES[:-1])


def test_all_that_ask_for_one_key_are_answered_each_once():
    there, heard = System().joined(), []
    for number in range(3):
        there.nodes["ben"].look_up(TOPIC, "song", lambda key, owner, number=number: heard.append((number, key, owner)))
    there.clock.advance(10)
    there.nodes["ben"].look_up(TOPIC, "song", lambda *answer: None)
    there.clock.advance(10)
    owner = right(["song"], NAMES)["song"]
    assert heard == [(number, "song", owner) for number in range(3)]


def test_a_node_that_has_left_hears_no_answers():
    there, heard = System().joined(), []
    for key in KEYS:
        there.nodes["ben"].look_up(TOPIC, key, lambda *answer: heard.append(answer))
    before = len(heard)
    there.nodes["ben"].unsubscribe(TOPIC)
    there.clock.advance(10)
    assert len(heard) == before < len(KEYS)


def test_a_member_to_join_through_has_to_be_named():
    node = System().nodes["ann"]
    assert refused(node.subscribe, TOPIC) == (
        Reason.BAD_CONTACT,
        "This overlay is joined through a member: name one.",
    )
    assert node.topics == ()


def test_nothing_is_published_or_read():
    node = System().joined().nodes["ann"]
    expected = Reason.CANNOT_PUBLISH, "Nothing is published on this overlay."
    assert refused(node.publish, TOPIC, "x") == expected
    assert refused(node.deliveries, TOPIC) == expected
    assert refused(node.history, TOPIC) == expected
    assert node.counters(TOPIC).refused == {Reason.CANNOT_PUBLISH: 3}


def test_a_key_is_text_and_only_a_node_that_takes_part_looks_it_up():
    there = System().joined()
    assert refused(there.nodes["ann"].look_up, TOPIC, "\ud800", print)[0] is Reason.BAD_PAYLOAD
    assert refused(there.nodes["ann"].look_up, "other", "song", print)[0] is Reason.NOT_SUBSCRIBED


def test_nodes_with_other_parameters_are_strangers_but_defaults_may_be_written_out():
    agreements = [overlay("chord", parameters).agreement for parameters in (None, {"r": 3}, {"r": 2})]
    assert agreements[0] == agreements[1] != agreements[2]
