"""`gomboc replay` judges a folder on Spark, sums it up, and refuses impossible calls before Spark starts."""

import json
import subprocess
import sys
from contextlib import contextmanager

import msgspec
import pyarrow.parquet
import pytest

from gomboc.checker.cli.commands.replay import find_traces
from gomboc.checker.core.output import mark
from gomboc.checker.judge.naive import Options
from gomboc.checker.replay.spark import replay as module
from gomboc.checker.replay.spark import session as sessions
from gomboc.checker.replay.stored import as_batch
from gomboc.checker.summary.verdict_row import Row, judge_to_row
from tests.checker import ring
from tests.checker.cli.command import gomboc, refused

ON_SPARK = "replay", "--engine", "spark"

CONTENTS = {"holds": ring.HOLDS, "violated": ring.VIOLATED, "unreadable": ring.UNREADABLE, "unknown": ring.UNKNOWN}


def traces(folder, *names):
    folder.mkdir(exist_ok=True)
    for index, name in enumerate(names):
        (folder / f"{index}-{name}.jsonl").write_bytes(CONTENTS[name])
    return folder


class Session:
    version = "4.x"


@pytest.fixture
def without_spark(monkeypatch):
    """Everything but Spark: the traces are judged here, backwards, and the verdicts written as Spark would."""

    @contextmanager
    def spark_session(master, *, java=None, silence=None):
        yield Session()

    def replay(session, paths, options, output, progress, overwrite):
        output.mkdir(parents=True, exist_ok=True)
        table = pyarrow.Table.from_batches([as_batch([judge_to_row(path, options) for path in reversed(paths)])])
        pyarrow.parquet.write_table(table, output / "part-0.parquet")
        (output / "_SUCCESS").touch()
        mark(output)
        return []

    monkeypatch.setattr(sessions, "spark_session", spark_session)
    monkeypatch.setattr(module, "replay", replay)


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (("holds",), 0),
        (("holds", "unknown"), 3),
        (("unknown", "unreadable", "holds"), 2),
        (("violated", "unreadable", "unknown"), 1),
        (("unreadable", "violated"), 1),
    ],
)
def test_the_exit_code_is_violated_before_unreadable_before_unknown(names, code, without_spark, tmp_path):
    ran = gomboc(*ON_SPARK, traces(tmp_path / "traces", *names))
    assert (ran.code, ran.err) == (code, "")


