"""Bounds of an exploration, and the watch that stops it when one is reached."""

import resource
import sys
import time
from collections.abc import Callable

import msgspec

from gomboc.checker.core.phrases import counted

MEGABYTE = 1 << 20
_UNIT = 1 if sys.platform == "darwin" else 1024
"""Unit of the peak memory that the operating system reports, in bytes."""

Report = Callable[[int, int, int], None]
"""Callback for progress: the numbers of explored states, of discovered states and of transitions so far."""


class Bounds(msgspec.Struct, frozen=True):
    """Limits on the number of states, the seconds, and the megabytes of memory of this process. None: no limit."""

    most_states: int | None = None
    seconds: float | None = None
    megabytes: int | None = None


def silent(explored: int, discovered: int, transitions: int) -> None:
    """Report nothing."""
    del explored, discovered, transitions


def go_on() -> None:
    """Never raise: there is no bound."""


class BoundReachedError(Exception):
    """A bound was reached while a graph was judged; the text names the bound. The verdict is then unknown."""


class BoundWatch:
    """Stops an exploration when a bound is reached, and reports its progress."""

    def __init__(self, bounds: Bounds, report: Report = silent) -> None:
        self.bounds = bounds
        self._report = report
        self._began = time.monotonic()

    @property
    def seconds(self) -> float:
        """Seconds since the exploration began."""
        return time.monotonic() - self._began

    def is_over(self, states: int) -> bool:
        """Whether this number of states exceeds the bound."""
        return self.bounds.most_states is not None and states > self.bounds.most_states

    def why_stop(self, explored: int, discovered: int, transitions: int) -> str:
        """The bound that has been reached, as text; empty if none has."""
        self._report(explored, discovered, transitions)
        return self._reached(discovered)

    def _reached(self, states: int) -> str:
        bounds, megabytes = self.bounds, peak_memory()
        if self.is_over(states):
            return f"the bound of {counted(bounds.most_states or 0, 'state')} was reached"
        if bounds.seconds is not None and self.seconds > bounds.seconds:
            return f"the bound of {bounds.seconds:g} seconds was reached"
        if bounds.megabytes is not None and megabytes > bounds.megabytes:
            return f"the bound of {bounds.megabytes:,} MB of memory was reached"
        return ""

    def insist(self) -> None:
        """Raise BoundReachedError if the bound on time or memory is reached."""
        why = self._reached(0)
        if why:
            raise BoundReachedError(why)


def peak_memory() -> int:
    """The peak memory of this process, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT // MEGABYTE
