"""A Spark session for as long as a `with` block: started on any suitable Java, and removed without a trace after it."""

import importlib.util
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from gomboc.checker.core.errors import SparkJobError, UsageError, lacking
from gomboc.checker.replay.spark.driver import driven, running_session
from gomboc.checker.replay.spark.gateway import (
    GRACE_SECONDS,
    START_SECONDS,
    GatewayProcess,
    complaint,
    java_command,
    start_gateway,
)
from gomboc.checker.replay.spark.java import Java, find_java
from gomboc.checker.replay.spark.settings import Machine, Master, parse_master, settings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ANSWER_SECONDS = 5.0
"""Seconds for one host of a standalone master to accept a connection."""

NAMING = ("GOMBOC_PROTOCOLS", "GOMBOC_IMPLEMENTATIONS")
"""The environment variables of both registries."""

NO_SETTINGS: Mapping[str, str] = MappingProxyType({})


@contextmanager
def spark_session(
    master: str = "local[*]",
    *,
    java: str | None = None,
    silence: float | None = None,
    app_name: str = "gomboc",
    quick: bool = True,
    extra: Mapping[str, str] = NO_SETTINGS,
) -> "Iterator[SparkSession]":
    """Yields a session on `master`; at the end it is stopped, and its Java process has ended.

    `java` is a Java home or launcher; by default `find_java` searches for one. With `quick`, Java compiles with C1
    only: it starts sooner and costs less, and is right for runs of up to some minutes. `extra` holds Spark settings by
    their own names, and overrides ours; those that depend on the data belong on `session.conf` instead.

    A process holds one session at a time. Inside such a block, the same call yields the same session again and leaves
    it running.

    Workers on a local master start with this interpreter and thus see the packages that it sees. On a cluster, every
    executor needs the same release of Python with this same version of gomboc[spark] installed (or shipped with
    `session.addArtifacts`), and the files of the job under the same paths; its interpreter is the value of
    PYSPARK_PYTHON, or else the path of this one.

    Java may be silent for `silence` seconds while it starts, and again while the master accepts the application: by
    default for 120, then 20, or 300 on YARN and Kubernetes. A process is silent if it uses no processor, so a loaded
    machine has all the time that it needs.

    Raises `UsageError` when pyspark or a Java is missing, when another session already runs in this process, and when
    the master is malformed or does not answer; `SparkJobError` when an exception of pyspark's leaves the block.
    """
    where = parse_master(master)
    _require_pyspark()
    _require_answer(where)
    spark_settings = settings(where, _this_machine(), app_name, {**_named_by_the_caller(), **extra})
    if (session := running_session()) is not None:
        _require_same(session, spark_settings)
        with _readable_failures():
            yield session
        return
    with _started(where, find_java(java), spark_settings, quick, silence) as session:
        yield session


def _require_pyspark() -> None:
    # mapInArrow needs all of them, and pyspark itself declares only the last.
    for package in ("pyspark", "pandas", "pyarrow", "py4j"):
        if importlib.util.find_spec(package) is None:
            raise UsageError(lacking("The Spark engine", package, "spark"))


def _require_same(session: "SparkSession", spark_settings: Mapping[str, str]) -> None:
    runs = session.sparkContext.getConf()
    for name, value in sorted(spark_settings.items(), key=lambda item: (item[0] != "spark.master", item)):
        if runs.get(name) != value:
            raise UsageError(
                f"This process already holds a Spark session, with {name}={runs.get(name)} instead of {value}: "
                "end it before another one starts."
            )


def _require_answer(master: Master) -> None:
    """Raise UsageError unless a host of the master answers: Spark would try for a minute, then report a
    null pointer.
    """
    reasons = []
    for host, port in master.hosts:
        try:
            socket.create_connection((host, port), ANSWER_SECONDS).close()
        except OSError as error:
            reasons.append(error.strerror or str(error))
        else:
            return
    if reasons:
        explanation = "; ".join(dict.fromkeys(reasons))
        raise UsageError(f"No Spark master answers at {master.url} ({explanation}): start it, or correct --master.")


def _named_by_the_caller() -> dict[str, str]:
    """Settings that pass the caller's protocols and implementations on to executors."""
    return {f"spark.executorEnv.{name}": os.environ[name] for name in NAMING if os.environ.get(name)}


def _this_machine() -> Machine:
    return Machine(os.cpu_count() or 1, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))


@contextmanager
def _started(
    master: Master, java: Java, spark_settings: Mapping[str, str], quick: bool, silence: float | None
) -> "Iterator[SparkSession]":
    import pyspark

    # Always the wheel's own jars: those that SPARK_HOME names may be of another release than the Python side.
    spark_home = Path(pyspark.__file__).parent
    command = java_command(java, spark_home=spark_home, spark_settings=spark_settings, quick=quick)
    process = start_gateway(command, spark_home, loopback=master.local, silence=silence or START_SECONDS)
    try:
        with driven(master, process, silence) as session:
            process.output.forwarding = True
            try:
                with _readable_failures(process):
                    yield session
            finally:
                process.output.forwarding = False
    finally:
        process.end()


@contextmanager
def _readable_failures(process: GatewayProcess | None = None) -> Iterator[None]:
    """Translate exceptions of pyspark before the session ends, because they ask Java for their own text."""
    from py4j.protocol import Py4JError, Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        yield
    except PySparkException as error:
        raise SparkJobError(str(error)) from None
    except Py4JJavaError as error:
        raise SparkJobError(complaint(str(error).splitlines())) from None
    except (Py4JError, OSError):
        if process is None or process.alive(GRACE_SECONDS):
            raise
        code = process.process.returncode
        raise SparkJobError(f"Java ended in the middle of the work, with exit code {code}.") from None
