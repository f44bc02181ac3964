"""The factored replay as the corpus grows: in traces, in steps of a trace, and in members.

Each figure is of `gomboc replay --jobs 1` as a process of its own: processor time, and the memory at its highest. The
time of two traces is start-up, and is taken off where a rate is told.
"""

from functools import cache
from pathlib import Path
from statistics import median

import msgspec

from tests.bench.corpora import beginning, counted, simulated
from tests.bench.measure import Ran, gomboc

ROUND_OF_FOUR = 21
"""Steps in a round of four members and the supervisor, about, once they are legitimate."""


def in_traces(folder: Path, sizes: tuple[int, ...], largest: Path, runs: int) -> None:
    """So many traces: the beginning of the largest corpus if that has as many in whole packs, or made for it."""
    print("\nIn the number of traces")
    for traces in sizes:
        part = beginning(largest, folder / f"first-{traces}", traces)
        told(part or simulated(folder / f"traces-{traces}", traces), folder, runs)


def in_length(folder: Path, settles: tuple[int, ...], traces: int, lengths: tuple[int, ...], runs: int) -> None:
    """Longer traces: runs that go on for so many rounds once they are legitimate; single traces of so many steps."""
    print("\nIn the length of the traces")
    for settle in settles:
        told(simulated(folder / f"settle-{settle}", traces, settle=settle), folder, runs)
    for length in lengths:
        single = simulated(folder / f"length-{length}", 1, nodes=(4,), settle=length // ROUND_OF_FOUR)
        told(single, folder, runs)


def in_members(folder: Path, members: tuple[int, ...], traces: int, runs: int) -> None:
    """Rings of so many members, with fewer traces for larger ones."""
    print("\nIn the number n of members")
    for number in members:
        corpus = simulated(folder / f"members-{number}", max(2, 4 * traces // number**2), nodes=(number,))
        told(corpus, folder, runs, f"n = {number}, ")


def told(corpus: Path, folder: Path, runs: int, what: str = "") -> None:
    """Judge a corpus some times, and print the cost."""
    counts, target = counted(corpus).counts, folder / "scaling"
    start = start_up(folder)
    ran = [judged(corpus, target) for _ in range(runs)]
    seconds, memory = median(run.processor for run in ran) - start, max(run.memory for run in ran)
    rate = f"{counts.events / seconds:,.0f} steps/s, {seconds / counts.events * 1e6:.2f} us a step"
    print(
        f"{what}{counts.traces:,} traces, {counts.events:,} steps, {distinct(target):,} distinct: {seconds:.1f} s and "
        f"{start:.1f} s start-up, {rate}, {memory:,.0f} MiB"
    )


def judged(corpus: Path, target: Path) -> Ran:
    """Judge a corpus in one process."""
    return gomboc(*("replay", str(corpus), "--engine", "local", "--jobs", "1", "--output", str(target), "--overwrite"))


@cache
def start_up(folder: Path) -> float:
    """Processor time, in seconds, for a corpus of two traces."""
    corpus = simulated(folder / "two", 2)
    return median(judged(corpus, folder / "start-up").processor for _ in range(3))


def distinct(verdicts: Path) -> int:
    """How many distinct steps a run has judged."""
    summary = msgspec.json.decode((verdicts / "summary.json").read_bytes())
    return sum(int(rule["fired"]) for rule in summary["coverage"]["rules"])
