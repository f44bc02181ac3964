"""Waiting: a coroutine waits for a condition by the clock of its node, and not by the event loop's."""

import asyncio
from collections.abc import Callable

from gomboc.impl.runtime.clock import Clock

STEP = 0.25
"""Periods between two looks at a condition."""


def fault_of_periods(given: object, *, ends: bool = False) -> str | None:
    """The sentence about a value that is no time in periods, nor None unless it `ends`; None if it is one."""
    is_number = isinstance(given, int | float) and not isinstance(given, bool) and given >= 0
    return (
        None
        if is_number or (given is None and not ends)
        else f"A number of periods is 0 or more, and {given!r} is not."
    )


async def until(clock: Clock, condition: Callable[[], bool], timeout: float | None) -> bool:
    """Wait until the condition holds, and return True; False if it does not within so many periods, if any."""
    deadline = None if timeout is None else clock.now() + timeout
    while not condition():
        now = clock.now()
        if deadline is not None and now >= deadline:
            return False
        awake = asyncio.Event()
        clock.call_at(now + STEP if deadline is None else min(now + STEP, deadline), awake.set)
        await awake.wait()
    return True
