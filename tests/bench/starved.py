"""The invariant of Chord under schedules that starve nodes: `python -m tests.bench.starved`, half a minute."""

import sys

from tests.impl.chord.schedules import Schedule

RUNS, STEPS, JOINERS, EVERY = 1_000, 600, 12, 5
SHAPES = ((6, 2, 0.0), (6, 2, 0.1), (8, 3, 0.1), (4, 1, 0.1), (5, 1, 0.0), (8, 3, 0.0), (6, 3, 0.1))
"""Members, r, and the share of deliveries that are lost, or happen twice."""


def main() -> None:
    """Run all of them, look for faults at every fifth step, and print the result."""
    joined = crashed = broken = 0
    for seed in range(RUNS):
        members, r, losses = SHAPES[seed % len(SHAPES)]
        running = Schedule(members, JOINERS, r, seed, losses=losses)
        faulty = False
        for number in range(STEPS):
            running.step()
            faulty = faulty or (number % EVERY == 0 and any(running.faults()))
        joined, crashed, broken = joined + running.joined, crashed + running.crashed, broken + faulty
    print(
        f"{RUNS:,} runs of {STEPS} steps, {joined:,} joins, {crashed:,} crashes: the invariant broke in {broken} runs"
    )


if __name__ == "__main__":
    sys.exit(main())
