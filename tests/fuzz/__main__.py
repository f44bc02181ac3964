"""`python -m tests.fuzz [TARGET...]`: change accepted texts, until a reader neither accepts nor refuses one."""

import argparse
import signal
import sys
import time
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.targets import TARGETS, BrokenError, Target
from tests.fuzz.texts import changed

SECONDS_EACH = 10
"""How much of a processor's time a reader may take for one text."""

BROKEN = Path("build/fuzz")


def fuzz(name: str, random: Random, texts: int | None = None, seconds: float | None = None) -> dict[str, int]:
    """How many texts a reader accepted and refused. Raises BrokenError, with the text as its second argument."""
    target, counts = TARGETS[name], {"accepted": 0, "refused": 0}
    seeds = target.seeds()
    until = None if seconds is None else time.monotonic() + seconds
    while (texts is None or sum(counts.values()) < texts) and (until is None or time.monotonic() < until):
        text = changed(random.choice(seeds), random)
        try:
            counts[outcome(target, text)] += 1
        except BrokenError as error:
            raise BrokenError(str(error), text) from error
    return counts


def outcome(target: Target, text: bytes) -> str:
    """Outcome of reading a text; a reader that takes too long is broken."""

    def late(number: int, frame: Any) -> None:
        raise BrokenError(f"it takes more than {SECONDS_EACH} seconds")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, SECONDS_EACH)
    try:
        return target.outcome(text)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def main() -> int:
    """0 if every text was accepted or refused, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)} (default: all)")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each target (default: 60)")
    parser.add_argument("--seed", type=int, default=1, help="decides how texts are changed (default: 1)")
    options = parser.parse_args()
    if unknown := [name for name in options.targets if name not in TARGETS]:
        parser.error(f"there is no target {unknown[0]!r}; there are: {', '.join(TARGETS)}")
    return max(_tried(name, options.seed, options.seconds) for name in options.targets or TARGETS)


def _tried(name: str, seed: int, seconds: float) -> int:
    try:
        counts = fuzz(name, Random(f"{name} {seed}"), seconds=seconds)
    except BrokenError as error:
        says, text = error.args
        path = BROKEN / f"{name}-{blake2b(text, digest_size=6).hexdigest()}"
        BROKEN.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
        print(f"{name}: {says}; the text is in {path}")
        return 1
    print(f"{name}: {counts['accepted']:,} accepted, {counts['refused']:,} refused, and nothing else", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
