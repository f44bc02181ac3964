"""How far an exploration goes, and what is said when it does not get to its end."""

import resource
import sys
import time
from collections.abc import Callable

import msgspec

from gomboc.checker.words import counted

MEGABYTE = 1 << 20
_UNIT = 1 if sys.platform == "darwin" else 1024
"""What the system counts the memory of a process in."""

Report = Callable[[int, int, int], None]
"""Is told how many states are explored, how many are found, and how many transitions there are so far."""


class Bounds(msgspec.Struct, frozen=True):
    """Where to stop: after so many states, seconds, or megabytes of memory of this process. None: nowhere."""

    most_states: int | None = None
    seconds: float | None = None
    megabytes: int | None = None


def silent(explored: int, discovered: int, transitions: int) -> None:
    """Report nothing."""
    del explored, discovered, transitions


def go_on() -> None:
    """Nothing speaks against going on."""


class BoundReachedError(Exception):
    """A bound was reached while a graph was judged; the text says which. Whoever judges says that it is unknown."""


class Watch:
    """Knows when an exploration has to stop, and reports how far it is."""

    def __init__(self, bounds: Bounds, report: Report = silent) -> None:
        self.bounds = bounds
        self._report = report
        self._began = time.monotonic()

    @property
    def seconds(self) -> float:
        """How long it has been."""
        return time.monotonic() - self._began

    def is_over(self, states: int) -> bool:
        """Whether so many states are more than there may be."""
        return self.bounds.most_states is not None and states > self.bounds.most_states

    def why_stop(self, explored: int, discovered: int, transitions: int) -> str:
        """The bound that has been reached, in words; nothing if none has."""
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
        """Raise BoundReachedError if there is no more time, or no more memory."""
        why = self._reached(0)
        if why:
            raise BoundReachedError(why)


def peak_memory() -> int:
    """The most memory that this process has had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT // MEGABYTE
