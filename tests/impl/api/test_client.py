"""Clients of a node: what they want is delivered to each once and in order; the rest is refused."""

import asyncio

import pytest

from gomboc.impl.core.reasons import Reason
from gomboc.impl.publishing.deliveries import Counted, Policy, Queueing
from tests.impl.brokers import CHEAP, FRUIT, Brokers, taken
from tests.impl.refusing import refused
from tests.impl.system import assert_holds


def test_what_matches_comes_once_and_in_its_publishers_order(tmp_path):
    there, known, confirmed = Brokers(), [], []
    reader, writer = there["a.b.c"].attach(), there["a.d"].attach()
    deliveries = reader.deliveries()
    wanted = reader.subscribe([*FRUIT, *CHEAP, *CHEAP], known.append)
    assert wanted == (("kind", "=", "fruit"), ("price", "<", 10))
    there.run()
    assert known == [wanted]
    ids = [writer.publish({"price": number, "kind": "fruit"}, confirmed.append) for number in range(8, 12)]
    writer.publish({"price": 1})
    there.run()
    assert [(delivery.id, delivery.filters) for delivery in iter(deliveries.take, None)] == [
        (delivery, (wanted,)) for delivery in ids[:2]
    ]
    assert sorted(ids) == ids == sorted(confirmed)
    assert_holds(there.judged(tmp_path))


def test_numbers_are_compared_as_such_and_a_boolean_is_none(tmp_path):
    there, known = Brokers(), []
    writer, got = there["a.d"].attach(), {}
    for name, predicates in (
        ("one", [("x", "=", 1.0)]),
        ("true", [("x", "=", True)]),
        ("less", [("x", "<", 1.5)]),
        ("false or true", [("x", ">=", False)]),
    ):
        reader = there["a.b.c"].attach()
        got[name] = reader.deliveries()
        known.append(reader.subscribe(predicates))
    there.run()
    assert len(set(known)) == 4, "equal as Python's own values, and yet two filters"
    for value in (1, 1.0, True, 1.25, 2, False):
        writer.publish({"x": value})
    there.run()
    values = {name: [attributes["x"] for attributes in taken(deliveries)] for name, deliveries in got.items()}
    assert values == {"one": [1, 1], "true": [True], "less": [1, 1, 1.25], "false or true": [True, False]}
    assert [type(value) for name in ("one", "true") for value in values[name]] == [int, int, bool]
    assert_holds(there.judged(tmp_path))


def test_an_application_iterates_over_its_deliveries():
    async def main():
        there = Brokers(("a", "a.b"))
        reader = there["a.b"].attach()
        deliveries = reader.deliveries()
        reader.subscribe([])
        there.run()
        there["a"].attach().publish({"x": 1})
        there.run()
        there["a.b"].stop()
        return [publication.attributes async for publication in deliveries]

    assert asyncio.run(main()) == [{"x": 1}]


def test_each_client_of_a_node_is_delivered_what_it_wants_itself():
    there, known = Brokers(), []
    cheap, fruit = there["a"].attach(), there["a"].attach()
    for_cheap, for_fruit = cheap.deliveries(), fruit.deliveries()
    cheap.subscribe(CHEAP, known.append)
    there.run()
    for predicates in (CHEAP, FRUIT):
        fruit.subscribe(predicates, known.append)
    assert len(known) == 2, "what the node is subscribed to already is confirmed at once"
    there.run()
    assert len(known) == 3
    apple, stone = {"kind": "fruit", "price": 3}, {"kind": "stone", "price": 2}
    for predicates in (apple, stone):
        there["a.d"].attach().publish(predicates)
    there.run()
    assert (taken(for_cheap), taken(for_fruit)) == ([apple, stone], [apple, stone])
    cheap.unsubscribe(CHEAP)
    fruit.unsubscribe(FRUIT)
    there["a"].attach().publish(stone)
    assert (taken(for_cheap), taken(for_fruit)) == ([], [stone])
    fruit.detach()
    there["a.d"].attach().publish(apple)
    there.run()
    assert for_fruit.over
    assert there["a"].kept["left"]["own"] == []
    assert there["a"].counters().deliveries == Counted(delivered=5)


def test_any_node_that_wants_a_filter_once_more_is_not_told_again_that_it_is_known():
    there, known = Brokers(), []
    client = there["a"].attach()
    client.subscribe(CHEAP, known.append)
    there.run()
    client.subscribe(CHEAP)
    assert len(known) == 1


