"""Rounds until Skip+ is right: `python -m tests.bench churn`, ten minutes.

After one node joins, leaves or crashes in a right graph; and from arbitrary starts, also where some are known that are
gone. The implementation runs, and the specification says when nothing is wrong any more, on its way neither.
"""

from collections.abc import Callable
from functools import partial
from math import ceil, log2
from random import Random
from statistics import median
from typing import Any

from gomboc.checker.evidence.skip_plus.experiments.starts import random_names, settled
from gomboc.checker.replay.pack.dictionary import Dictionary
from gomboc.checker.replay.pack.record import Recorder
from gomboc.checker.simulate.packed_run import IdleSteps, PackedRun, encode
from gomboc.checker.simulate.plan import Plan, header, header_of
from gomboc.checker.simulate.watch import Faults
from gomboc.impl.api.registry import implementation
from gomboc.impl.runtime.disciplines import Discipline
from gomboc.impl.runtime.simulator import Conditions, Simulation, TimedCommand
from gomboc.spec.protocols.skip_plus import PROTOCOL
from gomboc.spec.protocols.skip_plus.space import bits

RUNS = {8: 100, 16: 100, 32: 40, 64: 20}
AFTER = 3
"""Rounds after which the command comes."""


def main() -> None:
    """Measure, and print a line for each number of nodes and each thing that happens."""
    for nodes, runs in RUNS.items():
        for what, (run, target) in MEASURED.items():
            durations = sorted(run(nodes, number) for number in range(runs))
            print(
                f"n = {nodes:2}, {what:36} {median(durations):4g} rounds in the median, {durations[-1]:2} at worst, "
                f"{runs:3} runs; meant are {target(nodes)} at most",
                flush=True,
            )


def disturbed(kind: str, nodes: int, number: int) -> int:
    """Rounds after one node of a right graph of so many joins, leaves or crashes; after a join they are so many."""
    random = Random(f"{kind} {nodes} {number}")
    names = random_names(nodes, random.randrange(1 << 32), bits(nodes))
    who, contact = random.sample(names, 2)
    start = header_of(PROTOCOL, settled(names, (who,) if kind == "Join" else ()).start())
    command = {"kind": kind} | ({"contact": contact} if kind == "Join" else {})
    return rounds(start, random.randrange(1 << 32), TimedCommand(AFTER, who, command))


def from_anywhere(outside: Callable[[int], int], nodes: int, number: int) -> int:
    """Rounds from an arbitrary start of so many nodes, and others that are known and take no part."""
    plan = Plan("skip_plus", "skip_plus", (nodes,), number + 1, seed=1, outside=outside(nodes))
    return rounds(header(plan, number), plan.seed_of(number, "run"))


def rounds(start: dict[str, Any], seed: int, *commands: TimedCommand) -> int:
    """Rounds until all is right, after those commands if there are any. Raises RuntimeError above the bound."""
    running = Simulation(
        start, implementation("skip_plus"), seed, Conditions(commands=commands, discipline=Discipline.ROUNDS)
    )
    words = Dictionary()
    states = {name: encode(state) for name, state in start["states"].items()}
    messages = [(message["id"], message["to"], encode(message["message"])) for message in start["messages"]]
    recorder = Recorder(words, encode(start), start["roles"], states, messages)
    run = PackedRun(words, recorder, start["roles"], Faults(PROTOCOL, words), IdleSteps())
    most = PROTOCOL.starts.bound(len(start["roles"])) + AFTER
    for step in running.steps():
        run.take(step)
        if run.watch.commands == len(commands) and run.watch.rounds is not None:
            return run.watch.rounds
        if run.watch.completed > most:
            break
    raise RuntimeError(f"a run of {len(start['roles'])} nodes is not right after {most} rounds")


MEASURED: dict[str, tuple[Callable[[int, int], int], Callable[[int], int]]] = {
    "one joins": (partial(disturbed, "Join"), lambda nodes: 2 * ceil(log2(nodes)) + 4),
    "one crashes": (partial(disturbed, "Crash"), lambda _: 10),
    "one leaves": (partial(disturbed, "Leave"), lambda _: 6),
    "any start": (partial(from_anywhere, lambda _: 0), lambda nodes: 2 * ceil(log2(nodes)) + 2),
    "any start, half as many more are gone": (
        partial(from_anywhere, lambda nodes: nodes // 2),
        lambda nodes: 2 * ceil(log2(nodes)) + 6,
    ),
}
