"""How long executors would take for a corpus, by measured costs: `python -m tests.bench cluster`.

The schedule is simulated: an executor that is free takes the next piece of work, and pieces go out largest first, as
`by_size` sorts them. A cluster has not been measured.
"""

import heapq
from collections.abc import Iterable
from typing import NamedTuple

TRACES, STEPS, DISTINCT, ROWS_OF_PACKS = 1_000_000, 139_122_254, 8_585_000, 9_400_000
"""A million short traces: their steps, the distinct ones, and those in the dictionaries of all packs together."""

READ, JUDGED, COMPOSED = 1.6e-6, 14e-6, 0.9e-6
"""Seconds: to read and number a step of a dictionary, to judge a distinct step, to compose a step of a trace."""

DICTIONARIES, ROW_GROUPS = 250, 535
"""Bytes for each trace."""

UNITS, PACKS, OPENED = 101, 51, 0.4e-6
"""Row groups and packs of the corpus; seconds to read a step of the dictionary of a pack, once for each row group."""


class Plan(NamedTuple):
    """Seconds of the two phases, the busiest executor's share of the second in that of the mean, and bytes that are
    read.
    """

    judging: float
    composing: float
    skew: float
    read: int


def makespan(seconds: Iterable[float], executors: int) -> float:
    """When the last executor is done, if a free one takes the largest piece that is left."""
    busy = [0.0] * executors
    for piece in sorted(seconds, reverse=True):
        heapq.heapreplace(busy, busy[0] + piece)
    return max(busy)


def planned(executors: int, units: int = UNITS) -> Plan:
    """The plan for so many executors of one core each. Every part of the distinct steps reads all dictionaries."""
    judging = ROWS_OF_PACKS * READ + DISTINCT / executors * JUDGED
    pieces = [STEPS / units * COMPOSED + ROWS_OF_PACKS / PACKS * OPENED] * units
    composing = makespan(pieces, executors)
    read = TRACES * (DICTIONARIES * (executors + units / PACKS) + ROW_GROUPS)
    return Plan(judging, composing, composing * executors / sum(pieces), round(read))


def main() -> None:
    """Print the plan for several numbers of executors, and for smaller row groups."""
    print("\n| executors | row groups | judging, s | composing, s | skew | GB read |\n|---|---|---|---|---|---|")
    for executors, units in ((1, UNITS), (2, UNITS), (10, UNITS), (100, UNITS), (100, 10 * UNITS)):
        plan = planned(executors, units)
        figures = f"{plan.judging:.1f} | {plan.composing:.1f} | {plan.skew:.2f} | {plan.read / 1e9:.1f}"
        print(f"| {executors} | {units} | {figures} |")


if __name__ == "__main__":
    main()
