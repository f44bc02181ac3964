import asyncio

import pytest

from gomboc.impl.runtime.clock import LoopClock, ManualClock
from tests.impl.refusing import refusing


def test_what_is_due_happens_in_order_and_at_its_time_and_not_before_time_passes():
    clock, happened = ManualClock(), []
    for name, at in [("c", 2.0), ("a", 1.0), ("b", 1.0), ("late", 3.1), ("now", 0.0)]:
        clock.call_at(at, lambda name=name: happened.append((name, clock.now())))
    assert happened == []
    clock.advance(0)
    assert happened == [("now", 0.0)]
    clock.advance(3)
    assert happened[1:] == [("a", 1.0), ("b", 1.0), ("c", 2.0)]
    assert clock.now() == 3.0


def test_what_becomes_due_meanwhile_happens_too():
    clock, happened = ManualClock(), []

    def again():
        happened.append(clock.now())
        clock.call_at(clock.now() + 1, again)

    clock.call_at(1.0, again)
    clock.advance(3)
    assert happened == [1.0, 2.0, 3.0]


def test_what_was_due_in_the_past_happens_now():
    clock, happened = ManualClock(), []
    clock.advance(5)
    clock.call_at(1.0, lambda: happened.append(clock.now()))
    clock.advance(0)
    assert happened == [5.0]


@pytest.mark.parametrize("periods", [-1, -0.1])
def test_time_does_not_go_back(periods):
    with refusing(f"Time passes forwards: by 0 periods or more, not by {periods}."):
        ManualClock().advance(periods)


def test_any_node_that_waits_in_the_event_loop_has_its_turn_between_calls():
    async def main():
        clock, changed, seen = ManualClock(), asyncio.Event(), []

        async def watch():
            await changed.wait()
            seen.append(clock.now())

        watching = asyncio.create_task(watch())
        clock.call_at(1.0, lambda: None)
        clock.call_at(2.0, changed.set)
        clock.call_at(3.0, lambda: None)
        clock.call_at(4.0, lambda: None)
        await clock.pass_by(9)
        assert seen
        await watching
        assert clock.now() == 9.0
        return seen

    assert asyncio.run(main())[0] < 9.0


def test_the_time_of_a_loop_goes_by_itself():
    async def main():
        clock, happened = LoopClock(asyncio.get_running_loop(), 0.001), asyncio.Event()
        start = clock.now()
        clock.call_at(start + 2, happened.set)
        assert not happened.is_set()
        await happened.wait()
        return clock.now() - start

    # A loop may call early by as much as its clock cannot tell apart.
    assert asyncio.run(main()) > 1.9


@pytest.mark.parametrize("period", [0, -1.0, float("nan")])
def test_a_period_without_length_is_refused(period):
    async def main():
        LoopClock(asyncio.get_running_loop(), period)

    with refusing(f"A period has to last longer than 0 seconds, not {period}."):
        asyncio.run(main())
