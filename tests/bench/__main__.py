"""Benchmarks: `make bench`, and `make bench SIZE=full` for a million traces, which takes hours.

`python -m tests.bench NAME` measures one thing; `--help` has the names. Every figure is a median of several runs;
ratios are of figures measured in turn in this run. Processor time is that of the processes, independent of other load
on the machine.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench import anchors, commands, replay, scaling
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


THOUSANDS = (1_000, 10_000, 100_000, 1_000_000)
SIZES = {
    "reduced": Size(THOUSANDS[:2], 200, (4, 40), 500, (10_000, 100_000), (2, 4, 8, 16), 1_000),
    "full": Size(THOUSANDS, 7_500, (4, 40, 400), 2_000, THOUSANDS[1:], (2, 4, 8, 16), 8_000),
}


@dataclass
class Bench:
    """The size, an empty folder, how often each thing is measured, a corpus to measure instead of a new one, an
    older tree to compare with, and whether the table of the commands goes to the page.
    """

    size: Size
    folder: Path
    runs: int
    given: Path | None
    before: Path | None
    page: bool

    @cached_property
    def corpus(self) -> Path:
        """The main corpus."""
        return self.given or simulated(self.folder / "corpus", self.size.traces[-1])


PARTS: dict[str, Callable[[Bench], None]] = {
    "commands": lambda of: commands.commands(
        of.folder, commands.SHORT, of.size.lengths[0], of.before, of.runs, of.page
    ),
    "simulate": lambda _: _alone("simulate"),
    "replays": lambda of: replay.replays(of.corpus, of.folder, of.size.naive, of.runs),
    "engines": lambda of: replay.engines(of.corpus, of.folder, of.runs),
    "traces": lambda of: scaling.in_traces(of.folder, of.size.traces, of.corpus, of.runs),
    "length": lambda of: scaling.in_length(of.folder, of.size.settles, of.size.settled, of.size.lengths, of.runs),
    "members": lambda of: scaling.in_members(of.folder, of.size.members, of.size.pairs, of.runs),
    "anchors": lambda of: anchors.anchors(of.folder, of.runs),
    "explore": lambda _: _alone("explore"),
}
"""What `make bench` measures."""

OVERLAYS = (
    *("bounds", "brokers", "churn", "lookups", "matching"),
    *("rejoin", "rest", "routes", "starved", "trie", "views"),
)
ALONE = ("cluster", *OVERLAYS)
"""Modules that measure one thing each, when they are named; `page` and `shrunk` are commands of their own."""


def _alone(name: str) -> None:
    import_module(f"tests.bench.overlays.{name}" if name in OVERLAYS else f"tests.bench.{name}").main()


def main() -> None:
    """Measure, and print a line for each figure."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.bench")
    names = [*PARTS, *ALONE]
    parser.add_argument("parts", nargs="*", metavar="NAME", help=f"default: {', '.join(PARTS)}; or {', '.join(ALONE)}")
    parser.add_argument("--size", choices=SIZES, default="reduced", help="how much; reduced ends within ten minutes")
    parser.add_argument("--corpus", type=Path, help="a corpus of packs to measure, instead of one that is made for it")
    parser.add_argument("--before", type=Path, help="an older checkout with a .venv, to compare commands with")
    parser.add_argument("--page", action="store_true", help="write the table of the commands to checker/BENCHMARKS.md")
    parser.add_argument("--runs", type=int, default=3, help="how often each thing is measured")
    options = parser.parse_args()
    if unknown := [part for part in options.parts if part not in names]:
        parser.error(f"there is nothing called {unknown[0]!r} to measure; there are: {', '.join(names)}")
    if options.before is not None and not (options.before / ".venv/bin/python").exists():
        parser.error(f"--before {options.before}: there is no .venv/bin/python in it: run make setup there")
    if options.page and (options.before is None or "commands" not in (options.parts or PARTS)):
        parser.error("--page is for commands with --before DIR, because the table has a column for it")
    if options.runs < 1:
        parser.error(f"--runs {options.runs}: give 1 or more")
    print(machine())
    with TemporaryDirectory() as folder:
        bench = Bench(SIZES[options.size], Path(folder), options.runs, options.corpus, options.before, options.page)
        for part in options.parts or PARTS:
            PARTS[part](bench) if part in PARTS else _alone(part)


if __name__ == "__main__":
    main()
