import asyncio

import pytest

from gomboc.impl.api.topics.waiting import STEP, until
from gomboc.impl.runtime.clock import LoopClock, ManualClock
from tests.impl.members import while_time_passes


@pytest.mark.parametrize("timeout", [0, 0.1, 1.0, 2.125])
def test_a_timeout_ends_at_its_time_by_the_clock_that_is_given(timeout):
    clock = ManualClock()
    ended: list[float] = []

    async def main() -> bool:
        held = await until(clock, lambda: False, timeout)
        ended.append(clock.now())
        return held

    assert while_time_passes(clock, main()) is False
    assert ended == [timeout]


def test_while_the_clock_stands_still_no_time_passes():
    clock, answers = ManualClock(), []

    async def main() -> None:
        waiting = asyncio.create_task(until(clock, lambda: bool(answers), 1.0))
        await asyncio.sleep(0.01)
        answers.append(1)
        assert not waiting.done()
        await clock.pass_by(STEP)
        assert await waiting

    asyncio.run(main())


def test_the_same_waits_by_the_time_of_an_event_loop():
    async def main() -> tuple[bool, bool]:
        clock = LoopClock(asyncio.get_running_loop(), 0.001)
        ends = clock.now() + 5
        return await until(clock, lambda: clock.now() > ends, None), await until(clock, lambda: False, 5)

    assert asyncio.run(main()) == (True, False)
