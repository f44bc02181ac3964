"""The commands where people start, each in turn with that of an older tree: `python -m tests.bench commands`.

Processor time of whole processes, start-up included. `--before DIR` names a checkout with an environment of its own in
`.venv`; without it, only this tree is measured.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tests.bench.corpora import as_lines, counted, simulated
from tests.bench.measure import Ran, gomboc, ratio

NO_STORE, STORE = ("--no-store",), "--store"
"""Options that an older tree does not have."""

SHORT = 2_000
"""Short traces; those of one pack, half of them on two cores, are also lines."""


@dataclass(frozen=True)
class Command:
    """A command on so many steps; `new` are words of it that only this tree knows."""

    name: str
    steps: int
    words: tuple[str, ...]
    new: tuple[str, ...] = ()


def commands(folder: Path, short: int, rounds: int, before: Path | None, runs: int) -> None:
    """Measure all commands on `short` short traces, and on one that goes on for `rounds` when it is legitimate."""
    print("\n| command | steps/s | MiB | times before |\n|---|---|---|---|")
    for command in prepared(folder, short, rounds):
        if command.new[:1] == (STORE,):
            gomboc(*command.words, *command.new)
        print(row(command, before, runs), flush=True)


def prepared(folder: Path, short: int, rounds: int) -> list[Command]:
    """The commands, with the traces that they are given below `folder`."""
    corpus = simulated(folder / "short", short)
    paths, steps = as_lines(corpus, folder / "short_lines", -(-short // 2))
    long = simulated(folder / "long", 1, (3,), rounds)
    (trace,), long_steps = as_lines(long, folder / "long_lines", 1)
    packed, events = str(folder / "packed"), counted(corpus).counts.events
    replay = ("replay", str(corpus), "--engine", "local", "--jobs", "1", "--output", packed, "--overwrite")
    drawn = (
        "--nodes",
        "2..4",
        "--traces",
        str(short),
        "--settle",
        "4",
        "--seed",
        "1",
        "--jobs",
        "1",
        "--into",
        "packs",
    )
    return [
        Command("check of one trace", long_steps, ("check", str(trace))),
        Command(f"check of {len(paths)} traces", steps, ("check", str(paths[0].parent))),
        Command("ingest", steps, ("ingest", str(paths[0].parent), "--jobs", "1", "--output", packed, "--overwrite")),
        Command("replay", events, replay, NO_STORE),
        Command("replay again, with the store", events, replay, (STORE, str(folder / "store"))),
        Command("simulate", events, ("simulate", "skip_ring", *drawn, "--output", packed, "--overwrite")),
    ]


def row(command: Command, before: Path | None, runs: int) -> str:
    """A line of the table."""
    here: list[Ran] = []
    there: list[Ran] = []
    for _ in range(runs):
        here.append(gomboc(*command.words, *command.new))
        if before is not None:
            there.append(gomboc(*command.words, python=str(before / ".venv/bin/python")))
    seconds = _seconds(here)
    times = f"{ratio(_seconds(there), seconds):.2f}" if there else ""
    memory = median(run.memory for run in here)
    return (
        f"| {command.name}, {command.steps:,} steps | {command.steps / median(seconds):,.0f} | {memory:.0f} | {times} |"
    )


def _seconds(ran: Sequence[Ran]) -> list[float]:
    return [run.processor for run in ran]
