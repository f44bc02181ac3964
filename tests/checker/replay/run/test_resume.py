"""A run that was killed is gone on with: the same summary and verdicts, nothing judged twice, nothing stale.

Source: checker/README.md, Corpora
"""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from gomboc.checker.core.errors import UsageError
from gomboc.checker.distinct.findings import PackFindings
from gomboc.checker.judge.naive import DEFAULT, Options
from gomboc.checker.replay.run import local, on_spark, tasks, units
from gomboc.checker.replay.run.local import LocalPool
from gomboc.checker.replay.run.on_spark import OnSpark
from gomboc.checker.replay.run.run import CorpusRun, begin, unfinished
from gomboc.checker.replay.run.tasks import do_unit
from gomboc.checker.replay.run.work import Job, survey, units_of
from gomboc.checker.simulate.packs import local as simulated_locally
from gomboc.checker.simulate.packs import simulate_packs
from gomboc.checker.simulate.plan import Plan
from tests.checker.refusing import sentence
from tests.checker.replay.pack.packs import quiet, recount
from tests.checker.replay.run.corpora import replayed, rows_in, without_places
from tests.sampling import THOROUGH

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[4]

KILLED_BETWEEN = """
from gomboc.checker.core import progress as showing
from gomboc.checker.replay.run import run, units
judge = units.Bench.judge

def slowly(bench, unit):
    time.sleep(0.5)
    return judge(bench, unit)

showing.TICK_SECONDS = 0.01
units.Bench.judge = slowly

@contextmanager
def progress(what):
    def report(done, total):
        if what == "judging traces" and done >= {after}:
            os.killpg(0, signal.SIGKILL)
    yield report

run.progress = progress
"""
"""The whole process group dies as soon as so many units are reported as done, regardless of the other processes.

Units take so long that no other one is done meanwhile, except on Spark, where the workers do not load this program.
"""

KILLED_AMID = """
from gomboc.checker.replay.run import units
judge, judged = units.Bench.judge, []

def killed(bench, unit):
    judged.append(unit)
    if len(judged) > {after}:
        os.killpg(0, signal.SIGKILL)
    return judge(bench, unit)

units.Bench.judge = killed
"""
"""It dies in the middle of a unit, after so many."""

BEFORE = """
import os, signal, sys, time
from contextlib import contextmanager
"""

AFTERWARDS = """
if __name__ == "__main__":
    from gomboc.checker.cli import main
    sys.argv[0] = "gomboc"
    main()
"""


def killed(folder, killing, after, *words):
    """Run the command in a process group of its own, until it is killed."""
    program = folder / "program.py"
    program.write_text(BEFORE + killing.format(after=after) + AFTERWARDS)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SPARK_LOCAL_IP": "127.0.0.1"}
    command = [sys.executable, program, *map(str, words)]
    ran = subprocess.run(command, env=environment, start_new_session=True, capture_output=True, text=True, check=False)
    assert ran.returncode == -signal.SIGKILL, ran.stderr


def judged(corpus, output):
    """The result and the folder of a run that started without leftovers."""
    return replayed(corpus, output), output


@pytest.fixture(scope="module")
def fresh(lying, tmp_path_factory):
    """The same of traces that lie."""
    return judged(lying[1], tmp_path_factory.mktemp("fresh") / "verdicts")


@pytest.fixture(scope="module")
def left(lying, tmp_path_factory):
    """The leftovers of a run that was killed between two of its four units."""
    folder = tmp_path_factory.mktemp("left")
    killed(folder, KILLED_BETWEEN, 2, "replay", lying[1], "--output", folder / "verdicts", "--jobs", 1)
    return unfinished(folder / "verdicts")


def same_as_fresh(corpus, output, fresh, engine=None):
    """Go on, and compare with a run that was not ended; the summary but for places, and every verdict."""
    resumed = replayed(corpus, output, engine=engine, resume=True)
    wanted, folder = fresh
    assert without_places(resumed) == without_places(wanted)
    assert rows_in(output) == rows_in(folder)
    assert not unfinished(output).exists()
    assert sorted(path.name for path in output.iterdir()) == sorted(path.name for path in folder.iterdir())


