"""The directory, rule by rule, and when it is right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gomboc.spec.core.faults import legitimacy_faults, premise_faults
from gomboc.spec.core.model import CERTAIN, Commanded
from gomboc.spec.core.protocol import configured
from gomboc.spec.layers.neighbourhood import Moved
from gomboc.spec.protocols.topic_directory import PROTOCOL
from gomboc.spec.protocols.topic_directory.rules import key_of, next_hop, react, responsible
from gomboc.spec.protocols.topic_directory.state import BLANK, Entry, Node

LETTERS = st.text("abc", min_size=1, max_size=3)
NEWS = "news"
ALONE = Node(True, (), (), ())


def take(local, taken, me="m"):
    return react(me, local, taken, CERTAIN[0])


@given(st.sets(LETTERS, min_size=1), LETTERS)
def test_from_any_node_that_knows_all_it_is_two_hops_to_whom_is_responsible(names, key):
    for me in names:
        way = [me]
        while (following := next_hop(way[-1], tuple(names - {way[-1]}), key)) is not None:
            way.append(following)
            assert len(way) <= 3
        assert way[-1] == responsible(tuple(names), key)


def test_a_node_is_no_neighbour_of_itself():
    with pytest.raises(ValueError, match=r"^node 'm' has no rule for "):
        take(ALONE, Commanded(Moved(("m",))))


def right():
    who = responsible(("a", "m"), key_of(NEWS))
    entry = (Entry(NEWS, "a"),)
    return {
        name: Node(True, tuple({"a", "m"} - {name}), (NEWS,), entry if name == who else ()) for name in ("a", "m")
    } | {"z": BLANK}


def test_an_entry_that_may_soon_expire_is_not_right_yet_and_one_of_no_age_is_not_canonical():
    protocol = configured(PROTOCOL, {"expires": 4})
    who = responsible(("a", "m"), key_of(NEWS))

    def faults(age):
        states = right()
        states[who] = replace(states[who], entries=(Entry(NEWS, "a", age),))
        return [fault.rule for fault in legitimacy_faults(protocol, states, ())]

    assert [faults(age) for age in (0, 2, 3)] == [[], [], ["contacts_are_heard"]]
    assert [fault.rule for fault in protocol.naming.malformed(Node(True, (), (), (Entry(NEWS, "a", -1),)))] == [
        "canonical"
    ]


def test_that_no_node_takes_part_in_too_many_topics_is_part_of_the_premise():
    states = {"m": Node(True, (), ("art", "news"), ())}
    rules = [
        [fault.rule for fault in premise_faults(configured(PROTOCOL, {"topics_of_contact": most}), states, ())]
        for most in (1, 2)
    ]
    assert rules == [["topics_are_few"], []]
