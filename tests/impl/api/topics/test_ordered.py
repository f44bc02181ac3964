import asyncio
from typing import Any

import pytest

from gomboc.impl.core.reasons import Reason, RefusedError
from gomboc.impl.publishing.deliveries import Policy, Queueing
from gomboc.impl.publishing.ordering import Missing
from gomboc.impl.publishing.publication import Publication
from tests.impl.members import NAMES, OVERLAYS, Members

FIRST = 2**21


def take_all(deliveries: Any) -> list[Any]:
    return list(iter(deliveries.take, None))


def by_publisher(items: list[Any]) -> dict[str, list[int]]:
    numbers: dict[str, list[int]] = {}
    for item in items:
        assert isinstance(item, Publication), item
        numbers.setdefault(item.publisher, []).append(item.number)
    return numbers


@pytest.mark.parametrize(("name", "parameters"), OVERLAYS)
def test_each_publishers_order_holds_on_every_overlay_and_over_a_restart(name, parameters):
    there = Members(name, 4, **parameters)
    readers = {member: node.deliveries("news", ordered=True) for member, node in there.nodes.items()}
    unordered = there[0].deliveries("news")
    published: dict[str, list[int]] = {member: [] for member in NAMES}
    for number in range(30):
        publisher = there[1 + number % 2]
        published[publisher.name].append(publisher.publish("news", f"{number}").number)
        there.run(0.05)
    there.run()
    there[2].stop()
    del readers[NAMES[2]]
    there.run()
    there.start(NAMES[2], incarnation=2).subscribe("news")
    there.run()
    for number in range(5):
        published[NAMES[2]].append(there[2].publish("news", f"again {number}").number)
    there.run()
    readers[NAMES[2]] = there[2].deliveries("news", ordered=True)
    owed = {member: numbers for member, numbers in published.items() if numbers}
    assert {len(numbers) for numbers in owed.values()} == {15, 20}
    for reader in readers.values():
        assert by_publisher(take_all(reader)) == owed
    if not parameters:
        # Otherwise the network would have kept the order by itself.
        came = by_publisher(take_all(unordered))
        assert came != owed
        assert {member: sorted(numbers) for member, numbers in came.items()} == owed


@pytest.mark.parametrize(("name", "parameters"), OVERLAYS)
def test_what_retention_dropped_before_a_member_came_is_missing(name, parameters):
    there = Members(name, 2, keep=3, **parameters)
    for number in range(10):
        there[1].publish("news", f"{number}")
        there.run(1)
    there.run()
    late = there.start(NAMES[2])
    late.subscribe("news")
    deliveries = late.deliveries("news", ordered=True, patience=None)
    there.run()
    first, *others = take_all(deliveries)
    assert first == Missing(NAMES[1], FIRST, FIRST + 6)
    assert [one.number for one in others] == [FIRST + 7, FIRST + 8, FIRST + 9]


def hand(node: Any, *numbers: int) -> None:
    for number in numbers:
        node._reading.put("news", Publication(f"{number:032b}", "zoe", number, f"{number}", "zoe"))


def test_a_gap_ends_by_the_clock_of_the_node_and_wakes_the_reader():
    async def main() -> None:
        there = Members("skip_ring", 1)
        deliveries = there[0].deliveries("news", ordered=True, patience=5.0)
        hand(there[0], FIRST + 1)
        waiting = asyncio.create_task(anext(deliveries))
        await asyncio.sleep(0)
        await there.clock.pass_by(4.9)
        assert not waiting.done()
        assert deliveries.held_back == 1
        await there.clock.pass_by(0.2)
        assert await waiting == Missing("zoe", FIRST, FIRST)
        assert (await anext(deliveries)).payload == f"{FIRST + 1}"

    asyncio.run(main())


def test_deliveries_that_end_give_what_is_held_back_first():
    there = Members("skip_ring", 1)
    deliveries = there[0].deliveries("news", ordered=True)
    hand(there[0], FIRST + 1)
    assert (take_all(deliveries), deliveries.over) == ([], False)
    there[0].unsubscribe("news")

    async def read() -> list[Any]:
        return [item async for item in deliveries]

    assert [type(item) for item in asyncio.run(read())] == [Missing, Publication]
    assert deliveries.over


def test_deliveries_that_are_closed_give_nothing_more():
    there = Members("skip_ring", 1)
    deliveries = there[0].deliveries("news", ordered=True)
    hand(there[0], FIRST, FIRST + 2)
    assert [item.number for item in take_all(deliveries)] == [FIRST]
    deliveries.close()
    assert (take_all(deliveries), deliveries.over) == ([], True)


@pytest.mark.parametrize("policy", Policy)
def test_every_policy_keeps_the_order(policy):
    there = Members("skip_ring", 1, queueing=Queueing(policy, 2))
    deliveries = there[0].deliveries("news", ordered=True, patience=None)
    for number in range(5):
        there[0].publish("news", f"{number}")
    items = [item.number if isinstance(item, Publication) else item for item in take_all(deliveries)]
    if policy is Policy.BLOCK:
        assert items == [FIRST + number for number in range(5)]
    elif policy is Policy.DROP_OLDEST:
        assert items == [Missing(NAMES[0], FIRST, FIRST + 2), FIRST + 3, FIRST + 4]
    else:
        assert items == [FIRST, FIRST + 1]
        with pytest.raises(RefusedError) as error:
            asyncio.run(anext(deliveries))
        assert error.value.reason is Reason.TOO_SLOW
