"""The directory, rule by rule, and when it is right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gomboc.spec.core.faults import legitimacy_faults, premise_faults
from gomboc.spec.core.model import CERTAIN, Commanded, Outcome, Received, Send, Timeout
from gomboc.spec.core.protocol import configured
from gomboc.spec.layers.neighbourhood import Moved, Stayed
from gomboc.spec.protocols.topic_directory import PROTOCOL
from gomboc.spec.protocols.topic_directory.rules import key_of, next_hop, react, responsible
from gomboc.spec.protocols.topic_directory.state import (
    BLANK,
    Announce,
    Ask,
    Deny,
    Enter,
    Entry,
    Meet,
    Met,
    Node,
    Retract,
    Say,
)
from gomboc.spec.types.kinds import Crash

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


def test_the_least_that_is_said_stays_and_any_other_one_meets_it():
    there = take(ALONE, Received(Say(NEWS, "x"))).local
    assert there.entries == (Entry(NEWS, "x"),)
    assert take(there, Received(Say(NEWS, "a"))).local.entries == (Entry(NEWS, "a"),)
    assert take(there, Received(Say(NEWS, "z"))).sends == (Send("z", Meet(NEWS, "x")),)


def test_a_node_that_is_not_responsible_passes_on_what_is_said_and_gives_its_entries_away():
    greatest = Node(True, ("zz",), (), (Entry(NEWS, "x"),)) if key_of(NEWS) >= "zz" else None
    assert greatest is None
    assert key_of(NEWS) < "m"
    there = Node(True, ("b",), (), (Entry(NEWS, "x"),))
    passed = take(there, Timeout())
    assert passed.local.entries == ()
    assert passed.sends == (Send("b", Say(NEWS, "x")),)


def test_a_contact_is_asked_and_forgotten_when_it_denies():
    there = Node(True, (), (), (Entry(NEWS, "x"),))
    assert take(there, Timeout()).sends == (Send("x", Ask(NEWS, "m")),)
    denied = take(ALONE, Received(Ask(NEWS, "m")), "x").sends
    assert denied == (Send("m", Deny(NEWS, "x")),)
    assert take(there, Received(denied[0].message)).local == ALONE
    assert take(BLANK, Received(Ask(NEWS, "m")), "x").sends == denied


def test_a_denial_that_comes_late_forgets_no_other_contact():
    there = Node(True, (), (), (Entry(NEWS, "a"), Entry("sport", "x")))
    assert take(there, Received(Deny(NEWS, "x"))) == Outcome(there)


def test_the_application_hears_of_the_contact_of_its_own_topics_only():
    member = take(ALONE, Commanded(Announce(NEWS))).local
    assert take(member, Received(Meet(NEWS, "x"))).delivered == (Met(NEWS, "x"),)
    assert take(member, Received(Meet(NEWS, "m"))).delivered == ()
    assert take(take(member, Commanded(Retract(NEWS))).local, Received(Meet(NEWS, "x"))).delivered == ()


def test_a_node_that_is_responsible_hears_of_a_smaller_contact_only_if_it_takes_part():
    there = Node(True, (), (NEWS,), (Entry(NEWS, "a"),))
    assert take(there, Received(Say(NEWS, "m"))).delivered == (Met(NEWS, "a"),)
    retracted = take(there, Commanded(Retract(NEWS))).local
    assert take(retracted, Received(Say(NEWS, "m"))) == Outcome(retracted)


def test_a_node_that_is_responsible_and_takes_part_no_more_is_its_own_contact_no_more():
    assert take(Node(True, (), (), (Entry(NEWS, "m"),)), Timeout()) == Outcome(ALONE)


def test_a_member_says_in_each_period_that_it_takes_part():
    assert take(Node(True, ("b",), (NEWS,), ()), Timeout()).sends == (Send("b", Say(NEWS, "m")),)
    assert take(Node(True, (), (NEWS,), ()), Timeout()).local.entries == (Entry(NEWS, "m"),)


def test_a_node_that_takes_part_denies_nothing():
    member = Node(True, (), (NEWS,), ())
    assert take(member, Received(Ask(NEWS, "a"))) == Outcome(member)


def test_a_node_that_does_not_belong_to_the_directory_takes_part_in_no_topic():
    away = Node(False, (), (NEWS,), ())
    assert take(away, Received(Ask(NEWS, "a"))).sends == (Send("a", Deny(NEWS, "m")),)
    assert take(away, Received(Meet(NEWS, "a"))).delivered == ()
    assert take(away, Received(Say(NEWS, "a"))) == Outcome(away)
    assert take(away, Timeout()) == Outcome(away)


@pytest.mark.parametrize(
    ("command", "after"),
    [
        (Enter(), Node(True, ("a",), ("music", NEWS), (Entry(NEWS, "a"),))),
        (Announce("art"), Node(True, ("a",), ("art", "music", NEWS), (Entry(NEWS, "a"),))),
        (Retract(NEWS), Node(True, ("a",), ("music",), (Entry(NEWS, "a"),))),
        (Moved(("b",)), Node(True, ("b",), ("music", NEWS), (Entry(NEWS, "a"),))),
        (Stayed(()), Node(True, (), ("music", NEWS), (Entry(NEWS, "a"),))),
        (Crash(), BLANK),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_a_command_changes(command, after):
    before = Node(True, ("a",), ("music", NEWS), (Entry(NEWS, "a"),))
    assert take(before, Commanded(command)) == Outcome(after)


def test_a_node_is_no_neighbour_of_itself():
    with pytest.raises(ValueError, match=r"^node 'm' has no rule for "):
        take(ALONE, Commanded(Moved(("m",))))


def right():
    who = responsible(("a", "m"), key_of(NEWS))
    entry = (Entry(NEWS, "a"),)
    return {
        name: Node(True, tuple({"a", "m"} - {name}), (NEWS,), entry if name == who else ()) for name in ("a", "m")
    } | {"z": BLANK}


def test_right_is_the_least_member_at_the_one_that_is_responsible_and_nothing_false_on_its_way():
    assert legitimacy_faults(PROTOCOL, right(), (("a", Say(NEWS, "m")), ("m", Meet(NEWS, "a")))) == ()
    assert premise_faults(PROTOCOL, right(), ()) == ()
    (fault,) = legitimacy_faults(PROTOCOL, right(), (("a", Say("sport", "m")),))
    assert fault.rule == "tracked_nodes_take_part"
    wrong = {
        "tracked_nodes_take_part": ("a", Say(NEWS, "z")),
        "contact_is_current": ("a", Meet(NEWS, "m")),
        "contact_is_not_denied": ("a", Deny(NEWS, "a")),
    }
    for rule, sent in wrong.items():
        assert [fault.rule for fault in legitimacy_faults(PROTOCOL, right(), (sent,))] == [rule]
    lost = right() | {"a": Node(True, ("m", "z"), (NEWS,), ())}
    assert {fault.rule for fault in legitimacy_faults(PROTOCOL, lost, ())} == {
        "entries_are_right",
        "neighbours_are_live",
    }
    assert [fault.rule for fault in premise_faults(PROTOCOL, lost, ())] == ["neighbours_are_live"]


def expiring(local, taken, me="m"):
    return react(me, local, taken, CERTAIN[0], expires=3)


def test_a_contact_that_is_silent_for_too_long_is_forgotten_and_one_that_is_heard_is_not():
    there = Node(True, (), (), (Entry(NEWS, "x"),))
    once = expiring(there, Timeout())
    assert once == Outcome(Node(True, (), (), (Entry(NEWS, "x", 1),)), (Send("x", Ask(NEWS, "m")),))
    twice = expiring(once.local, Timeout()).local
    assert twice.entries == (Entry(NEWS, "x", 2),)
    assert expiring(twice, Timeout()) == Outcome(ALONE)
    assert expiring(twice, Received(Say(NEWS, "x"))).local == there
    assert expiring(twice, Received(Say(NEWS, "y"))).local == twice
    assert expiring(twice, Received(Deny(NEWS, "x"))).local == ALONE


def test_a_node_is_never_too_silent_for_itself():
    there = Node(True, (), (NEWS,), (Entry(NEWS, "m"),))
    assert expiring(there, Timeout()).local == there


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


@pytest.mark.parametrize("expires", [1, "2", 2.5])
def test_a_time_to_expire_that_makes_no_sense_is_refused(expires):
    with pytest.raises(ValueError, match=r"^expires must be null, or a number of periods from 2 on: "):
        configured(PROTOCOL, {"expires": expires})
