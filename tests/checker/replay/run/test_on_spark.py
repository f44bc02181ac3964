"""The same on Spark: in this process, and on a standalone master with two workers.

Source: checker/README.md, Spark
"""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections import Counter
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest

from gomboc.checker.judge.naive import DEFAULT
from gomboc.checker.replay.run import on_spark
from gomboc.checker.replay.run.on_spark import OnSpark, do_pieces
from gomboc.checker.replay.run.work import StoreOptions
from gomboc.checker.replay.spark.gateway import java_command
from gomboc.checker.replay.spark.java import find_java
from gomboc.checker.replay.store import store as stores
from gomboc.spec.core import registry
from tests.checker.refusing import sentence
from tests.checker.replay.pack.packs import change, values
from tests.checker.replay.run.corpora import corpus_of, mutilate, naive_rows, replayed, rows_in, without_places
from tests.golden.make import folder as golden
from tests.sampling import THOROUGH


@pytest.fixture
def poisoned(lying, tmp_path):
    """A corpus of honest traces, lies and poison: texts that mean nothing, and a pack that cannot be read."""
    corpus = shutil.copytree(lying[1], tmp_path / "corpus")
    first, second, third, _ = sorted(corpus.glob("*.pack"))
    for pack, name, column, poison in (
        (first, "states.parquet", "state", b"[" * 100_000),
        (second, "traces.parquet", "header", b"x"),
    ):
        texts = values(pack / name, column)
        change(pack / name, column, [*texts[:-1], poison])
    (third / "steps.parquet").write_bytes(b"PAR1")
    return corpus


@pytest.mark.spark
def test_both_engines_give_the_same_verdicts_and_the_same_summary(spark, poisoned, tmp_path):
    here = replayed(poisoned, tmp_path / "here", keep_going=True)
    there = replayed(poisoned, tmp_path / "there", engine=OnSpark(spark), keep_going=True)
    assert without_places(here) == without_places(there)
    assert rows_in(tmp_path / "here") == rows_in(tmp_path / "there")
    assert set(here.verdicts) == {"holds", "violated", "unreadable"}
    assert here.verdicts["unreadable"] >= 3


EACH = 40 if THOROUGH else 1
"""Traces for each kind of mutilation."""


@pytest.mark.spark
def test_both_engines_give_the_naive_verdicts_of_a_synchronous_protocol_mutilated_or_not(spark, tmp_path):
    lines = tmp_path / "lines"
    lines.mkdir()
    for path in sorted(golden("skip_plus").glob("*.jsonl")):
        if b'"parameters":{}' in path.read_bytes():
            shutil.copy(path, lines)
    mutilate(lines, EACH)
    corpus, naive = corpus_of(lines, tmp_path / "corpus", 20), naive_rows(lines, DEFAULT)
    for name, engine in (("here", None), ("there", OnSpark(spark))):
        replayed(corpus, tmp_path / name, engine=engine)
        rows = rows_in(tmp_path / name)
        assert {trace: (row["verdict"], row["step"], row["rule"], row["rounds"]) for trace, row in rows.items()} == {
            trace: (row.verdict, row.step, row.rule, row.rounds) for trace, row in naive.items()
        }
    assert rows_in(tmp_path / "here") == rows_in(tmp_path / "there")
    assert {row.verdict for row in naive.values()} == {"holds", "violated"}


@pytest.mark.spark
def test_on_spark_too_a_pack_that_cannot_be_read_is_one_sentence(spark, poisoned, tmp_path):
    said = sentence(replayed, poisoned, tmp_path / "there", engine=OnSpark(spark))
    path = poisoned / "000002.pack" / "steps.parquet"
    assert said == f"{path}: the file cannot be read; it is cut off or damaged, or no Parquet file."
    assert not (tmp_path / "there").exists()


KNOWN: set[Path] = set()
"""The folders for which this worker has counted before."""


def counted_pieces(batches, folder):
    """Worker: do the pieces, and write down what this task loads: specifications, and segments of a store."""
    if folder not in KNOWN:
        KNOWN.add(folder)
        registry.forget()
    with (
        patch.object(registry, "load", wraps=registry.load) as load,
        patch.object(stores, "read_segment", wraps=stores.read_segment) as read,
    ):
        yield from do_pieces(batches)
    (folder / f"{os.getpid()}-{time.monotonic_ns()}").write_text(f"{load.call_count} {read.call_count}")


