"""The time limit of a statement, in seconds of this process's processor: a busy machine makes no result unknown."""

import time

CLOCK = time.process_time
"""The clock of the time limits."""
GUARD = 100
"""How much longer z3's own clock, which counts what other processes take too, may run."""
LONGEST = 2**31 - 1
"""The largest timeout of z3 in milliseconds, which is 24 days."""


def timeout(seconds: float) -> int:
    """z3's own timeout, in milliseconds, if so many seconds are left: only a guard, since `settle` stops z3 in time."""
    return int(max(1, min(1000 * GUARD * seconds, LONGEST)))
