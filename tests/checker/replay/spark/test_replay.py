"""On Spark, a trace costs one row, even a faulty one, and a job is written completely or not at all."""

import hashlib
import json
import os
import random
from unittest.mock import patch

import msgspec
import pyarrow
import pyarrow.parquet
import pytest

from gomboc.checker.core.errors import SparkJobError
from gomboc.checker.core.output import MARKER, whole_folder
from gomboc.checker.judge.naive import Options, judge
from gomboc.checker.replay.exercised import judge_observed, together
from gomboc.checker.replay.spark import replay as module
from gomboc.checker.replay.spark.replay import EXERCISED, judge_batches, replay
from gomboc.checker.replay.stored import OF_ROWS
from gomboc.checker.summary.summary import sum_up
from gomboc.checker.summary.verdict_row import Row, judge_to_row
from tests.checker import ring
from tests.checker.refusing import sentence

DEFAULT = Options()
CONTENTS = {"holds": ring.HOLDS, "violated": ring.VIOLATED, "unreadable": ring.UNREADABLE, "unknown": ring.UNKNOWN}


def traces(folder, *names):
    """A file of each name; the name's first word is the kind of its content."""
    folder.mkdir(exist_ok=True)
    paths = [folder / f"{name}.jsonl" for name in names]
    for path in paths:
        path.write_bytes(CONTENTS.get(path.stem.split("-")[0], ring.HOLDS))
    return [str(path) for path in paths]


def batch(paths):
    return pyarrow.RecordBatch.from_pydict({"trace": paths})


def rows_of(batches):
    return [msgspec.convert(row, Row) for batch in batches for row in batch.to_pylist()]


def judged(marks, *batches, options=DEFAULT):
    marks.mkdir(exist_ok=True)
    return rows_of(judge_batches([batch(paths) for paths in batches], options, str(marks)))


def mark_of(path):
    return hashlib.sha256(path.encode()).hexdigest()


def marks_in(folder):
    """The marks in a folder, in which workers also write the coverage of their traces."""
    return [name for name in ring.names(folder) if not name.endswith(EXERCISED)]


def judge_badly(reader, options):
    """A judge that fails at some traces and dies of others."""
    if reader.path.stem == "poison":
        raise ZeroDivisionError("too bitter")
    if reader.path.stem == "deadly":
        os._exit(1)
    return judge(reader, options)


def judge_batches_badly(batches, options, marks):
    """The worker with that judge in it. Spark hands workers the name of a function, and no patch made elsewhere."""
    with patch("gomboc.checker.replay.exercised.judge", judge_badly):
        yield from judge_batches(batches, options, marks)


def test_every_path_has_its_row_in_the_order_of_the_batches(tmp_path):
    paths = traces(tmp_path / "traces", *CONTENTS)
    rows = judged(tmp_path / "marks", paths[:1], paths[1:])
    assert rows == [judge_to_row(path, DEFAULT) for path in paths]
    assert [row.verdict for row in rows] == [*CONTENTS]


def test_a_batch_without_paths_has_no_rows(tmp_path):
    assert judged(tmp_path / "marks", pyarrow.array([], pyarrow.string())) == []


def test_options_reach_the_judge(tmp_path):
    (path,) = traces(tmp_path / "traces", "holds")
    (row,) = judged(tmp_path / "marks", [path], options=Options(most_steps=1))
    assert (row.verdict, row.error) == ("unknown", "only the first step was judged")


def test_a_trace_that_the_judge_fails_at_costs_one_verdict(tmp_path):
    paths = traces(tmp_path / "traces", "holds-1", "poison", "holds-2")
    with patch("gomboc.checker.replay.exercised.judge", judge_badly):
        rows = judged(tmp_path / "marks", paths)
    assert [row.verdict for row in rows] == ["holds", "unknown", "holds"]
    assert rows[1].error == f"{paths[1]}: the judge failed with ZeroDivisionError: too bitter."
    assert marks_in(tmp_path / "marks") == []


def test_a_trace_that_took_a_worker_with_it_is_left_alone(tmp_path):
    paths = traces(tmp_path / "traces", "holds-1", "holds-2", "holds-3")
    (tmp_path / "marks").mkdir()
    (tmp_path / "marks" / mark_of(paths[1])).touch()
    rows = judged(tmp_path / "marks", paths)
    assert [row.verdict for row in rows] == ["holds", "unknown", "holds"]
    assert rows[1].error == f"{paths[1]}: the worker that judged it before died, so it was left alone."
    assert marks_in(tmp_path / "marks") == [mark_of(paths[1])]


def test_a_mark_stands_while_its_trace_is_judged_and_no_longer(tmp_path):
    paths = traces(tmp_path / "traces", "holds-1", "holds-2")
    standing = []

    def judge(path, options):
        standing.append((path, ring.names(tmp_path / "marks")))
        return judge_observed(path, options)

    with patch("gomboc.checker.replay.spark.replay.judge_observed", judge):
        judged(tmp_path / "marks", paths)
    assert standing == [(path, [mark_of(path)]) for path in paths]
    assert marks_in(tmp_path / "marks") == []


