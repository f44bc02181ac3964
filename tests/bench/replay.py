"""Steps per second of the factored replay, of the naive one and of an afternoon's, on the same traces in one run.

The naive and the afternoon's replay get the first traces of the corpus as JSON Lines: both cost the same for each step
of any further trace, while the factored replay costs the less for a step the more traces there are.
"""

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from gomboc.checker.core.processes.collecting import without_collecting
from gomboc.checker.distinct.distinct import Distinct
from gomboc.checker.distinct.marks import Marks
from gomboc.checker.distinct.spelling import Decoders
from gomboc.checker.judge.naive import Options, find_variant, judge_file
from gomboc.checker.replay.kernel.blocks.judge import PackJudge
from gomboc.checker.replay.kernel.blocks.verdicts import table_of
from gomboc.checker.replay.kernel.frames.batch import batch_of
from gomboc.checker.replay.pack.read import open_corpus
from gomboc.checker.replay.run.local import LocalPool
from gomboc.checker.replay.run.replay import How, replay_corpus
from gomboc.checker.replay.run.run import Engine
from gomboc.checker.replay.run.tasks import do_part
from gomboc.checker.replay.run.work import Job, Part, survey
from tests.bench import afternoon
from tests.bench.corpora import as_lines, counted, simulated
from tests.bench.measure import in_turn, processor_of_all, ratio

OPTIONS = Options()

AFTERNOON = "an afternoon's replay"


def replays(corpus: Path, folder: Path, traces: int, runs: int) -> None:
    """All replays in one process, in processor time; the naive ones over that many traces."""
    counts = counted(corpus).counts
    lines, steps = as_lines(corpus, folder / "lines", traces)
    print(f"\nReplays of {counts.traces:,} traces, {counts.events:,} steps; the naive ones of {steps:,} steps")
    measured: dict[str, tuple[int, Callable[[], object]]] = {
        AFTERNOON: (steps, lambda: [afternoon.judge(path) for path in lines]),
        "naive replay": (steps, lambda: [judge_file(path) for path in lines]),
        "compose and count": (counts.events, lambda: compose(corpus)),
        "judge distinct steps": (counts.events, lambda: distinct(corpus, folder)),
        "factored, end to end": (counts.events, lambda: whole(corpus, folder / "verdicts", LocalPool(1))),
    }
    seconds = in_turn({name: run for name, (_, run) in measured.items()}, runs, time.process_time)
    ratios = {name: [second / measured[name][0] for second in times] for name, times in seconds.items()}
    for name, item in ratios.items():
        print(
            f"{name:24} {1 / median(item):12,.0f} steps/s per core (from {1 / max(item):,.0f} to "
            f"{1 / min(item):,.0f}), {ratio(ratios['naive replay'], item):.1f} of the naive replay, "
            f"{ratio(ratios[AFTERNOON], item):.1f} of an afternoon's"
        )


@without_collecting()
def compose(source: Path) -> int:
    """Compose and count every trace, from Parquet, as if every distinct step were known to be right."""
    corpus = open_corpus(source)
    protocol = find_variant(corpus.manifest.protocol, None, corpus.manifest.parameters)
    rows = 0
    for pack in corpus.packs():
        words = Distinct(pack.states, pack.messages, pack.steps)
        judge = PackJudge(protocol, pack.info.parameters, words, Marks(words), Decoders(protocol))
        for group in range(pack.row_groups):
            traces = pack.traces(group)
            rows += sum(len(table_of(findings)) for findings in judge.judge(batch_of(traces), OPTIONS))
    return rows


def distinct(source: Path, folder: Path) -> int:
    """Judge every distinct step of the corpus; how many there are."""
    packs = survey(source, keep_going=False)
    job = Job(str(source), packs.protocol, OPTIONS, str(folder), packs.content, packs.parameters)
    return do_part(job, Part("all", 0, 1), sorted(packs.digests)).steps


def whole(source: Path, target: Path, engine: Engine) -> None:
    """Everything that `gomboc replay` does."""
    shutil.rmtree(target, ignore_errors=True)
    replay_corpus(source, OPTIONS, How(target), engine)


def engines(corpus: Path, folder: Path, runs: int) -> None:
    """Processes and Spark, each with all cores, by the clock and in processor time; Spark's start-up is not counted."""
    from gomboc.checker.replay.run.on_spark import OnSpark
    from gomboc.checker.replay.spark.session import spark_session

    jobs, counts = os.cpu_count() or 1, counted(corpus).counts
    print(f"\nEngines, {counts.traces:,} traces, {counts.events:,} steps")
    began, used = time.perf_counter(), processor_of_all()
    with spark_session(f"local[{jobs}]") as session:
        processes, spark = f"{jobs} processes", f"Spark local[{jobs}]"
        measured = {
            processes: lambda: whole(corpus, folder / "local", LocalPool(jobs)),
            spark: lambda: whole(corpus, folder / "spark", OnSpark(session)),
        }
        # The first job of a session starts its Python workers, which is start-up.
        whole(simulated(folder / "first", 20), folder / "spark", OnSpark(session))
        clock, processor = time.perf_counter() - began, processor_of_all() - used
        print(f"starting Spark and its workers: {clock:.1f} s by the clock, {processor:.1f} s of a processor")
        taken: dict[str, list[tuple[float, float]]] = {name: [] for name in measured}
        for _ in range(runs):
            for name, run in measured.items():
                taken[name].append(_both(run))
    for number, unit in enumerate(("by the clock", "of a processor")):
        ours = {name: [pair[number] for pair in pairs] for name, pairs in taken.items()}
        for name, seconds in ours.items():
            all_of_them = ", ".join(f"{each:.1f}" for each in seconds)
            print(f"{name:16} {all_of_them} s {unit}: {ratio(seconds, ours[processes]):.2f} times the processes")


def _both(run: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the clock, and of a processor in all processes."""
    began, used = time.perf_counter(), processor_of_all()
    run()
    return time.perf_counter() - began, processor_of_all() - used
