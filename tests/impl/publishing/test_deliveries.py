import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomboc.impl.core.reasons import Reason, RefusedError
from gomboc.impl.publishing.backlog import StoreBacklog
from gomboc.impl.publishing.deliveries import Counted, Deliveries, Policy, Queueing
from gomboc.impl.publishing.publication import Publication
from tests.impl.refusing import refusing


def publication(number):
    return Publication(f"{number:032b}", "ann", number, f"payload {number}", "ann")


class Store:
    """The holdings of a node, and deliveries that are told of all additions."""

    def __init__(self, policy, capacity, before=0):
        self.held = {publication_.key: publication_ for publication_ in map(publication, range(before))}
        self.looked = 0
        self.deliveries = Deliveries(
            Queueing(policy, capacity), tuple(self.held.values()), StoreBacklog(self.look, capacity)
        )

    def look(self):
        self.looked += 1
        return dict(self.held)

    def add(self, *numbers):
        for item in map(publication, numbers):
            self.held[item.key] = item
            self.deliveries.put(item)

    def drop(self, *numbers):
        for number in numbers:
            del self.held[publication(number).key]


def taken(deliveries):
    numbers = []
    while (publication := deliveries.take()) is not None:
        numbers.append(publication.number)
    return numbers


async def read(deliveries):
    return [publication.number async for publication in deliveries]


@pytest.mark.parametrize("policy", Policy)
def test_what_is_held_comes_first_then_what_comes_in_the_order_in_which_it_came(policy):
    store = Store(policy, 4, before=3)
    store.add(9, 7, 8)
    assert taken(store.deliveries) == [0, 1, 2, 9, 7, 8]
    assert store.deliveries.counted == Counted(delivered=6)


@pytest.mark.parametrize("policy", Policy)
def test_no_policy_drops_what_was_held_before(policy):
    store = Store(policy, 1, before=100)
    assert store.deliveries.counted == Counted(queued=100)
    assert taken(store.deliveries) == list(range(100))


def test_block_lets_deliveries_wait_in_the_store_and_loses_none():
    store = Store(Policy.BLOCK, 3)
    store.add(*range(10))
    assert store.deliveries.counted == Counted(queued=3, waiting=7)
    assert taken(store.deliveries) == list(range(10))
    assert store.deliveries.counted == Counted(delivered=10)


def test_deliveries_that_ended_are_not_over_while_one_waits_in_the_store():
    store = Store(Policy.BLOCK, 1)
    store.add(0, 1)
    store.deliveries.end()
    assert store.deliveries.take().number == 0
    assert not store.deliveries.over
    assert store.deliveries.take().number == 1
    assert store.deliveries.over


def test_block_keeps_the_order_when_there_is_room_again():
    store = Store(Policy.BLOCK, 2)
    store.add(0, 1, 2)
    assert store.deliveries.take().number == 0
    store.add(3)
    assert taken(store.deliveries) == [1, 2, 3]


def test_block_counts_as_dropped_what_retention_drops_while_it_waits():
    store = Store(Policy.BLOCK, 1)
    store.add(0, 1, 2, 3)
    store.drop(0, 1, 3)
    assert taken(store.deliveries) == [0, 2]
    assert store.deliveries.counted == Counted(delivered=2, dropped=2)


def test_block_remembers_no_more_than_the_store_holds_twice():
    store = Store(Policy.BLOCK, 5)
    for number in range(1_000):
        store.add(number)
        if number >= 20:
            store.drop(number - 20)
        assert store.deliveries.counted.waiting <= 2 * 20 + 5
    assert store.looked < 200
    first = taken(store.deliveries)
    assert first == [*range(5), *range(980, 1_000)]
    assert store.deliveries.counted == Counted(delivered=25, dropped=975)


def test_drop_oldest_keeps_the_newest():
    store = Store(Policy.DROP_OLDEST, 3)
    store.add(*range(10))
    assert store.deliveries.counted == Counted(queued=3, dropped=7)
    assert taken(store.deliveries) == [7, 8, 9]


def test_disconnect_gives_what_is_queued_and_then_the_refusal():
    store = Store(Policy.DISCONNECT, 2)
    store.add(0, 1, 2, 3)
    assert not store.deliveries.over

    async def main():
        iterator = aiter(store.deliveries)
        assert [(await anext(iterator)).number for _ in range(2)] == [0, 1]
        for _ in range(2):
            with pytest.raises(RefusedError) as refused:
                await anext(iterator)
            assert refused.value.reason is Reason.TOO_SLOW
            assert str(refused.value) == (
                "The queue is full and disconnects; open the deliveries again, and all that is held comes first."
            )

    asyncio.run(main())
    assert store.deliveries.over
    assert store.deliveries.counted == Counted(delivered=2, dropped=1)


@given(st.sampled_from(Policy), st.integers(1, 4), st.integers(0, 4), st.lists(st.integers(0, 3), max_size=40))
def test_everything_is_accounted_for_and_comes_once_and_in_order(policy, capacity, before, moves):
    store, came, next_ = Store(policy, capacity, before), [], before
    for move in moves:
        if move:
            store.add(next_)
            next_ += 1
        elif (taken_ := store.deliveries.take()) is not None:
            came.append(taken_.number)
    came += taken(store.deliveries)
    counted = store.deliveries.counted
    assert came == sorted(set(came))
    assert counted.delivered == len(came)
    assert counted.queued == counted.waiting == 0
    if policy is Policy.BLOCK:
        assert came == list(range(next_))
    if policy is not Policy.DISCONNECT:
        assert counted.delivered + counted.dropped == next_


@pytest.mark.parametrize("policy", Policy)
def test_any_node_that_waits_is_woken_by_a_delivery_and_by_the_end(policy):
    store = Store(policy, 2)

    async def main():
        reading = asyncio.create_task(read(store.deliveries))
        await asyncio.sleep(0)
        store.add(0)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        store.add(1)
        store.deliveries.end()
        return await reading

    assert asyncio.run(main()) == [0, 1]
    assert store.deliveries.over


def test_any_node_that_waits_is_woken_when_deliveries_are_closed():
    store = Store(Policy.BLOCK, 2)

    async def main():
        reading = asyncio.create_task(read(store.deliveries))
        await asyncio.sleep(0)
        store.deliveries.close()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert reading.done()
        return reading.result()

    assert asyncio.run(main()) == []


def test_what_is_queued_or_waits_comes_before_the_end():
    store = Store(Policy.BLOCK, 1)
    store.add(0, 1, 2)
    store.deliveries.end()
    store.add(3)
    assert not store.deliveries.over
    assert asyncio.run(read(store.deliveries)) == [0, 1, 2]
    assert store.deliveries.over


def test_closed_deliveries_end_at_once_and_count_what_was_not_taken():
    store = Store(Policy.BLOCK, 2, before=1)
    store.add(*range(1, 6))
    store.deliveries.close()
    assert asyncio.run(read(store.deliveries)) == []
    assert store.deliveries.over
    assert store.deliveries.counted == Counted(dropped=6)


@pytest.mark.parametrize("capacity", [0, -1])
def test_a_queue_without_room_is_refused(capacity):
    with refusing(f"A queue has room for 1 publication or more, not for {capacity}."):
        Queueing(Policy.BLOCK, capacity)


def test_counts_are_added_one_by_one():
    assert Counted(1, 2, 3, 4) + Counted(10, 20, 30, 40) == Counted(11, 22, 33, 44)
