"""Clocks, in periods: one that is moved by hand, and one that follows an event loop."""

import asyncio
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import Protocol

from gomboc.impl.core.errors import UsageError


class Clock(Protocol):
    """Time as a node sees it. A call never happens within `call_at`, even if it is due already."""

    def now(self) -> float:
        """The time, in periods."""

    def call_at(self, at: float, call: Callable[[], None]) -> None:
        """Call at this time or soon after."""


class ManualClock:
    """Virtual time: it stands still until it is moved; then all calls that are due happen in order.

    Calls that are due at one time happen in the order in which they were requested.
    """

    def __init__(self) -> None:
        self._now = 0.0
        self._order = count()
        self._due: list[tuple[float, int, Callable[[], None]]] = []

    def now(self) -> float:
        """The time, in periods since the clock was made."""
        return self._now

    def call_at(self, at: float, call: Callable[[], None]) -> None:
        """Call when the time is moved to `at` or beyond it."""
        heappush(self._due, (max(at, self._now), next(self._order), call))

    def advance(self, periods: float) -> None:
        """Move time forwards by this many periods, and make the calls that are due by then."""
        end = self._end(periods)
        while self._step(end):
            pass
        self._now = end

    async def pass_by(self, periods: float) -> None:
        """Do the same as `advance`, and let other tasks of the event loop run after each call."""
        end = self._end(periods)
        while self._step(end):
            await asyncio.sleep(0)
        self._now = end
        await asyncio.sleep(0)

    def _end(self, periods: float) -> float:
        if periods < 0:
            raise UsageError(f"Time passes forwards: by 0 periods or more, not by {periods}.")
        return self._now + periods

    def _step(self, end: float) -> bool:
        """Make the next call that is due by `end`; return False if there is none."""
        if not self._due or self._due[0][0] > end:
            return False
        self._now, _, call = heappop(self._due)
        call()
        return True


class LoopClock:
    """The time of an event loop; a period lasts `period` seconds."""

    def __init__(self, loop: asyncio.AbstractEventLoop, period: float) -> None:
        if not period > 0:
            raise UsageError(f"A period has to last longer than 0 seconds, not {period}.")
        self._loop = loop
        self._period = period

    def now(self) -> float:
        """The loop's own time, in periods."""
        return self._loop.time() / self._period

    def call_at(self, at: float, call: Callable[[], None]) -> None:
        """Schedule the call in the loop."""
        self._loop.call_at(at * self._period, call)
