import asyncio

import pytest

from gomboc.impl.api.overlays import overlay
from gomboc.impl.core.reasons import Reason
from gomboc.impl.publishing.deliveries import Counted, Counters, Policy, Queueing
from tests.impl.news import system, take_all
from tests.impl.refusing import refused
from tests.impl.system import System
from tests.toys.members.impl import LONGEST, OVERLAY


def test_an_application_iterates_while_the_protocol_goes_on():
    async def main():
        there = system("ann", "ben")
        deliveries, got = there["ben"].deliveries("news"), []
        for number in range(5):
            waiting = asyncio.create_task(anext(deliveries))
            await there.clock.pass_by(2)
            assert not waiting.done()
            there["ann"].publish("news", f"{number}")
            await there.clock.pass_by(5)
            got.append(await waiting)
        assert [publication.payload for publication in got] == ["0", "1", "2", "3", "4"]

    asyncio.run(main())


def test_deliveries_that_wait_are_dropped_when_the_history_is_forgotten():
    there = system("ann", queueing=Queueing(Policy.BLOCK, 1))
    deliveries = there["ann"].deliveries("news")
    for number in range(3):
        there["ann"].publish("news", f"{number}")
    there["ann"].unsubscribe("news", forget=True)
    there.run()
    assert take_all(deliveries) == ["0"]
    assert there["ann"].counters("news").deliveries == Counted(delivered=1, dropped=2)


def test_what_one_step_adds_is_delivered_by_publisher_and_number():
    there = System(overlay("skip_ring", {"key_bits": 16}), ["ann", "ben", "cai"])
    there.subscribe("news", "ann", "ben")
    for number in range(20):
        there[("ann", "ben")[number % 2]].publish("news", f"{number}")
    there.run(10)
    there.subscribe("news", "cai")
    deliveries = there["cai"].deliveries("news")
    there.run(20)
    batches = [step.delivered for step in there.recording.steps("news") if step.node == "cai" and step.delivered]
    assert max(map(len, batches)) > 1
    came = [publication.id for publication in iter(deliveries.take, None)]
    assert len(came) == 20
    for batch in batches:
        first, came = came[: len(batch)], came[len(batch) :]
        assert first == sorted(first)
        assert {publication.number for publication in first} == {publication.number for publication in batch}


@pytest.mark.parametrize("policy", Policy)
def test_an_application_that_takes_nothing_stops_no_node(policy):
    there = system("ann", "ben", "cai", queueing=Queueing(policy, 1))
    idle = there["ben"].deliveries("news")
    busy = there["cai"].deliveries("news")
    got = []
    for number in range(30):
        there["ann"].publish("news", f"{number:02}")
        there.run(3)
        got += take_all(busy)
    everything = [f"{number:02}" for number in range(30)]
    assert got == everything
    assert there.payloads("ben", "news") == everything
    counted = there["ben"].counters("news").deliveries
    if policy is Policy.BLOCK:
        assert counted == Counted(queued=1, waiting=29)
        assert take_all(idle) == everything
    elif policy is Policy.DROP_OLDEST:
        assert counted == Counted(queued=1, dropped=29)
        assert take_all(idle) == ["29"]
    else:
        assert counted == Counted(queued=1, dropped=1)
        assert take_all(idle) == ["00"]
        assert take_all(there["ben"].deliveries("news")) == everything


def test_counters_outlive_the_deliveries_that_they_count():
    there = system("ann")
    for _ in range(3):
        deliveries = there["ann"].deliveries("news")
        there["ann"].publish("news", "x")
        take_all(deliveries)
        deliveries.close()
    assert there["ann"].counters("news") == Counters(Counted(delivered=1 + 2 + 3), {})


def test_counters_of_a_node_are_the_sums_over_its_topics():
    there = System(OVERLAY, ["ann"])
    for topic in ("a", "b"):
        there["ann"].subscribe(topic)
        there["ann"].deliveries(topic)
        there["ann"].publish(topic, "x")
        refused(there["ann"].publish, topic, "y" * (LONGEST + 1))
    refused(there["ann"].subscribe, "no topic")
    assert there["ann"].counters("a") == Counters(Counted(queued=1), {Reason.TOO_LARGE: 1})
    assert there["ann"].counters() == Counters(Counted(queued=2), {Reason.BAD_TOPIC: 1, Reason.TOO_LARGE: 2})


def test_history_is_read_from_its_end():
    there = system("ann", "ben")
    for number in range(4):
        there["ann"].publish("news", f"a{number}")
    there["ben"].publish("news", "b0")
    there.run()
    history = there["ann"].history
    assert [publication.payload for publication in history("news")] == ["a0", "b0", "a1", "a2", "a3"]
    assert [publication.payload for publication in history("news", last=2)] == ["a2", "a3"]
    assert [publication.payload for publication in history("news", publisher="ben", last=1)] == ["b0"]
    assert history("news", last=0) == ()
    assert history("news", publisher="nobody") == ()


def test_more_history_than_there_is_is_refused():
    there = system("ann")
    there["ann"].publish("news", "x")
    assert refused(there["ann"].history, "news", last=2) == (
        Reason.BEYOND_HISTORY,
        "The last 2 publications were asked for, and 1 are held.",
    )
    assert refused(there["ann"].history, "news", last=-1)[0] is Reason.BEYOND_HISTORY
    assert refused(there["ann"].history, "news", publisher="ben", last=1)[0] is Reason.BEYOND_HISTORY
    assert there["ann"].counters("news").refused == {Reason.BEYOND_HISTORY: 3}
