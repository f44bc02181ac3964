"""Runs killers, by name, against the specification that comes first on the path: the process that `judging` starts.

For each killer one line of JSON: its observation, or null. With --first it ends with the first that saw something.
"""

import resource
import signal
import sys
import time

import msgspec

SECONDS = 30
"""How much of a processor's time one killer may take; the slowest needs about five."""

MEMORY = 3 << 30
"""Bytes of address space, so that an endless loop that collects does not take the machine with it."""


class Seen(msgspec.Struct, frozen=True):
    """The observation of one killer, or None; `how`: a sentence of its own, an exception, or its time is up."""

    killer: str
    how: str
    saw: str | None
    seconds: float


class TimeIsUp(BaseException):
    """A killer has used up its time. Not an Exception, so that no handler takes it for one of the specification's."""


def _time_is_up(number, frame):
    raise TimeIsUp


def run(name, killer):
    """The observation of a killer. An exception of the specification counts, and is named."""
    began = time.process_time()
    # The processor's time, so that it is the same on a machine that does other work too.
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        how, saw = "seen", next(killer(), None)
    except Exception as error:  # noqa: BLE001 - any exception of a mutated rule is looked for
        how, saw = "crash", f"it raises {type(error).__name__}: {error}"
    except TimeIsUp:
        how, saw = "timeout", ""
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    seconds = time.process_time() - began
    # Pytest catches any exception of a test, so the clock is asked too.
    if how == "timeout" or seconds >= SECONDS:
        how, saw = "timeout", f"it takes more than {SECONDS} seconds"
    return Seen(name, how, saw, seconds)


def main(arguments):
    signal.signal(signal.SIGPROF, _time_is_up)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    from tests.mutants.killers import KILLERS

    for name in arguments:
        if name != "--first":
            seen = run(name, KILLERS[name])
            print(msgspec.json.encode(seen).decode(), flush=True)
            if seen.saw is not None and "--first" in arguments:
                return


if __name__ == "__main__":
    main(sys.argv[1:])
