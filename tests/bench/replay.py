"""Steps per second of the factored replay, of the naive one and of an afternoon's, on the same traces in one run.

`python -m tests.bench.replay CORPUS [--sample TRACES] [--runs N] [--spark]`: CORPUS is a corpus of packs, as
`gomboc simulate skip_ring --traces 20000 --nodes 2..4 --into packs --output CORPUS` writes it. The naive and the
afternoon's replay get the first TRACES of it as JSON Lines. All figures are of one process, in processor time that the
process was given, unless they say otherwise; ratios are of figures that were measured in turn.
"""

import argparse
import os
import platform
import resource
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np

from checker.engine.judging import judge_part
from checker.engine.local import Local
from checker.engine.replay import How, replay_corpus
from checker.engine.work import Job, Part
from checker.judge import Options, find_variant, judge_file
from checker.kernel.batch import batch_of
from checker.kernel.dictionary import Dictionary
from checker.kernel.judge import PackJudge
from checker.kernel.judged import Judged
from checker.kernel.rows import table_of
from checker.kernel.values import Values
from checker.pack.export import Exporter
from checker.pack.read import open_corpus
from tests.bench import afternoon

OPTIONS = Options()


def main() -> None:
    """Measure, and print a line for each figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--spark", action="store_true")
    told = parser.parse_args()
    corpus = open_corpus(told.corpus)
    counts = corpus.manifest.counts
    print(f"CPython {platform.python_version()}, numpy {np.__version__}, {os.cpu_count()} cores, {platform.machine()}")
    print(
        f"{counts.traces:,} traces, {counts.events:,} steps, {counts.steps:,} local steps in {len(corpus.names)} packs"
    )
    with TemporaryDirectory() as name:
        folder = Path(name)
        lines, steps = sample(told.corpus, folder / "lines", told.sample)
        measured: dict[str, tuple[int, Callable[[], object]]] = {
            "an afternoon's replay": (steps, lambda: [afternoon.judge(path) for path in lines]),
            "naive replay": (steps, lambda: [judge_file(path) for path in lines]),
            "compose and count": (counts.events, lambda: compose(told.corpus)),
            "judge distinct steps": (counts.events, lambda: distinct(told.corpus, folder)),
            "factored, end to end": (counts.events, lambda: whole(told.corpus, folder / "verdicts", Local(1))),
        }
        report(measured, told.runs)
        both(told.corpus, folder, counts.events, told.spark)
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(f"peak memory of a process: {peak / 1024:,.0f} MiB")


def sample(source: Path, folder: Path, traces: int) -> tuple[list[Path], int]:
    """The first traces as JSON Lines, and how many steps they have."""
    folder.mkdir()
    corpus = open_corpus(source)
    paths, steps = [], 0
    for name, lines in Exporter(corpus.pack(corpus.names[0])).traces():
        path = folder / f"{name}.jsonl"
        written = list(lines)
        path.write_bytes(b"".join(written))
        steps += len(written) - 1
        paths.append(path)
        if len(paths) == traces:
            break
    return paths, steps


def compose(source: Path) -> int:
    """Compose and count every trace, from Parquet, as if every distinct step were known to be right."""
    corpus = open_corpus(source)
    protocol = find_variant(corpus.manifest.protocol, None, corpus.manifest.parameters)
    rows = 0
    for pack in corpus.packs():
        words = Dictionary(pack.states, pack.messages, pack.steps)
        judge = PackJudge(protocol, pack.info.parameters, words, Judged(words), Values(protocol))
        for group in range(pack.row_groups):
            traces = pack.traces(group)
            names, low = traces["name"].to_pylist(), 0
            for block in judge.judge(batch_of(traces), OPTIONS):
                low, high = low + len(block.steps), low
                rows += len(table_of(block, names[high:low], protocol.name))
    return rows


def distinct(source: Path, folder: Path) -> int:
    """Judge every distinct step of the corpus."""
    corpus = open_corpus(source)
    job = Job(str(source), corpus.manifest.protocol, OPTIONS, str(folder))
    return judge_part(job, Part("all", 0, 1), corpus.names).distinct


def whole(source: Path, target: Path, engine: Local) -> None:
    """Everything that `gomboc replay` does."""
    shutil.rmtree(target, ignore_errors=True)
    replay_corpus(source, OPTIONS, How(target), engine)


def report(measured: dict[str, tuple[int, Callable[[], object]]], runs: int) -> None:
    """The figures of several runs, in turn, and their ratio to the naive replay in the same run."""
    rates: dict[str, list[float]] = {name: [] for name in measured}
    for _ in range(runs):
        for name, (steps, run) in measured.items():
            began = time.process_time()
            run()
            rates[name].append(steps / (time.process_time() - began))
    for name, found in rates.items():
        ratio = median(rate / base for rate, base in zip(found, rates["naive replay"], strict=True))
        print(
            f"{name:24} {median(found):12,.0f} steps/s per core (from {min(found):,.0f} to {max(found):,.0f}), "
            f"{ratio:.1f} of the naive replay"
        )


def both(source: Path, folder: Path, steps: int, spark: bool) -> None:
    """All cores, in processes and on Spark, by the clock."""
    jobs = os.cpu_count() or 1
    seconds = timed(lambda: whole(source, folder / "local", Local(jobs)))
    print(f"{jobs} processes           {steps / seconds:12,.0f} steps/s by the clock, {seconds:.1f} s")
    if not spark:
        return
    from checker.engine.on_spark import OnSpark
    from checker.spark.session import spark_session

    with spark_session(f"local[{jobs}]") as session:
        there = timed(lambda: replay_corpus(source, OPTIONS, How(folder / "spark"), OnSpark(session)))
    again = timed(lambda: whole(source, folder / "local", Local(jobs)))
    ratio = there / ((seconds + again) / 2)
    print(
        f"Spark local[{jobs}]         {steps / there:12,.0f} steps/s by the clock, {there:.1f} s, {ratio:.2f} as long"
    )


def timed(run: Callable[[], object]) -> float:
    """Seconds by the clock."""
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main())
