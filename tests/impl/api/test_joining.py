"""A node gets in by its contacts: it tries them in turn until it has taken part for some periods."""

import pytest

from gomboc.impl.api.joining import DOUBTED, SETTLED, Joining
from gomboc.impl.core.reasons import Reason, RefusedError


def after(contacts, *events):
    """A node with these contacts, and those it has met. An event is a period with neighbours, or +added, or -missing.

    One letter is the name of a node.
    """
    met = []
    there = Joining(contacts, met.append)
    for event in events:
        match event[:1]:
            case "+":
                there.add(event[1:])
            case "-":
                assert there.missing(event[1:])
            case _:
                there.end_period(event)
    return there.ready, there.alone, "".join(met)


@pytest.mark.parametrize(
    ("contacts", "events", "ready", "alone", "met"),
    [
        pytest.param("", [""], True, True, "", id="the first node is ready and alone and tries no node"),
        pytest.param("ab", ["c"] * (SETTLED - 1), False, False, "babab", id="contacts are tried in turn"),
        pytest.param("ab", ["c"] * SETTLED, True, False, "babab", id="until there were neighbours for some periods"),
        pytest.param("a", ["-a", "a"] * 12, False, True, "a" * 12, id="neighbours that are gone contacts are no node"),
        pytest.param("a", ["-a", "b"] * 12, False, False, "a" * 12, id="two that only know each other are not ready"),
        pytest.param("a", [*"b" * SETTLED, "-a", "b"], True, False, "a" * 5, id="a contact that goes later is nothing"),
        pytest.param("a", [*"b" * SETTLED, ""], False, True, "a" * 6, id="a node that is alone again begins anew"),
        pytest.param("a", ["-a", "+b", "", ""], False, True, "bba", id="a further contact is met at once and in turn"),
        pytest.param("a", ["-a", "+a", "a"], False, False, "aa", id="a gone contact that is added counts at once"),
        pytest.param("a", ["-a", *"a" * DOUBTED], False, True, "a" * 3, id="a contact that is gone does not count"),
        pytest.param("a", ["-a", *"a" * DOUBTED, "a"], False, False, "a" * 4, id="and counts again later"),
    ],
)
def test_a_node_is_ready_and_alone_and_meets_its_contacts_by_turns(contacts, events, ready, alone, met):
    assert SETTLED == 6
    assert after(contacts, *events) == (ready, alone, met)


def test_a_node_that_is_gone_and_is_no_contact_is_none():
    assert not Joining(["a"], print).missing("b")


def test_a_contact_that_is_refused_is_tried_again_in_its_turn_and_raises_nothing():
    tried = []

    def refuse(contact):
        tried.append(contact)
        if contact == "b":
            raise RefusedError(Reason.BAD_CONTACT, "no")

    there = Joining(("a", "b"), refuse)
    for _ in range(3):
        there.end_period(["c"])
    assert tried == ["b", "a", "b"]
