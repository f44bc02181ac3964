import asyncio
from typing import Any

import pytest

from gomboc.impl.core.reasons import Reason, RefusedError
from tests.impl.brokers import CHEAP, Brokers
from tests.impl.members import while_time_passes
from tests.impl.refusing import refusing


def test_a_coroutine_subscribes_publishes_and_detaches():
    there = Brokers()

    async def main() -> Any:
        await there["a.d"].joined(timeout=5)
        async with there["a.b.c"].session() as reader, there["a.d"].session() as writer:
            deliveries = reader.deliveries()
            wanted = await reader.subscribe(CHEAP, timeout=20)
            published = await writer.publish({"price": 3}, timeout=20)
            # All receivers have it by now.
            delivery = deliveries.take()
            reader.unsubscribe(CHEAP)
            return wanted, published == delivery.id, delivery.attributes

    assert while_time_passes(there.clock, main()) == ((("price", "<", 10),), True, {"price": 3})
    assert [node._clients for node in there.nodes.values()] == [[]] * 4


def test_a_coroutine_that_waits_for_a_crashed_receiver_is_told_after_its_timeout():
    there = Brokers(("a", "a.b"), delta=0)
    client = there["a.b"].attach()
    client.subscribe([])
    there.run()
    there["a.b"].stop()

    async def main() -> None:
        async with there["a"].session() as writer:
            await writer.publish({"x": 1}, timeout=7)

    with refusing("Not all receivers are known to have the publication after 7 periods.", TimeoutError):
        while_time_passes(there.clock, main())
    with refusing("The subscription is not in effect after 7 periods.", TimeoutError):
        while_time_passes(there.clock, there["a"].session().subscribe(CHEAP, timeout=7))


def test_a_coroutine_ends_when_its_node_stops():
    there = Brokers(("a", "a.b"))
    late = there.node("a.c")

    async def main() -> None:
        async with late.session() as session:
            waiting = [late.joined(), session.subscribe([]), session.publish({"x": 1})]
            tasks = [asyncio.create_task(each) for each in waiting]
            await asyncio.sleep(0)
            late.stop()
            for task in tasks:
                with pytest.raises(RefusedError) as error:
                    await task
                assert error.value.reason is Reason.STOPPED

    while_time_passes(there.clock, main())


@pytest.mark.parametrize("periods", [-1, float("nan"), "3"])
def test_a_number_of_periods_that_is_none_is_refused_before_anything_is_done(periods):
    there = Brokers(("a", "a.b"))
    session = there["a"].session()
    for waiting in (
        there["a"].joined(periods),
        session.subscribe([], timeout=periods),
        session.publish({"x": 1}, timeout=periods),
    ):
        with refusing(f"A number of periods is 0 or more, and {periods!r} is not.", RefusedError):
            asyncio.run(waiting)
    assert there["a"].counters().refused == {Reason.BAD_NUMBER: 3}
    assert session._client.filters == ()


def test_a_node_that_has_not_joined_says_so_after_the_timeout():
    late = Brokers(("a", "a.b")).node("a.c")
    with refusing("The node has not joined the system within 0 periods.", TimeoutError):
        asyncio.run(late.joined(0))
