"""pyspark inside a running Java process: create the context there, and reset pyspark's state afterwards.

pyspark expects one Java for the life of a Python process, and keeps it in class attributes. They are changed only in
this module.
"""

# ruff: noqa: SLF001

import logging
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gomboc.checker.core.errors import UsageError
from gomboc.checker.replay.spark.gateway import GRACE_SECONDS, GatewayProcess, complaint
from gomboc.checker.replay.spark.settings import Master
from gomboc.checker.replay.spark.silence import LOOK_SECONDS, Silence

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

STANDALONE_SECONDS = 20.0
"""Seconds of silence allowed to Java while a standalone master that accepts connections accepts the application."""

QUEUE_SECONDS = 300.0
"""The same for YARN and Kubernetes, which queue applications."""


def running_session() -> "SparkSession | None":
    """The session that this process holds, if any. Does not import pyspark."""
    if "pyspark.sql" not in sys.modules:
        return None
    from pyspark.sql import SparkSession

    # The public getActiveSession answers per Java thread, so not for a session that another thread began.
    return SparkSession._instantiatedSession


@contextmanager
def driven(master: Master, process: GatewayProcess, silence: float | None = None) -> "Iterator[SparkSession]":
    """Yields a session in `process`, and removes both from pyspark's state at the end.

    Raises `UsageError` when the context cannot be made, or when Java is silent for `silence` seconds meanwhile. The
    default depends on the kind of master: `STANDALONE_SECONDS` or `QUEUE_SECONDS`.
    """
    from pyspark import SparkContext

    with _interrupts_restored(), _without_py4j_log():
        try:
            session = _session(master, process, silence or (STANDALONE_SECONDS if master.hosts else QUEUE_SECONDS))
            try:
                yield session
            finally:
                _stop(session, process)
        finally:
            gateway = SparkContext._gateway
            SparkContext._gateway = SparkContext._jvm = None
            if gateway is not None:
                gateway.shutdown()


def _session(master: Master, process: GatewayProcess, seconds: float) -> "SparkSession":
    """The session, unless the master keeps it waiting for too long."""
    from py4j.protocol import Py4JError
    from pyspark import SparkContext
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    try:
        with _killed_if_silent(process, seconds):
            with _environment(PYSPARK_GATEWAY_PORT=str(process.port), PYSPARK_GATEWAY_SECRET=process.secret):
                gateway = launch_gateway()  # type: ignore[no-untyped-call]
            with _environment(PYSPARK_PYTHON=_interpreter(master)):
                return SparkSession(SparkContext(gateway=gateway))
    except (Py4JError, OSError) as error:
        reason = (
            complaint(str(error).splitlines())
            if process.alive(GRACE_SECONDS)
            else f"silent for {seconds:.0f} seconds, which --silence may change"
        )
        raise UsageError(
            f"Spark could not start on {master.url} ({reason}): correct --master, or the Spark settings given."
        ) from None


@contextmanager
def _killed_if_silent(process: GatewayProcess, seconds: float) -> Iterator[None]:
    """Kill Java if it is silent for so long in the body; calls that wait for its answer then fail."""
    over, silence = threading.Event(), Silence(process.process.pid)

    def watch() -> None:
        while not over.wait(LOOK_SECONDS):
            if silence.look() >= seconds:
                process.kill()
                return

    watcher = threading.Thread(target=watch, name="silence", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def _interpreter(master: Master) -> str:
    """The Python of workers. On a local master it is this one: Spark's default, `python3` of PATH, may be another."""
    return sys.executable if master.local else os.environ.get("PYSPARK_PYTHON", sys.executable)


def _stop(session: "SparkSession", process: GatewayProcess) -> None:
    from py4j.protocol import Py4JError

    if process.alive():
        try:
            session.stop()
        except (Py4JError, OSError):
            if process.alive(GRACE_SECONDS):
                raise
        else:
            return
    # Asking a Java that has died would raise a network error, and leave pyspark with half a session.
    session.sparkContext._jsc = None
    session.sparkContext.stop()
    type(session)._instantiatedSession = type(session)._activeSession = None


@contextmanager
def _interrupts_restored() -> Iterator[None]:
    """Restore the interrupt handler: a context installs one that outlives it, and would then call a dead Java."""
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, before)


@contextmanager
def _without_py4j_log() -> Iterator[None]:
    """Silence py4j's log. It logs errors that it then raises, with a traceback and to the root logger: a lost Java, an
    interrupt.
    """
    root = logging.getLogger()
    root.addFilter(_not_of_py4j)
    try:
        yield
    finally:
        root.removeFilter(_not_of_py4j)


def _not_of_py4j(record: logging.LogRecord) -> bool:
    return record.module != "java_gateway"


@contextmanager
def _environment(**values: str) -> Iterator[None]:
    """Sets environment variables of this process for a while, and restores their old values."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
