"""Promises over histories: each is violated by its counterexamples, and by no other history.

Source: Section 4.2
"""

import pytest

from gomboc.spec.protocols.delta_fault_tolerance.promises import OBSERVERS, nothing_twice, publisher_order

WANTED = [["x", "=", 1]]
BY_NAME = {observer.name: observer for observer in OBSERVERS}


def publication(count, attributes=(("x", 1),), filters=(WANTED,), incarnation=0):
    return {
        "kind": "Publication",
        "id": ["p", incarnation, count],
        "attributes": [list(attribute) for attribute in attributes],
        "filters": list(filters),
    }


def published(count):
    return {"kind": "Published", "id": ["p", 0, count], "attributes": [["x", 1]]}


def confirmed(count):
    return {"kind": "Confirmed", "id": ["p", 0, count]}


def status(value):
    return {"kind": "Status", "status": value}


SUBSCRIBED = {"kind": "Subscribed", "filter": WANTED}
ENDING = {"kind": "Unsubscribing", "filter": WANTED}


def faults(name, *deliveries):
    """The rules that these deliveries to nodes violate."""
    observer, seen, rules = BY_NAME[name], {}, []
    for node, delivered in deliveries:
        observed = observer.sees(node)
        seen[observed], wrong = observer.observe(node, seen.get(observed, observer.blank), delivered)
        hash(seen[observed])
        rules += [fault.rule for fault in wrong]
    return rules


def at(node, *deliveries):
    return [(node, delivery) for delivery in deliveries]


@pytest.mark.parametrize(
    ("name", "deliveries", "rules"),
    [
        ("only_what_matches", at("s", publication(1)), []),
        ("only_what_matches", at("s", publication(1, (("x", 2),))), ["delivered_matches"]),
        ("only_what_matches", at("s", publication(1, filters=())), ["delivered_matches"]),
        ("nothing_twice", at("s", publication(1), publication(2)), []),
        ("nothing_twice", at("s", publication(1), publication(1)), ["delivered_once"]),
        ("nothing_twice", at("s", publication(1), status("failed"), publication(1)), []),
        ("nothing_twice", at("s", publication(1)) + at("t", publication(1)), []),
        ("nothing_twice", at("s", publication(1), publication(1, incarnation=1)), []),
        ("nothing_twice", at("s", publication(1), *[publication(1, incarnation=1)] * 2), ["delivered_once"]),
        ("publisher_order", at("s", publication(1), publication(2)), []),
        ("publisher_order", at("s", publication(2), publication(1, incarnation=1)), []),
        ("publisher_order", at("s", publication(1, incarnation=1), publication(2)), ["delivered_in_order"]),
        ("publisher_order", at("s", publication(2), publication(1)), ["delivered_in_order"]),
    ],
)
def test_a_broker_is_delivered_what_matches_once_and_in_order(name, deliveries, rules):
    assert faults(name, *deliveries) == rules


SETS_OUT = at("s", SUBSCRIBED) + at("p", published(1))
CONFIRMED = at("p", confirmed(1))


@pytest.mark.parametrize(
    ("deliveries", "lost"),
    [
        (SETS_OUT + at("s", publication(1)) + CONFIRMED, False),
        (SETS_OUT + CONFIRMED, True),
        (at("p", published(1)) + at("s", SUBSCRIBED) + CONFIRMED, False),
        (SETS_OUT + at("s", status("failed")) + CONFIRMED, False),
        (SETS_OUT + at("s", ENDING) + CONFIRMED, False),
        (at("s", status("failed")) + SETS_OUT + CONFIRMED, False),
        (at("s", status("failed"), status("operational")) + SETS_OUT + CONFIRMED, True),
        (SETS_OUT + at("p", status("failed")) + CONFIRMED, False),
        (SETS_OUT + at("t", publication(1)) + CONFIRMED, True),
    ],
)
def test_once_confirmed_a_publication_has_been_delivered_to_any_node_that_had_subscribed_and_is_there(deliveries, lost):
    assert faults("no_loss", *deliveries) == ["confirmed_was_delivered"] * lost


def of(stamp):
    return {"kind": "Publication", "id": ["a", *stamp], "attributes": [], "filters": [[]]}


@pytest.mark.parametrize(
    ("stamps", "twice", "order"),
    [
        ([(0, 2), (1, 2)], False, False),
        ([(0, 2), (1, 1)], False, False),
        ([(1, 2), (1, 2)], True, False),
        ([(0, 2), (1, 1), (0, 3)], False, True),
        ([(1, 1), (0, 1)], False, True),
    ],
)
def test_a_publisher_that_was_restarted_counts_anew_and_is_still_held_to_its_promises(stamps, twice, order):
    for observe, expected in ((nothing_twice, twice), (publisher_order, order)):
        seen, violations = (), []
        for stamp in stamps:
            seen, faults = observe("b", seen, of(stamp))
            violations += faults
        assert bool(violations) == expected