def test_a_trace_that_is_judged_again_after_a_retry_has_the_same_row(tmp_path):
    paths = traces(tmp_path / "traces", "holds", "violated")
    assert judged(tmp_path / "marks", paths) == judged(tmp_path / "marks", paths)


def test_the_summary_is_the_same_in_whichever_order_rows_come(tmp_path):
    paths = traces(tmp_path / "traces", *(f"{name}-{number}" for name in CONTENTS for number in range(4)))
    rows = judged(tmp_path / "marks", paths)
    summary = sum_up(rows)
    assert summary.verdicts == dict.fromkeys(sorted(CONTENTS), 4)
    for seed in range(3):
        assert sum_up(random.Random(seed).sample(rows, len(rows))) == summary


@pytest.mark.spark
def test_a_faulty_trace_costs_one_verdict_and_never_the_job(spark, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "judge_batches", judge_batches_badly)
    wrong = "unreadable", "poison", "deadly", "violated", "unknown"
    paths = traces(tmp_path / "traces", *wrong, *(f"holds-{number:02}" for number in range(12)))
    output = []
    replay(spark, paths, DEFAULT, tmp_path / "verdicts", lambda done, total: output.append((done, total)))

    table = pyarrow.parquet.read_table(tmp_path / "verdicts")
    assert table.schema.equals(OF_ROWS)

    rows = {row.trace: row for row in (msgspec.convert(row, Row) for row in table.to_pylist())}
    assert sorted(rows) == sorted(paths)
    _, poison, deadly = paths[:3]
    assert rows.pop(poison).error == f"{poison}: the judge failed with ZeroDivisionError: too bitter."
    assert rows.pop(deadly).error == f"{deadly}: the worker that judged it before died, so it was left alone."
    assert rows == {path: judge_to_row(path, DEFAULT) for path in rows}

    assert (tmp_path / "verdicts" / "_SUCCESS").exists()
    assert ring.names(tmp_path) == ["traces", "verdicts"]
    assert all(0 <= done <= total == 8 for done, total in output)


@pytest.mark.spark
def test_a_job_goes_on_however_many_of_its_traces_kill_their_worker(spark, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "judge_batches", judge_batches_badly)
    (tmp_path / "traces").mkdir()
    paths = [
        path
        for number in range(24)
        for path in traces(tmp_path / "traces" / str(number), "deadly" if number < 3 else "holds")
    ]
    replay(spark, paths, DEFAULT, tmp_path / "verdicts", lambda done, total: None)
    verdicts = pyarrow.parquet.read_table(tmp_path / "verdicts")["verdict"].to_pylist()
    assert sorted(verdicts) == ["holds"] * 21 + ["unknown"] * 3


def fail(batches, options, marks):
    """A worker that fails as a whole."""
    for _ in batches:
        raise ZeroDivisionError("all is lost")
    yield from ()


@pytest.mark.spark
def test_a_job_that_fails_leaves_the_former_verdicts_and_nothing_else(spark, tmp_path, monkeypatch):
    from pyspark.errors import PySparkException

    paths = traces(tmp_path / "traces", "holds")
    with whole_folder(tmp_path / "verdicts") as folder:
        (folder / "former").write_text("precious")
    monkeypatch.setattr(module, "judge_batches", fail)
    with pytest.raises((PySparkException, SparkJobError)) as failed:
        replay(spark, paths, DEFAULT, tmp_path / "verdicts", lambda done, total: None, overwrite=True)
    assert "ZeroDivisionError: all is lost" in str(failed.value)
    assert ring.names(tmp_path) == ["traces", "verdicts"]
    assert ring.names(tmp_path / "verdicts") == [MARKER, "former"]


@pytest.mark.spark
def test_verdicts_of_spark_equal_those_of_this_process_and_replace_old_ones(spark, tmp_path):
    paths = [str(ring.simulated(tmp_path, index, nodes=(1, 4), traces=4)) for index in range(4)]
    with whole_folder(tmp_path / "verdicts") as folder:
        (folder / "former").write_text("obsolete")
    exercised = replay(spark, paths, DEFAULT, tmp_path / "verdicts", lambda done, total: None, overwrite=True)
    assert exercised == together(judge_observed(path, DEFAULT)[1] for path in paths)
    assert "former" not in ring.names(tmp_path / "verdicts")
    read = pyarrow.parquet.read_table(tmp_path / "verdicts").to_pylist()
    rows = sorted((msgspec.convert(row, Row) for row in read), key=lambda row: row.trace)
    assert rows == [judge_to_row(path, DEFAULT) for path in paths]


def test_a_place_that_cannot_be_written_is_refused_before_anything_is_judged(tmp_path):
    (tmp_path / "mine").write_text("precious")
    assert (
        sentence(replay, None, [], DEFAULT, tmp_path / "mine" / "verdicts", lambda done, total: None)
        == f"{tmp_path / 'mine' / 'verdicts'}: it cannot be written: Not a directory."
    )
    assert (tmp_path / "mine").read_text() == "precious"


def test_a_row_is_json_that_can_be_read(tmp_path):
    (path,) = traces(tmp_path / "traces", "violated")
    (row,) = judged(tmp_path / "marks", [path])
    assert json.loads(row.judgement)["conformance"]["type"] == "violated"
