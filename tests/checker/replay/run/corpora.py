"""Small corpora of the skip ring: simulated, and with lies hidden in them. And of Skip+, mutilated at random."""

import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pyarrow.parquet
from msgspec.structs import replace

from gomboc.checker.judge.naive import DEFAULT, Options
from gomboc.checker.replay.pack.ingest import find_sources, ingest
from gomboc.checker.replay.run.local import LocalPool
from gomboc.checker.replay.run.replay import How, replay_corpus
from gomboc.checker.replay.run.run import Engine
from gomboc.checker.simulate.plan import Plan
from gomboc.checker.simulate.simulate import simulate_trace
from gomboc.checker.summary.summary import Summary
from gomboc.checker.summary.verdict_row import Row, judge_to_row
from tests.checker.replay.kernel import mutilation
from tests.checker.replay.kernel.packed import readable
from tests.copying import copied
from tests.toys.words import spec as toy

Line = dict[str, Any]
Lies = Sequence[tuple[int, Callable[[list[Line], Random], None]]]
"""Which traces lie, and how."""

TRACES = 24
PLAN = Plan("skip_ring", "skip_ring", (2, 3, 4), TRACES, seed=11, settle=2)

LIES: Lies = (
    (1, mutilation.leave_out_send),
    (4, mutilation.leave_out_send),
    (5, mutilation.take_another_state),
    (8, mutilation.give_id_again),
    (11, mutilation.take_it_twice),
    (14, mutilation.hand_something_over),
    (17, mutilation.be_another_node),
    (20, mutilation.bound_it),
)


def recorded(plan: Plan, index: int) -> list[Line]:
    """A run of a plan, as JSON values."""
    with TemporaryDirectory() as folder:
        text = Path(simulate_trace(plan, Path(folder), index).path).read_text()
    return [json.loads(line) for line in text.splitlines()]


@cache
def honest(index: int) -> list[Line]:
    return recorded(PLAN, index)


def lines_folder(tmp_path: Path, lies: Lies = ()) -> Path:
    """A folder of JSON Lines; `lies` has (index, mutilation) pairs."""
    folder = tmp_path / "lines"
    folder.mkdir()
    for index in range(TRACES):
        trace = copied(honest(index))
        for where, lie in lies:
            if where == index:
                lie(trace, Random(index))
        (folder / f"trace-{index:02d}.jsonl").write_bytes(toy.written(*trace))
    return folder


COMING_AND_GOING = Plan("skip_plus", "skip_plus", (2, 3), 6, seed=8, rounds=40, settle=2, disturb=True, outside=2)
"""Runs in which nodes join, leave and crash, and some are known that are gone."""


def mutilate(folder: Path, edit: int) -> None:
    """Write into a folder runs of Skip+, so many for each kind of mutilation, each mutilated at random places.

    Traces that can no longer be read are left out.
    """
    honest_runs = [recorded(COMING_AND_GOING, index) for index in range(COMING_AND_GOING.traces)]
    for kind in mutilation.KINDS:
        for number in range(edit):
            random = Random(f"{kind.__name__} {number}")
            lines = copied(random.choice(honest_runs))
            kind(lines, random)
            if readable(text := toy.written(*lines)):
                (folder / f"{kind.__name__}-{number:02d}.jsonl").write_bytes(text)


def replayed(
    corpus: Path, output: Path, options: Options = DEFAULT, engine: Engine | None = None, **how: Any
) -> Summary:
    """The summary of a corpus, judged in this process if there is no other engine."""
    return replay_corpus(corpus, options, How(output, **how), engine or LocalPool(1))


def corpus_of(folder: Path, output: Path, pack_size: int = 7) -> Path:
    """Those traces as packs."""
    ingest(find_sources((folder,)), output, pack_size, 1, lambda done, total: None, False)
    return output


@cache
def naive_rows(folder: Path, options: Options) -> dict[str, Row]:
    """The naive judge's verdict, by name of the trace."""
    rows = [judge_to_row(str(path), options) for path in sorted(folder.glob("*.jsonl"))]
    return {Path(row.trace).stem: row for row in rows}


def unlike(rows: dict[str, dict[str, Any]], folder: Path, options: Options = DEFAULT) -> list[str]:
    """The names of the rows that are not the naive judge's on those traces; the whole judgement may be left out."""
    naive = naive_rows(folder, options)
    wanted = {name: msgspec.structs.asdict(replace(naive[name], trace=name, judgement=None)) for name in rows}
    return [name for name, row in rows.items() if row | wanted[name] != {**row, "judgement": None}]


def rows_in(folder: Path) -> dict[str, dict[str, Any]]:
    """Every row of verdicts, by trace, as a dictionary; none is there twice."""
    tables = [pyarrow.parquet.read_table(path) for path in sorted(folder.glob("verdicts-*.parquet"))]
    rows = [row for table in tables for row in table.to_pylist()]
    assert len({row["trace"] for row in rows}) == len(rows)
    return {row["trace"]: row for row in rows}


def without_places(summary: Summary) -> Summary:
    """The summary without the paths of its witnesses."""
    clusters = [replace(cluster, witness=None) for cluster in summary.clusters]
    return replace(summary, clusters=tuple(clusters), example=None)
