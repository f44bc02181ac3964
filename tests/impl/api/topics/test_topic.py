import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from gomboc.impl.api.topics.memberships import Membership
from gomboc.impl.core.reasons import Reason, RefusedError
from gomboc.impl.publishing.deliveries import Policy, Queueing
from gomboc.impl.publishing.publication import PublicationId
from gomboc.impl.runtime.instances import Instances
from tests.impl.members import NAMES, OVERLAYS, Members, while_time_passes
from tests.impl.refusing import refused, refusing

each_overlay = pytest.mark.parametrize(("name", "parameters"), OVERLAYS)
FIRST = 2**21


async def reason_of(waiting: Awaitable[Any]) -> Reason:
    with pytest.raises(RefusedError) as error:
        await waiting
    return error.value.reason


@each_overlay
def test_an_application_joins_publishes_reads_and_leaves_by_coroutines(name, parameters):
    there = Members(name, 2, **parameters)
    late = there.start(NAMES[2])

    async def main() -> Any:
        async with late.topic("news") as topic:
            assert topic.status().membership is Membership.JOINING
            await topic.joined(timeout=30)
            assert topic.status().membership is Membership.JOINED
            published = await topic.publish(b"\x00", copies=1, timeout=30)
            assert [one.id for one in topic.history()] == [published]
            assert (await anext(topic.deliveries(ordered=True))).body == b"\x00"
            return published

    assert while_time_passes(there.clock, main(), 100) == PublicationId(NAMES[2], FIRST)
    there.run()
    assert late.status("news").membership is Membership.OUTSIDE
    assert [one.body for one in there[0].history("news")] == [b"\x00"]


@each_overlay
def test_copies_are_counted_among_the_neighbours_and_a_timeout_says_how_many_are_known(name, parameters):
    there = Members(name, 4, **parameters)
    topic = there[1].topic("news")

    async def main() -> Any:
        began = there.clock.now()
        with pytest.raises(TimeoutError) as error:
            await topic.publish("x", copies=50, timeout=12.5)
        assert there.clock.now() == pytest.approx(began + 12.5, abs=0.13)
        return str(error.value)

    says = while_time_passes(there.clock, main())
    known = int(says.split()[0])
    assert 1 <= known <= 3
    assert says == f"{known} of 50 copies of number {FIRST} were known in 12.5 periods."
    assert [one.payload for one in there[3].history("news")] == ["x"]


@pytest.mark.parametrize(("name", "copies"), [("hyparview", 2), ("scribe", 1)])
def test_copies_of_what_is_new_are_known_at_once_however_much_is_held(name, copies):
    there = Members(name, 4, chunk=4)
    for number in range(100):
        there[number % 4].publish("news", str(number))
    there.run(40)
    for member in range(4):
        publishing = there[member].topic("news").publish("new", copies=copies, timeout=3)
        published = while_time_passes(there.clock, publishing)
        others = (there[other].history("news") for other in range(4) if other != member)
        assert sum(published in {one.id for one in history} for history in others) >= copies


@each_overlay
def test_history_and_deliveries_are_read_without_a_look_at_all_that_is_held(name, parameters, monkeypatch):
    there = Members(name, 2, **parameters, queueing=Queueing(Policy.BLOCK, 1))
    deliveries = there[0].deliveries("news")
    for number in range(5):
        there[0].publish("news", str(number))
    there.run()
    monkeypatch.setattr(Instances, "snapshot", None)
    assert [one.payload for one in there[0].history("news", last=2)] == ["3", "4"]
    assert [one.payload for one in iter(deliveries.take, None)] == ["0", "1", "2", "3", "4"]


def test_a_publication_without_a_neighbour_has_no_copies_and_without_copies_nothing_is_waited_for():
    there = Members("skip_ring", 1)
    with refusing(f"0 of 1 copies of number {FIRST} were known in 3 periods.", TimeoutError):
        while_time_passes(there.clock, there[0].topic("news").publish("x", copies=1, timeout=3))
    assert asyncio.run(there[0].topic("news").publish("x")).number == FIRST + 1


