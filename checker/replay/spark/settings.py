"""Settings of a Spark session before it starts: pure functions of a master and a machine."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from gomboc.checker.core.errors import UsageError

GIBIBYTE = 1 << 30

_ATTEMPTS = 8
_LOCAL = re.compile(r"local(?:\[(\*|[1-9]\d*)(?:,\s*([1-9]\d*))?\])?")
_ADDRESS = r"(?:[\w.-]+|\[[0-9A-Fa-f:.]+\]):\d{1,5}"
_STANDALONE = re.compile(rf"spark://({_ADDRESS}(?:,{_ADDRESS})*)")
_OTHER = re.compile(r"yarn|k8s://\S+")

_ALWAYS: Mapping[str, str] = MappingProxyType(
    {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
        # 20 to 26 ms per task instead of 53 over TCP.
        "spark.python.unix.domain.socket.enabled": "true",
        # A worker that dies says in which Python line.
        "spark.python.worker.faulthandler.enabled": "true",
        "spark.sql.execution.pyspark.udf.faulthandler.enabled": "true",
        # Otherwise the columns that mapInArrow yields are matched by position, silently.
        "spark.sql.execution.arrow.pyspark.validateSchema.enabled": "true",
        # By default 60 MB of traces in 50 files become 2 tasks.
        "spark.sql.files.maxPartitionBytes": "2m",
        "spark.sql.files.openCostInBytes": "0",
    }
)


@dataclass(frozen=True, slots=True)
class Master:
    """A Spark master: its address in Spark's notation, and the hosts that must answer there.

    `threads` is the number of tasks that a local master runs at once, None for the number of processors. `hosts` holds
    (host, port) pairs, and is empty unless this is a standalone master (`spark://host:port,...`).
    """

    url: str
    local: bool
    threads: int | None = None
    hosts: tuple[tuple[str, int], ...] = ()


def parse_master(text: str) -> Master:
    """Reads a master in Spark's notation; `local`, `local[N]` and `local[*]` get eight attempts per task.

    Without the attempts, the first worker that dies ends the whole job. Raises `UsageError` for a master that Spark
    would not understand.
    """
    if local := _LOCAL.fullmatch(text):
        threads, attempts = local[1] or "1", local[2] or str(_ATTEMPTS)
        return Master(f"local[{threads},{attempts}]", local=True, threads=None if threads == "*" else int(threads))
    if standalone := _STANDALONE.fullmatch(text):
        return Master(text, local=False, hosts=tuple(map(_host, standalone[1].split(","))))
    if _OTHER.fullmatch(text):
        return Master(text, local=False)
    raise UsageError(
        f"{text!r} is not a Spark master: write local[*], local[N], spark://host:port, yarn or k8s://address."
    )


def _host(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    return host.strip("[]"), int(port)


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine that the driver runs on: its processors, and its memory in bytes."""

    processors: int
    memory: int


def driver_memory(machine: Machine) -> str:
    """The heap of the driver's Java, in Java's notation: a quarter of the memory, between 1 and 4 GiB.

    Traces stay in the Python workers and in Parquet; the driver holds tasks, shuffles and small results.
    """
    return f"{min(max(1, machine.memory // 4 // GIBIBYTE), 4)}g"


def worker_memory(machine: Machine, workers: int) -> str:
    """The memory limit of each of `workers` Python workers, in Java's notation: its part of half the memory, at least 2
    GiB.

    It bounds the address space, of which pyarrow alone reserves some hundred MiB; beyond it, a worker raises a
    MemoryError that can be caught, instead of being killed.
    """
    return f"{max(2, machine.memory // 2 // workers // GIBIBYTE)}g"


def settings(master: Master, machine: Machine, application: str, extra: Mapping[str, str]) -> dict[str, str]:
    """Every setting of the session, by Spark's own names; settings in `extra` win."""
    chosen = dict(_ALWAYS)
    chosen["spark.master"] = master.url
    chosen["spark.app.name"] = application
    chosen["spark.driver.memory"] = driver_memory(machine)
    if master.local:
        chosen["spark.driver.host"] = "127.0.0.1"
        chosen["spark.driver.bindAddress"] = "127.0.0.1"
        # Spark divides it among an executor's tasks, but not on a local master: there each worker gets it whole.
        chosen["spark.executor.pyspark.memory"] = worker_memory(machine, master.threads or machine.processors)
    return chosen | dict(extra)