def test_publications_that_waited_are_confirmed_each_with_its_own_id():
    there, confirmed = Brokers(), []
    back = there.come_back("a.b", there.crash("a.b"))
    writer = back.attach()
    for price in (1, 2):
        assert writer.publish({"price": price}, lambda id_, price=price: confirmed.append((price, id_))) is None
    there.run()
    assert [price for price, _ in sorted(confirmed, key=lambda item: item[1])] == [1, 2]


@pytest.mark.parametrize(
    ("policy", "expected", "counted"),
    [
        (Policy.BLOCK, list(range(9)), Counted(queued=2, waiting=7)),
        (Policy.DROP_OLDEST, [7, 8], Counted(queued=2, dropped=7)),
        (Policy.DISCONNECT, [0, 1], Counted(queued=2, dropped=1)),
    ],
)
def test_a_client_that_takes_nothing_stops_no_node(policy, expected, counted):
    there = Brokers(queueing=Queueing(policy, 2))
    idle, busy = there["a.b"].attach(), there["a.b.c"].attach()
    for_idle, for_busy, got = idle.deliveries(), busy.deliveries(), []
    for attributes in (idle, busy):
        attributes.subscribe([])
    there.run()
    for number in range(9):
        there["a"].attach().publish({"number": number})
        there.run(2)
        got += taken(for_busy)
    assert [attributes["number"] for attributes in got] == list(range(9))
    assert idle.counted == counted
    assert [attributes["number"] for attributes in taken(for_idle)] == expected


@pytest.mark.parametrize(
    ("predicates", "sentence"),
    [
        ([("x", "~", 1)], "Invalid enum value '~' - at `$[0][1]`."),
        ([("x", "<", 1), ("x", "prefix", "a")], "'x' would have to be a number and a text."),
        ([("x", "exists", 1)], "'exists' of 'x' has a value."),
        ([("x", "<", 1), ("x", "=", True)], "'x' would have to be a boolean and a number."),
        ([("x", "=", float("nan"))], "a number is finite, and 'x' would be nan."),
        ([("x", "=")], "Expected `array` of at least length 3, got 2 - at `$[0]`."),
        (7, "Expected `array`, got `int`."),
    ],
)
def test_a_filter_that_is_none_is_refused(predicates, sentence):
    node = Brokers()["a"]
    client = node.attach()
    for call in (client.subscribe, client.unsubscribe):
        assert refused(call, predicates) == (Reason.BAD_FILTER, f"This is not a filter: {sentence}")
    assert node.counters().refused == {Reason.BAD_FILTER: 2}
    assert client.filters == ()


NO_MAPPING = "A publication has at least one attribute: give a mapping from names to numbers, texts or booleans."


@pytest.mark.parametrize(
    ("attributes", "sentence"),
    [
        ({}, NO_MAPPING),
        ([("x", 1)], NO_MAPPING),
        ({"x": float("nan")}, "These are not attributes: a number is finite, and 'x' would be nan."),
        ({"x": -float("inf")}, "These are not attributes: a number is finite, and 'x' would be -inf."),
        ({"x": None}, "These are not attributes: Expected `int | float | str | array`, got `null` - at `$[0][1]`."),
        ({"x": 2**53}, "These are not attributes: Expected `int` <= 9007199254740991 - at `$[0][1]`."),
        ({1: 2}, "These are not attributes: Expected `str`, got `int` - at `$[0][0]`."),
    ],
)
def test_a_publication_without_attributes_that_make_sense_is_refused(attributes, sentence):
    client = Brokers()["a"].attach()
    assert refused(client.publish, attributes) == (Reason.BAD_ATTRIBUTES, sentence)


def test_what_a_client_does_not_want_it_cannot_give_up():
    client = Brokers()["a"].attach()
    says = "This client is not subscribed to [('price', '<', 10)]; subscribe to it first."
    assert refused(client.unsubscribe, CHEAP) == (Reason.NOT_SUBSCRIBED, says)


def test_a_whole_number_above_what_integers_may_be_stays_a_number_with_a_fraction():
    (((_, _, value),),) = [Brokers()["a"].attach().subscribe([("x", "=", 2.0**53)])]
    assert (value, type(value)) == (2.0**53, float)