@pytest.fixture
def counted(monkeypatch):
    """The units that are judged from now on."""
    done = []
    monkeypatch.setattr(local, "do_unit", lambda job, unit: done.append(unit.pack) or do_unit(job, unit))
    return done


@pytest.mark.parametrize(("killing", "jobs"), [(None, 1), (KILLED_BETWEEN, 2), (KILLED_AMID, 1)])
def test_a_run_that_was_killed_and_resumed_ends_like_one_that_was_not(
    lying, fresh, left, tmp_path, counted, killing, jobs
):
    corpus, output = lying[1], tmp_path / "verdicts"
    if killing is None:
        shutil.copytree(left, unfinished(output))
    else:
        killed(tmp_path, killing, 2, "replay", corpus, "--output", output, "--jobs", jobs)
    assert not output.exists()
    done = len(list(unfinished(output).glob("verdicts-*.parquet")))
    assert 2 <= done < 4
    same_as_fresh(corpus, output, fresh)
    assert len(counted) == 4 - done, "what was missing"


def test_one_that_is_killed_again_and_again_ends_all_the_same(lying, fresh, tmp_path):
    """Twice: then the mark of a unit is not forgiven any more, and its traces are judged one by one."""
    corpus, output = lying[1], tmp_path / "verdicts"
    for _ in range(3 if THOROUGH else 2):
        killed(tmp_path, KILLED_AMID, 0, "replay", corpus, "--output", output, "--jobs", 1, "--resume")
    same_as_fresh(corpus, output, fresh)


@pytest.mark.spark
def test_a_run_that_was_killed_on_this_machine_is_gone_on_with_on_spark(spark, lying, fresh, left, tmp_path):
    shutil.copytree(left, unfinished(tmp_path / "verdicts"))
    same_as_fresh(lying[1], tmp_path / "verdicts", fresh, OnSpark(spark))


@pytest.mark.dear
@pytest.mark.spark
def test_a_run_that_was_killed_on_spark_is_gone_on_with_on_this_machine(lying, fresh, tmp_path):
    output = tmp_path / "verdicts"
    words = ("--output", output, "--engine", "spark", "--master", "local[1]")
    killed(tmp_path, KILLED_BETWEEN, 1, "replay", lying[1], *words)
    assert list(unfinished(output).glob("verdicts-*.parquet"))
    same_as_fresh(lying[1], output, fresh)


def interrupted(corpus, output, options=DEFAULT):
    """Leave a run behind that was ended after everything but its summary."""
    index = unfinished(output)
    begin(index, False)
    CorpusRun(corpus, options, index, False).run(LocalPool(1), survey(corpus, False))


def test_with_other_options_nothing_that_was_left_is_taken_for_done(true, tmp_path, counted):
    interrupted(true, tmp_path / "verdicts", Options(None, 0))
    counted.clear()
    same_as_fresh(true, tmp_path / "verdicts", judged(true, tmp_path / "fresh"))
    assert len(counted) == 8


def test_with_another_specification_nothing_that_was_left_is_taken_for_done(true, tmp_path, monkeypatch, counted):
    interrupted(true, tmp_path / "verdicts")
    monkeypatch.setattr("gomboc.checker.replay.run.work.spec_digest", lambda: "another")
    counted.clear()
    replayed(true, tmp_path / "verdicts", resume=True)
    assert len(counted) == 4


def test_with_the_same_everything_is_taken_for_done(true, tmp_path, counted):
    interrupted(true, tmp_path / "verdicts")
    counted.clear()
    replayed(true, tmp_path / "verdicts", resume=True)
    assert counted == []


def two_corpora(folder, traces):
    """Two corpora with packs of the same names, of two traces each."""
    for seed, name in ((1, "corpus"), (2, "other")):
        plan = Plan("skip_ring", "skip_ring", (2,), traces, seed, settle=0)
        simulate_packs(plan, folder / name, 2, simulated_locally(1), quiet)


