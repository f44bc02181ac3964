"""Benchmarks: `make bench`, and `make bench SIZE=full` for a million traces, which takes hours.

`python -m tests.bench --help` has the options. Every figure is a median of several runs; ratios are of figures
measured in turn in this run. Processor time is that of the processes, independent of other load on the machine.
"""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench import anchors, explore, replay, scaling, simulate
from tests.bench.corpora import simulated
from tests.bench.measure import machine


@dataclass(frozen=True)
class Size:
    """How much is measured: numbers of traces, the last that of the main corpus; how many of them are replayed naively;
    rounds after legitimacy, in how many traces; steps of single traces; members, and traces of two members.
    """

    traces: tuple[int, ...]
    naive: int
    settles: tuple[int, ...]
    settled: int
    lengths: tuple[int, ...]
    members: tuple[int, ...]
    pairs: int


SIZES = {
    "reduced": Size((1_000, 10_000), 200, (4, 40), 500, (10_000, 100_000), (2, 4, 8, 16), 1_000),
    "full": Size(
        (1_000, 10_000, 100_000, 1_000_000),
        7_500,
        (4, 40, 400),
        2_000,
        (10_000, 100_000, 1_000_000),
        (2, 4, 8, 16),
        8_000,
    ),
}
PARTS = ("simulate", "replays", "engines", "traces", "length", "members", "anchors", "explore")
OF_THE_CORPUS = {"replays", "engines", "traces"}


def main() -> None:
    """Measure, and print a line for each figure."""
    arguments = options()
    print(machine())
    with TemporaryDirectory() as name:
        for part in arguments.parts:
            if part in OF_THE_CORPUS and arguments.corpus is None:
                arguments.corpus = simulated(Path(name) / "corpus", SIZES[arguments.size].traces[-1])
            measure(part, SIZES[arguments.size], arguments.corpus, Path(name), arguments.runs)


def measure(part: str, size: Size, corpus: Path, folder: Path, runs: int) -> None:
    """Measure one part of it."""
    match part:
        case "simulate":
            simulate.main()
        case "replays":
            replay.replays(corpus, folder, size.naive, runs)
        case "engines":
            replay.engines(corpus, folder, runs)
        case "traces":
            scaling.in_traces(folder, size.traces, corpus, runs)
        case "length":
            scaling.in_length(folder, size.settles, size.settled, size.lengths, runs)
        case "members":
            scaling.in_members(folder, size.members, size.pairs, runs)
        case "anchors":
            anchors.anchors(folder, runs)
        case "explore":
            explore.main()


def options() -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.bench")
    parser.add_argument("--size", choices=SIZES, default="reduced", help="how much; reduced ends within ten minutes")
    parser.add_argument("--corpus", type=Path, help="a corpus of packs to measure, instead of one that is made for it")
    parser.add_argument("--runs", type=int, default=3, help="how often each thing is measured")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="the parts to measure; all by default")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
