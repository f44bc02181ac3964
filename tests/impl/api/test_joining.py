"""A node gets in by its contacts: it tries them in turn until it has taken part for some periods."""

from gomboc.impl.api.joining import DOUBTED, SETTLED, Joining
from gomboc.impl.core.reasons import Reason, RefusedError


def joining(*contacts):
    met = []
    return Joining(contacts, met.append), met


def test_the_first_node_is_ready_and_alone_and_tries_no_node():
    there, met = joining()
    there.end_period([])
    assert (there.ready, there.alone, met) == (True, True, [])


def test_contacts_are_tried_in_turn_until_the_node_has_had_neighbours_for_some_periods():
    there, met = joining("a", "b")
    for _ in range(SETTLED - 1):
        there.end_period(["c"])
    assert not there.ready
    assert met == ["b", "a", "b", "a", "b"]
    there.end_period(["c"])
    assert (there.ready, there.alone, len(met)) == (True, False, 5)


def test_neighbours_that_are_gone_contacts_are_no_node():
    there, met = joining("a")
    for _ in range(2 * SETTLED):
        assert there.missing("a")
        there.end_period(["a"])
    assert (there.ready, there.alone) == (False, True)
    assert met == ["a"] * 2 * SETTLED


def test_two_that_know_only_each_other_and_a_contact_that_is_gone_are_not_ready():
    there, _ = joining("a")
    for _ in range(2 * SETTLED):
        there.missing("a")
        there.end_period(["other"])
    assert (there.ready, there.alone) == (False, False)


def test_a_contact_that_goes_after_the_node_was_ready_changes_nothing():
    there, _ = joining("a")
    for _ in range(SETTLED):
        there.end_period(["b"])
    there.missing("a")
    there.end_period(["b"])
    assert there.ready


def test_a_node_that_is_alone_again_begins_anew():
    there, met = joining("a")
    for _ in range(SETTLED):
        there.end_period(["b"])
    met.clear()
    there.end_period([])
    assert (there.ready, there.alone, met) == (False, True, ["a"])


def test_a_further_contact_is_met_at_once_and_then_in_turn():
    there, met = joining("a")
    there.missing("a")
    there.add("b")
    there.end_period([])
    there.end_period([])
    assert met == ["b", "b", "a"]
    assert not there.missing("c")


def test_a_contact_that_was_gone_and_is_added_again_counts_at_once():
    there, met = joining("a")
    there.missing("a")
    there.add("a")
    there.end_period(["a"])
    assert (there.alone, met) == (False, ["a", "a"])


def test_a_contact_that_is_gone_counts_again_after_some_periods():
    there, _ = joining("a")
    there.missing("a")
    for _ in range(DOUBTED):
        there.end_period(["a"])
        assert there.alone
    there.end_period(["a"])
    assert not there.alone


def test_a_node_that_is_gone_and_is_no_contact_is_none():
    there, _ = joining("a")
    assert not there.missing("b")


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
