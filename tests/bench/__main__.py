"""Steps per second of the simulation, of the naive replay in one process, and on Spark; and those of the explorers.

Each figure is the median of several runs on the same traces, taken in turn, so that a drift of the machine's speed
falls on all of them alike.
"""

import os
import platform
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory, mkdtemp

from checker.campaign.plan import Plan
from checker.campaign.simulate import simulate_trace
from checker.judge import Options, judge_file
from checker.spark.replay import replay
from checker.spark.session import spark_session
from tests.bench import explore

RUNS = 5
PLAN = Plan("skip_ring", "skip_ring", nodes=(4, 8, 16), traces=60, seed=1)


def main() -> None:
    """Measure, and print a line for each figure."""
    print(
        f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores, {platform.machine()}"
    )
    print(f"msgspec {version('msgspec')}, pyspark {version('pyspark')}, pyarrow {version('pyarrow')}")
    with TemporaryDirectory() as name, spark_session("local[*]") as session:
        folder = Path(name)
        steps = sum(simulate_trace(PLAN, folder, index).steps for index in range(PLAN.traces))
        paths = sorted(folder.glob("*.jsonl"))
        print(f"{PLAN.traces} traces, n = {', '.join(map(str, PLAN.nodes))}, {steps:,} steps; {RUNS} runs each")
        measured: dict[str, Callable[[], object]] = {
            "simulate and record, one process": lambda: _simulate(folder),
            "naive replay, one process": lambda: [judge_file(path) for path in paths],
            f"naive replay, Spark {session.sparkContext.master}": lambda: _replay(
                session, paths, Path(mkdtemp(dir=folder))
            ),
        }
        _report(measured, steps)
    explore.report(explore.everything())


def _simulate(folder: Path) -> None:
    for index in range(PLAN.traces):
        simulate_trace(PLAN, folder, index)


def _replay(session: object, paths: list[Path], output: Path) -> None:
    replay(session, [str(path) for path in paths], Options(), output, lambda done, total: None)


def _report(measured: dict[str, Callable[[], object]], steps: int) -> None:
    seconds: dict[str, list[float]] = {name: [] for name in measured}
    for _ in range(RUNS):
        for name, run in measured.items():
            began = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - began)
    base = median(seconds["naive replay, one process"])
    for name, times in seconds.items():
        rate, low, high = steps / median(times), steps / max(times), steps / min(times)
        ratio = base / median(times)
        print(f"{name:36} {rate:10,.0f} steps/s (from {low:,.0f} to {high:,.0f}), {ratio:.2f} of the naive replay")


if __name__ == "__main__":
    sys.exit(main())