def test_the_text_is_a_table_with_what_does_not_hold(without_spark, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = traces(tmp_path / "traces", "holds", "violated")
    ran = gomboc(*ON_SPARK, "traces")
    spec = judge_to_row(str(folder / "0-holds.jsonl"), Options()).spec
    assert ran == (
        1,
        "Rounds until legitimate: median, p99 and worst, against n; and the fewest rounds after that.\n"
        "  n  traces  steps        conform         closed  converged  median  p99  worst  stable rounds\n"
        "  1       2      5  1, 1 violated  1, 1 violated          2       0    0      0              1\n"
        "all       2      5  1, 1 violated  1, 1 violated          2       0    0      0              1\n"
        "Verdicts: 1 holds, 1 violated.\n"
        "  traces/1-violated.jsonl: violated at step 2 by subscriber_timeout\n"
        f"Judged by naive replay on Spark 4.x, master local[*]; specification {spec}.\n"
        "Look closer: gomboc check traces/1-violated.jsonl\n"
        "Verdicts as Parquet: traces.verdicts\n",
        "",
    )


def test_json_is_one_summary_and_nothing_else(without_spark, tmp_path):
    folder = traces(tmp_path / "traces", "holds", "violated", "unknown", "unreadable")
    ran = gomboc(*ON_SPARK, "--format", "json", folder)
    summary = json.loads(ran.out)
    assert (ran.code, ran.err) == (1, "")
    assert [*summary] == ["format", "verdict", "verdicts", "lines", "named", "example", "spec"]
    assert summary["verdicts"] == dict.fromkeys(sorted(CONTENTS), 1)
    assert summary["example"] == str(folder / "1-violated.jsonl")


def test_a_trace_that_cannot_be_read_is_named_once_with_its_line(without_spark, tmp_path):
    folder = traces(tmp_path / "traces", "unreadable")
    ran = gomboc(*ON_SPARK, folder)
    says = f"{folder}/0-unreadable.jsonl:2: the last line is cut off: it does not end with a newline."
    assert f"  {says}" in ran.out.splitlines()


def test_traces_are_found_at_any_depth_and_in_order(tmp_path):
    traces(tmp_path / "b", "holds")
    traces(tmp_path / "a", "violated", "holds")
    (tmp_path / "notes.txt").write_text("no trace")
    names = [str(path.relative_to(tmp_path)) for path in find_traces(tmp_path)]
    assert names == ["a/0-violated.jsonl", "a/1-holds.jsonl", "b/0-holds.jsonl"]


def test_options_reach_the_judge(without_spark, tmp_path):
    folder = traces(tmp_path / "traces", "holds")
    assert gomboc(*ON_SPARK, folder, "--output", tmp_path / "a").code == 0
    assert gomboc(*ON_SPARK, folder, "--output", tmp_path / "b", "--max-steps", "1").code == 3
    (folder / "0-holds.jsonl").write_bytes(ring.written({**ring.LOST, "bound": 9}, ring.SUPERVISES))
    assert gomboc(*ON_SPARK, folder, "--output", tmp_path / "c").code == 3
    assert gomboc(*ON_SPARK, folder, "--output", tmp_path / "d", "--bound", "0").code == 1


def test_verdicts_are_replaced_on_request_only(without_spark, tmp_path):
    folder = traces(tmp_path / "traces", "holds")
    target = tmp_path / "traces.verdicts"
    assert gomboc(*ON_SPARK, folder).code == 0
    says = "there is something already; choose another --output, or --overwrite it."
    assert refused(*ON_SPARK, folder) == f"gomboc: {target}: {says}\n"
    (folder / "0-holds.jsonl").write_bytes(ring.VIOLATED)
    assert gomboc(*ON_SPARK, folder, "--overwrite").code == 1


def test_a_folder_that_is_named_by_a_dot_is_as_good_as_any(without_spark, tmp_path, monkeypatch):
    monkeypatch.chdir(traces(tmp_path / "traces", "holds"))
    assert gomboc(*ON_SPARK, ".", "--output", tmp_path / "verdicts").code == 0
    ran = gomboc(*ON_SPARK, ".")
    assert ran.code == 0, "its verdicts go beside it, as they do by its name"
    assert ring.names(tmp_path) == ["traces", "traces.verdicts", "verdicts"]


def test_a_master_that_does_not_answer_is_named_and_nothing_is_left(tmp_path):
    folder = traces(tmp_path / "traces", "holds")
    assert refused(*ON_SPARK, folder, "--master", "spark://127.0.0.1:1") == (
        "gomboc: No Spark master answers at spark://127.0.0.1:1 (Connection refused): start it, or correct --master.\n"
    )
    assert ring.names(tmp_path) == ["traces"]


def test_a_master_that_is_none_is_refused(tmp_path):
    folder = traces(tmp_path / "traces", "holds")
    assert refused(*ON_SPARK, folder, "--master", "here") == (
        "gomboc: 'here' is not a Spark master: write local[*], local[N], spark://host:port, yarn or k8s://address.\n"
    )


def without_package(package, *words):
    """The command in a process of its own, in which that package is not installed."""
    program = (
        "import importlib.util, sys\n"
        "class Absent:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.split('.')[0] == {package!r}:\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "find_spec = importlib.util.find_spec\n"
        f"importlib.util.find_spec = lambda name: None if name == {package!r} else find_spec(name)\n"
        "sys.meta_path.insert(0, Absent())\n"
        "from gomboc.checker.cli import main\n"
        "main()\n"
    )
    return subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("package", ["pyarrow", "pyspark"])
def test_without_the_packages_of_spark_the_command_says_what_to_install(package, tmp_path):
    folder = traces(tmp_path / "traces", "holds")
    ran = without_package(package, *ON_SPARK, str(folder))
    who, extra = ("gomboc replay", "packs") if package == "pyarrow" else ("The Spark engine", "spark")
    says = f"gomboc: {who} needs the package {package}: pip install 'gomboc[{extra}]'.\n"
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", says)


def test_check_needs_no_package_of_spark(tmp_path):
    folder = traces(tmp_path / "traces", "holds")
    for package in ("pyarrow", "pyspark"):
        assert without_package(package, "check", str(folder / "0-holds.jsonl")).returncode == 0


@pytest.mark.spark
def test_a_replay_on_spark_writes_what_it_sums_up(spark, tmp_path, monkeypatch):
    @contextmanager
    def running(master, *, java=None, silence=None):
        yield spark

    monkeypatch.setattr(sessions, "spark_session", running)
    folder = traces(tmp_path / "traces", "holds", "violated", "unreadable", "unknown")
    ran = gomboc(*ON_SPARK, "--format", "json", folder, "--output", tmp_path / "verdicts")
    assert ran.code == 1
    assert all(line.startswith("judging: ") for line in ran.err.splitlines())
    rows = [msgspec.convert(row, Row) for row in pyarrow.parquet.read_table(tmp_path / "verdicts").to_pylist()]
    assert sorted(row.verdict for row in rows) == sorted(CONTENTS)
    assert json.loads(ran.out)["verdicts"] == dict.fromkeys(sorted(CONTENTS), 1)
    assert ring.names(tmp_path) == ["traces", "verdicts"]
