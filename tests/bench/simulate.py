"""Recorded steps a second and core, and where the time goes: `python -m tests.bench simulate`.

Everything is done in one process and in turn, and its own processor time is measured. The best of several runs is
printed beside the median: other work on the machine only ever makes a run slower.
"""

import time
from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from unittest.mock import patch

from gomboc.checker.replay.pack.corpus import PackTarget
from gomboc.checker.replay.pack.read import open_pack
from gomboc.checker.simulate.packs import Pieces, simulate_piece
from gomboc.checker.simulate.plan import Plan, header
from gomboc.checker.simulate.simulate import simulate_trace
from gomboc.checker.simulate.watch import Watch
from gomboc.impl.api.registry import implementation
from gomboc.impl.runtime.simulator import Simulation
from tests.bench.measure import in_turn

RUNS = 7
PLAN = Plan("skip_ring", "skip_ring", nodes=(2, 3, 4), traces=400, seed=1)
TENTH = range(0, PLAN.traces, 10)


def main() -> None:
    """Measure, and print a line for each figure."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        steps = into_packs(folder)
        print(f"{PLAN.traces} traces, n = {', '.join(map(str, PLAN.nodes))}, {sum(steps):,} steps, {RUNS} runs each")
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        text = Path(simulate_trace(PLAN, folder, 0).path).read_bytes().splitlines(keepends=True)
        print(f"packs take {size / sum(steps):.2f} bytes a step, JSON Lines {sum(map(len, text)) / len(text):.0f}")
        report(folder, steps)


def into_packs(folder: Path) -> list[int]:
    """Simulate the plan into one pack; how many steps each trace has."""
    target = PackTarget(str(folder), PLAN.protocol, {})
    (entry,) = simulate_piece(Pieces(PLAN, target, PLAN.traces), 0).packs
    (table,) = open_pack(folder / entry.name).trace_batches()
    return [len(events) for events in table["events"].to_pylist()]


def report(folder: Path, steps: list[int]) -> None:
    """Measure everything in turn, and print it."""
    target = PackTarget(str(folder), PLAN.protocol, {})
    whole = partial(simulate_piece, Pieces(PLAN, target, PLAN.traces), 0)
    tenth = sum(steps[index] for index in TENTH)
    measured: dict[str, tuple[int, Callable[[], object]]] = {
        "into packs": (sum(steps), whole),
        "  of which drawing the starts": (sum(steps), lambda: [header(PLAN, index) for index in range(PLAN.traces)]),
        "  and the implementation, simulated": (sum(steps), partial(simulated, steps)),
        "  and everything but the watch": (sum(steps), partial(unwatched, whole, steps)),
        "into JSON Lines": (tenth, lambda: [simulate_trace(PLAN, folder, index) for index in TENTH]),
    }
    seconds = in_turn({name: run for name, (_, run) in measured.items()}, RUNS, time.process_time)
    for name, times in seconds.items():
        count = measured[name][0]
        best, usual = min(times) / count, median(times) / count
        print(f"{name:36} {best * 1e6:6.2f} us a step at best, {usual * 1e6:6.2f} usually: {1 / best:9,.0f} steps/s")


def simulated(steps: list[int]) -> None:
    """Draw the start of every trace, run it, and forget its steps."""
    made = implementation(PLAN.implementation)
    for index, length in enumerate(steps):
        run = Simulation(header(PLAN, index), made, PLAN.seed_of(index, "run"))
        for _ in islice(run.steps(), length):
            pass


def unwatched(whole: Callable[[], object], steps: list[int]) -> None:
    """Simulate the plan into packs, told beforehand when each trace ends."""
    lengths = iter(steps)

    class Told(Watch):
        def _begin(self) -> None:
            self.completed, self.rounds, self.left = 0, None, next(lengths)

        def observe(self, *step: object) -> bool:
            self.left -= 1
            self.completed = 0 if self.left else 1_000_000
            return not self.left

    with patch("gomboc.checker.simulate.packed_run.Watch", Told):
        whole()
