"""Measures how long a process has been silent: it neither worked nor answered. Slow progress is no silence.

A loaded machine has all the time that it needs.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path

BUSY = 0.05
"""Share of a core above which a process counts as working since the last look; a Java that only waits uses less."""

LOOK_SECONDS = 0.5
"""Shortest time between two looks: over less, the ticks of the clock are too few."""


def processor_seconds(process: int) -> float:
    """The processor time of a process in seconds; 0 where the system has no figure, so that all time is silence."""
    try:
        # What stands in brackets is the name of the program, which may hold anything.
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Silence:
    """The silence of one process, in seconds, up to the last look at it."""

    def __init__(
        self,
        process: int,
        used: Callable[[int], float] = processor_seconds,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._process, self._used, self._now = process, used, now
        self._seen, self._at = used(process), now()
        self.seconds = 0.0

    def look(self) -> float:
        """The silence until now: it begins anew whenever the process has been at work."""
        used, at = self._used(self._process), self._now()
        passed = at - self._at
        if passed >= LOOK_SECONDS:
            self.seconds = 0.0 if used - self._seen >= BUSY * passed else self.seconds + passed
            self._seen, self._at = used, at
        return self.seconds