def test_only_the_pack_that_was_changed_is_judged_again(tmp_path, counted):
    two_corpora(tmp_path, 6)
    interrupted(tmp_path / "corpus", tmp_path / "verdicts")
    swap(tmp_path / "corpus", tmp_path / "other", "000001.pack")
    counted.clear()
    wanted = judged(tmp_path / "corpus", tmp_path / "fresh")
    assert len(counted) == 3
    counted.clear()
    same_as_fresh(tmp_path / "corpus", tmp_path / "verdicts", wanted)
    assert counted == ["000001.pack"]


def swap(corpus, other, name):
    """Put a pack of another corpus in the place of the one that is there."""
    (corpus / name).rename(corpus.parent / "aside")
    (other / name).rename(corpus / name)
    recount(corpus)


def test_a_process_remembers_nothing_of_a_pack_that_was_changed_since(tmp_path):
    """The same folders, the same names: only the content differs, as it may between two runs in one session."""
    two_corpora(tmp_path, 2)
    before = replayed(tmp_path / "corpus", tmp_path / "verdicts")
    swap(tmp_path / "corpus", tmp_path / "other", "000000.pack")
    after = replayed(tmp_path / "corpus", tmp_path / "verdicts", overwrite=True)
    units.bench.cache_clear()
    wanted = replayed(tmp_path / "corpus", tmp_path / "fresh")
    assert after.lines == wanted.lines != before.lines


def test_a_leftover_that_is_damaged_since_is_one_sentence(true, tmp_path):
    interrupted(true, tmp_path / "verdicts")
    index = unfinished(tmp_path / "verdicts")
    (verdicts, *_), (judged,) = (sorted(index.glob(f"{kind}-*")) for kind in ("verdicts", "judged"))
    for path, says in ((verdicts, "these verdicts are"), (judged, "the recorded findings are")):
        path.write_bytes(path.read_bytes()[:-9])
        said = sentence(replayed, true, tmp_path / "verdicts", resume=True)
        assert said == f"{path}: {says} gone or damaged: run again without --resume."


def test_traces_judged_one_by_one_get_the_very_rows_that_they_get_together(lying, tmp_path):
    """So the rows do not show afterwards over which trace a process has died."""
    replayed(lying[1], tmp_path / "verdicts")
    interrupted(lying[1], tmp_path / "marked")
    index = unfinished(tmp_path / "marked")
    packs = survey(lying[1], False)
    job = Job(str(lying[1].resolve()), packs.protocol, DEFAULT, str(index), packs.content, packs.parameters)
    for unit in units_of(lying[1], packs, DEFAULT)[0]:
        job.place("mark", unit.key, "unit").touch()
        assert do_unit(job, unit).error is None
    assert rows_in(index) == rows_in(tmp_path / "verdicts")


def test_unwritable_output_has_the_same_message_on_spark_as_here(true, tmp_path, monkeypatch):
    """The worker itself, without Java: its answer is a sentence and no failure of the job, and is not retried."""
    pyarrow = pytest.importorskip("pyarrow")

    def full(path, content):
        raise UsageError(f"{path}: it cannot be written: No space left on device.")

    monkeypatch.setattr(tasks, "write_whole", full)
    begin(tmp_path / "folder", False)
    packs = survey(true, False)
    job = Job(str(true), packs.protocol, DEFAULT, str(tmp_path / "folder"), packs.content, packs.parameters)
    (unit, *_) = units_of(true, packs, DEFAULT)[0]
    job.place("findings", unit.pack, "json").write_bytes(msgspec.json.encode(PackFindings()))
    batch = pyarrow.record_batch([[msgspec.json.encode(on_spark.Piece(job, unit=unit))]], names=["piece"])
    (answer,) = on_spark.do_pieces([batch])
    done = msgspec.json.decode(answer.column(0)[0].as_py(), type=tasks.Done)
    path = job.place("verdicts", unit.key, "parquet")
    assert done == tasks.Done("", ended=f"{path}: it cannot be written: No space left on device.")
