"""How things are measured: in turn, so that other work on the machine falls on all alike, or in own processes."""

import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import median

from gomboc.checker.judge.verdict import HOLDS, UNKNOWN

Clock = Callable[[], float]
"""Seconds: of the processor that this process was given (`time.process_time`), or on the wall (`time.perf_counter`)."""

COMMAND = """
import sys
from gomboc.checker.cli import main
try:
    main()
finally:
    with open("/proc/self/status") as status:
        sys.stderr.write(next(line for line in status if line.startswith("VmHWM")))
"""
"""The program that runs `gomboc`, and then prints the memory at its highest. The operating system's figure for a child
begins with the memory of its parent.
"""


def machine() -> str:
    """The machine, and the versions of other software that the figures depend on."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "pyarrow", "msgspec", "pyspark"))
    return (
        f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores, "
        f"{platform.machine()}, load {os.getloadavg()[0]:.1f}; {packages}"
    )


def in_turn(measured: Mapping[str, Callable[[], object]], runs: int, clock: Clock) -> dict[str, list[float]]:
    """The seconds that each thing took in each round: first each once, then each for a second time, and so on."""
    seconds: dict[str, list[float]] = {name: [] for name in measured}
    for _ in range(runs):
        for name, run in measured.items():
            began = clock()
            run()
            seconds[name].append(clock() - began)
    return seconds


def ratio(some: list[float], others: list[float]) -> float:
    """The median of how many times as long the one took as the other, in the same round."""
    return median(one / other for one, other in zip(some, others, strict=True))


def processor_of_all() -> float:
    """The processor time of this process and all that it has begun, ended ones too, in seconds."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            # What stands in brackets is the name of the program, which may hold anything.
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        process = int(path.parent.name)
        parents[process], ticks[process] = int(fields[1]), sum(map(int, fields[11:15]))
    ours = {os.getpid()}
    while more := {process for process, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return sum(ticks[process] for process in ours) / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Ran:
    """Cost of a command in seconds: processor time of it and of all its processes, and time by the clock. And
    the memory of its first process, in MiB.
    """

    processor: float
    clock: float
    memory: float


def gomboc(*words: str, python: str = sys.executable) -> Ran:
    """Run a `gomboc` command in processes of its own, by that interpreter.

    Raises RuntimeError with its output if it finds anything.
    """
    began = time.perf_counter()
    process = subprocess.Popen(
        [python, "-c", COMMAND, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None, "it was asked for"
    written = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (HOLDS, UNKNOWN):
        raise RuntimeError(f"gomboc {' '.join(words)} ended with {process.returncode}: {written}")
    return Ran(used.ru_utime + used.ru_stime, time.perf_counter() - began, int(written.split()[-2]) / 1024)
