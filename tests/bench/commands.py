"""The commands where people start, in turn with those of an older tree and with the naive judge:
`python -m tests.bench commands`.

Processor time of whole processes, start-up included. `--before DIR` names a checkout with an environment of its own in
`.venv`; `--page` writes the table to `checker/BENCHMARKS.md`.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.bench.corpora import as_lines, counted, simulated
from tests.bench.measure import Ran, gomboc, machine, ratio

SHORT = 400
"""Short traces; those of one pack, half of them on two cores, are also lines."""

ROOT = Path(__file__).resolve().parents[2]

PAGE = ROOT / "checker" / "BENCHMARKS.md"

BEGIN, END = "<!-- python -m tests.bench commands -->\n", "<!-- end -->\n"
"""The lines of the page between which the table stands."""

HEAD = "| command | steps | steps/s | MiB | times before | times the naive judge |\n|---|---|---|---|---|---|"

NAIVE = ("check", "--max-steps", "1000000000")
"""The naive judge alone: the factored kernel knows no end before that of the trace."""

ONE = ("--jobs", "1")


class Traces(NamedTuple):
    """What is judged: a long trace, a folder of short ones, a corpus and one of another seed, with their steps; an
    empty store and a full one; and a folder for what is written.
    """

    long: Path
    long_steps: int
    lines: Path
    line_steps: int
    corpus: Path
    steps: int
    other: Path
    other_steps: int
    empty: Path
    full: Path
    written: Path


@dataclass(frozen=True)
class Command:
    """A command on so many steps; `new` are words of it that only this tree knows.

    The naive judge gets `naive`, which has `naive_steps`; None if there is nothing to judge. `store` is copied to where
    the command has its own before it runs.
    """

    name: str
    steps: int
    words: tuple[str, ...]
    new: tuple[str, ...] = ()
    naive: Path | None = None
    naive_steps: int = 0
    store: Path | None = None


def commands(folder: Path, short: int, rounds: int, before: Path | None, runs: int, page: bool = False) -> None:
    """Measure all commands on `short` short traces, and on one that goes on for `rounds` when it is legitimate."""
    # Otherwise each run of a tree whose modules are not compiled would compile them.
    for root in filter(None, (ROOT, before)):
        subprocess.run(
            [sys.executable, "-m", "compileall", "-q", root / "checker", root / "spec", root / "impl"], check=True
        )
    print(f"\n{HEAD}")
    rows = []
    for command in measured(prepared(folder, short, rounds), short):
        rows.append(row(command, folder / "store", before, runs))
        print(rows[-1], flush=True)
    if page:
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(with_table(text, rows, f"Runs of each, in turn: {runs}. {machine()}."), encoding="utf-8")


def with_table(page: str, rows: Iterable[str], caption: str) -> str:
    """The page with that caption and table. Raises ValueError if the two lines for it are not there, once each."""
    if page.count(BEGIN) != 1 or page.count(END) != 1:
        raise ValueError(f"{PAGE}: write the lines {BEGIN.strip()} and {END.strip()}, once each.")
    ahead, _, rest = page.partition(BEGIN)
    table = "\n".join((HEAD, *rows))
    return f"{ahead}{BEGIN}{caption}\n\n{table}\n{END}{rest.partition(END)[2]}"


def prepared(folder: Path, short: int, rounds: int) -> Traces:
    """The traces, below `folder`."""
    corpus, other = (simulated(folder / f"short_{seed}", short, seed=seed) for seed in (1, 2))
    paths, line_steps = as_lines(corpus, folder / "short_lines", -(-short // 2))
    (trace,), long_steps = as_lines(simulated(folder / "long", 1, (3,), rounds), folder / "long_lines", 1)
    for name in ("empty", "full"):
        (folder / name).mkdir(mode=0o700)
    written, full = folder / "written", folder / "full"
    gomboc(*_replay(corpus, written), "--store", str(full))
    steps, other_steps = (counted(packs).counts.events for packs in (corpus, other))
    lines = paths[0].parent
    return Traces(
        trace, long_steps, lines, line_steps, corpus, steps, other, other_steps, folder / "empty", full, written
    )


def measured(of: Traces, short: int) -> list[Command]:
    """All commands. The naive judge costs the same for each step of any further trace, so it gets the lines alone."""
    written = str(of.written)
    store = ("--store", str(of.written.parent / "store"))
    drawn = ("--nodes", "2..4", "--traces", str(short), "--settle", "4", "--seed", "1", *ONE)
    simulate = ("simulate", "skip_ring", *drawn, "--into", "packs", "--output", written, "--overwrite")
    ingest = ("ingest", str(of.lines), *ONE, "--output", written, "--overwrite")
    replay, other = _replay(of.corpus, of.written), _replay(of.other, of.written)
    naive = of.lines, of.line_steps
    return [
        Command("check of a long trace", of.long_steps, ("check", str(of.long)), (), of.long, of.long_steps),
        Command("check of many short traces", of.line_steps, ("check", str(of.lines)), (), *naive),
        Command("ingest", of.line_steps, ingest),
        Command("replay, first time, with an empty store", of.steps, replay, store, *naive, of.empty),
        Command("replay again, with the store", of.steps, replay, store, *naive, of.full),
        Command("replay of another seed, with the store", of.other_steps, other, store, *naive, of.full),
        Command("simulation into packs", of.steps, simulate),
    ]


def _replay(corpus: Path, written: Path) -> tuple[str, ...]:
    return "replay", str(corpus), "--engine", "local", *ONE, "--output", str(written), "--overwrite"


def row(command: Command, store: Path, before: Path | None, runs: int) -> str:
    """A line of the table; each run has its own copy of a store at `store`."""
    here: list[Ran] = []
    there: list[Ran] = []
    naive: list[Ran] = []
    for _ in range(runs):
        if command.store is not None:
            shutil.rmtree(store, ignore_errors=True)
            shutil.copytree(command.store, store)
        here.append(gomboc(*command.words, *command.new))
        if before is not None:
            there.append(gomboc(*command.words, python=str(before / ".venv/bin/python")))
        if command.naive is not None:
            naive.append(gomboc(*NAIVE, str(command.naive)))
    return line(command, here, there, naive)


def line(command: Command, here: Sequence[Ran], there: Sequence[Ran], naive: Sequence[Ran]) -> str:
    """A line of the table, of what was measured in turn: ratios are medians of those in one round, by the step."""
    ours = _each(here, command.steps)
    figures = f"{command.steps:,} | {1 / median(ours):,.0f} | {median(run.memory for run in here):.0f}"
    ratios = (
        f"{ratio(_each(runs, steps), ours):.2f}" if runs else ""
        for runs, steps in ((there, command.steps), (naive, command.naive_steps))
    )
    return f"| {command.name} | {figures} | {' | '.join(ratios)} |"


def _each(ran: Sequence[Ran], steps: int) -> list[float]:
    """Seconds of a processor for each step."""
    return [run.processor / steps for run in ran]