@each_overlay
def test_what_a_coroutine_waits_for_ends_when_the_node_stops(name, parameters):
    there = Members(name, 2, **parameters)
    late = there.start(NAMES[2])
    late.subscribe("news")

    async def main() -> list[Reason]:
        waiting = [there[0].topic("news").publish("x", copies=50, timeout=None), late.topic("news").joined()]
        tasks = [asyncio.create_task(reason_of(each)) for each in waiting]
        await asyncio.sleep(0)
        there[0].stop()
        late.stop()
        return [await task for task in tasks]

    assert while_time_passes(there.clock, main()) == [Reason.STOPPED] * 2
    assert there[0].status("news").membership is late.status("news").membership is Membership.STOPPED


def test_who_waits_to_have_left_hears_what_would_be_lost():
    there = Members("skip_ring", 1)
    lost = there[0].publish("news", "x")
    topic = there[0].topic("news")
    assert topic.status().unconfirmed == 1
    assert while_time_passes(there.clock, topic.leave(patience=4)) == (lost,)
    assert topic.status().membership is Membership.OUTSIDE


def test_who_waits_to_have_left_stays_if_the_application_subscribes_again():
    there = Members("skip_ring", 1)
    there[0].publish("news", "x")
    topic = there[0].topic("news")

    async def main() -> Any:
        leaving = asyncio.create_task(topic.leave())
        await asyncio.sleep(0)
        assert topic.status().membership is Membership.LEAVING
        there[0].subscribe("news")
        return await leaving

    assert while_time_passes(there.clock, main()) == ()
    assert topic.status().membership is Membership.JOINED


def test_a_node_that_stops_while_it_leaves_refuses_to_say_what_is_lost():
    there = Members("skip_ring", 1)
    there[0].publish("news", "x")

    async def main() -> Reason:
        leaving = asyncio.create_task(reason_of(there[0].topic("news").leave()))
        await asyncio.sleep(0)
        there[0].stop()
        return await leaving

    assert while_time_passes(there.clock, main()) is Reason.STOPPED


def test_a_context_that_fails_is_left_without_waiting():
    there = Members("skip_ring", 1)

    async def main() -> None:
        async with there[0].topic("news") as topic:
            await topic.publish("x")
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        asyncio.run(main())
    assert there[0].status("news").membership is Membership.LEAVING


@pytest.mark.parametrize("leave", [lambda node: node.unsubscribe("news"), lambda node: node.stop()])
def test_a_context_whose_topic_was_left_before_its_end_does_nothing_more(leave: Callable[[Any], Any]):
    there = Members("skip_ring", 2)

    async def main() -> None:
        async with there[0].topic("news"):
            leave(there[0])

    while_time_passes(there.clock, main())
    assert there[0].counters().refused == {}


@pytest.mark.parametrize("periods", [-1, float("nan"), "3", True, None])
def test_a_number_of_periods_that_is_none_is_refused_and_nothing_is_published(periods):
    there = Members("skip_ring", 1)
    topic, says = there[0].topic("news"), f"A number of periods is 0 or more, and {periods!r} is not."
    assert refused(there[0].unsubscribe, "news", patience=periods) == (Reason.BAD_NUMBER, says)
    if periods is not None:  # Only to leave needs an end of patience.
        for waiting in (topic.joined(periods), topic.publish("x", copies=1, timeout=periods)):
            with refusing(says, RefusedError):
                asyncio.run(waiting)
        assert refused(there[0].deliveries, "news", ordered=True, patience=periods) == (Reason.BAD_NUMBER, says)
    assert there[0].topics == ("news",)
    assert there[0].history("news") == ()


@pytest.mark.parametrize("copies", [-1, 1.0, "1", None])
def test_a_number_of_copies_that_is_none_is_refused_and_nothing_is_published(copies):
    there = Members("skip_ring", 1)
    with refusing(f"A number of copies is a whole number from 0 on, and {copies!r} is not.", RefusedError):
        asyncio.run(there[0].topic("news").publish("x", copies=copies))
    assert there[0].publish("news", "x").number == FIRST


def test_who_has_not_subscribed_joins_nothing_and_a_topic_that_cannot_be_one_is_none():
    there = Members("skip_ring", 1)
    assert refused(there[0].topic, "no topic")[0] is Reason.BAD_TOPIC
    assert asyncio.run(reason_of(there[0].topic("sport").joined())) is Reason.NOT_SUBSCRIBED
    there[0].subscribe("sport")
    with pytest.raises(TimeoutError, match=r"^The node has not joined sport within 0 periods\.$"):
        asyncio.run(there[0].topic("sport").joined(0))
