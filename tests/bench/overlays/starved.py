"""The invariant of Chord under schedules that starve nodes: `python -m tests.bench starved`, half a minute.

Run i is decided by the seed i. Weaker rules, and a weaker assumption, break it.
"""

from typing import Any

from gomboc.impl.api.registry import implementation
from tests.impl.protocols.chord.schedules import Schedule

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
    for name, (joiners, steps, weaker) in WEAKER.items():
        broken = sum(breaks(Schedule(6, joiners, 2, seed, **weaker), steps) for seed in range(FEW))
        print(f"{name}: the invariant broke in {broken} of {FEW} runs of {steps} steps, {joiners} joiners")


FEW = 40
PARAMETERS = {"bits": 6, "ids": "number", "fingers": False, "r": 2}
WEAKER: dict[str, tuple[int, int, dict[str, Any]]] = {
    **{
        name: (12, 900, {"tested": implementation(f"chord.{name}").configured(PARAMETERS)})  # type: ignore[misc]
        for name in ("copies_head_only", "adopts_unasked")
    },
    "only stored lists count": (20, 1_800, {"counts": "stored"}),
}
"""Joiners, steps, and what is weaker."""


def breaks(running: Schedule, steps: int) -> bool:
    """Whether the invariant breaks in a run, looked at after every fifth step."""
    for number in range(steps):
        running.step()
        if number % EVERY == 0 and any(running.faults()):
            return True
    return False