@pytest.mark.spark
def test_a_worker_loads_the_specification_and_the_store_once_for_all_its_tasks(spark, true, tmp_path, monkeypatch):
    store = StoreOptions(str(tmp_path / "store"), stores.MOST_BYTES)
    replayed(true, tmp_path / "first", store=store)
    for verdicts in (tmp_path / "store").glob("*.verdicts"):
        verdicts.unlink()
    tasks = tmp_path / "tasks"
    tasks.mkdir()
    monkeypatch.setattr(on_spark, "do_pieces", partial(counted_pieces, folder=tasks))
    assert replayed(true, tmp_path / "again", engine=OnSpark(spark), store=store).exit_code() == 0
    loaded, segments = Counter(), []
    for task in tasks.iterdir():
        loads, read = map(int, task.read_text().split())
        loaded[task.name.partition("-")[0]] += loads
        segments.append(read)
    # One part of the distinct steps, and the row groups of four packs.
    assert len(segments) == 5
    # Spark has two processes for each core: one reads the rows that name the work, in turn with the one that does it.
    assert len(loaded) < len(segments)
    assert set(loaded.values()) == {1}
    assert sum(segments) == len(list((tmp_path / "store").glob("*.segment"))) == 1


def free_ports(number):
    """Ports without a listener, as far as can be told."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(number)]
        for entry in sockets:
            entry.bind(("127.0.0.1", 0))
        return [str(entry.getsockname()[1]) for entry in sockets]


@contextmanager
def daemon(folder, name, *words):
    """One of Spark's own services, started from the wheel, until the body ends."""
    import pyspark

    home = Path(pyspark.__file__).parent
    java = find_java(None)
    output = {"spark.driver.memory": "512m"}
    command = java_command(java, spark_home=home, spark_settings=output, quick=True)
    command = [*command[: command.index("org.apache.spark.deploy.SparkSubmit")], name, *words]
    log = (folder / f"{name}-{words[-1].rpartition(':')[2]}-{time.monotonic_ns()}.log").open("wb")
    environment = {**os.environ, "SPARK_HOME": str(home), "JAVA_HOME": str(java.home), "SPARK_LOCAL_IP": "127.0.0.1"}
    # What the scripts in Spark's own `bin` find out; executors are not started without it.
    environment |= {"SPARK_WORKER_DIR": str(folder), "SPARK_SCALA_VERSION": "2.13"}
    environment["JDK_JAVA_OPTIONS"] = "-XX:TieredStopAtLevel=1"
    process = subprocess.Popen(command, stdout=log, stderr=log, env=environment, cwd=folder)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(15)
        log.close()


def wait_for(port, seconds=20.0):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", int(port)), 1.0).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError(f"nobody listens on port {port}")


@contextmanager
def cluster(folder):
    """The address of a standalone master with two workers of one core."""
    port, *pages = free_ports(4)
    address = f"spark://127.0.0.1:{port}"
    master, worker = "org.apache.spark.deploy.master.Master", "org.apache.spark.deploy.worker.Worker"
    with ExitStack() as stack:
        words = ("--host", "127.0.0.1", "--port", port, "--webui-port", pages[0])
        stack.enter_context(daemon(folder, master, *words))
        wait_for(port)
        for page in pages[1:]:
            words = ("--cores", "1", "--memory", "1g", "--host", "127.0.0.1", "--webui-port", page, address)
            stack.enter_context(daemon(folder, worker, *words))
        for page in pages:
            wait_for(page)
        yield address


@pytest.mark.spark
@pytest.mark.dear
def test_a_standalone_master_with_two_workers_gives_the_same_verdicts(lying, tmp_path):
    here = replayed(lying[1], tmp_path / "here")
    with cluster(tmp_path) as address:
        words = ["replay", str(lying[1]), "--output", str(tmp_path / "there"), "--master", address]
        program = "import sys; from gomboc.checker.cli import main; main()"
        ran = subprocess.run(
            [sys.executable, "-c", program, *words],
            env={**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert ran.returncode == here.exit_code(), ran.stderr
    assert f"master {address};" in ran.stdout
    assert rows_in(tmp_path / "here") == rows_in(tmp_path / "there")
