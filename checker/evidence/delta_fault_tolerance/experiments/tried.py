"""Readings of the paper, each tried: the runs by one and by the other."""

from functools import cache
from random import Random

from msgspec.structs import replace

from gomboc.checker.errata.claim import Result, settled
from gomboc.checker.evidence.delta_fault_tolerance.experiments.readings import (
    ADDRESSED_ONLY_OPEN,
    ANSWERS_BY_DIRECTION,
    read,
)
from gomboc.checker.evidence.delta_fault_tolerance.experiments.running import Run, walk
from gomboc.checker.evidence.delta_fault_tolerance.experiments.shortest import Wrong, shortest
from gomboc.spec.delta_fault_tolerance.models import ONE, TWO, protocol
from gomboc.spec.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.delta_fault_tolerance.space import right_start
from gomboc.spec.delta_fault_tolerance.state import Crash, Delivered, Down, Publish, Restart
from gomboc.spec.instance import Instance
from gomboc.spec.network import World
from gomboc.spec.protocol import Protocol

PUBLISHED = Publish((("x", 1),))
FORK = ("0", "0.0", "0.0.0", "0.0.1")
TWO_LEAVES = ("0", "0.0", "0.1")
RUNS, STEPS, CRASHES = 150, 60, 0.06
NOT_CLOSED = 3504
"""The shortest of 4,000 runs in which a publication is not confirmed, though no connection is closed."""


def any_promise(world: World) -> bool:
    """Whether a promise over histories is broken."""
    return bool(world.broken)


def holds_in(instance: Instance, protocol: Protocol, wrong: Wrong = any_promise) -> Result:
    """Whether nothing goes wrong in any run of a small system by those rules."""
    return settled(shortest(replace(instance, protocol=protocol), wrong) is None)


def told_when_it_failed(*, failed: bool) -> Run:
    """Two brokers: the detector tells one that the other has failed, and it publishes; the other has, or has not."""
    run = Run(protocol(1), right_start(Parameters(1), TWO, {"0.1": (ONE,)}))
    if failed:
        run.command("0.1", Crash())
    run.command("0", Down("0.1"))
    run.command("0", PUBLISHED)
    run.settle(Random(0))
    return run


def client_of_its_own(variant: str) -> Run:
    """Three in a row: the last one is a client; its broker crashes, comes back, and gets a publication for it."""
    names = ("0", "0.0", "0.0.0")
    run = Run(protocol(1, variant), right_start(Parameters(1), names, {names[2]: (ONE,)}))
    run.command(names[1], Crash())
    for name in (names[0], names[2]):
        run.command(name, Down(names[1]))
    run.settle(Random(0))
    run.command(names[1], Restart())
    run.settle(Random(0))
    run.command(names[0], PUBLISHED)
    run.settle(Random(0))
    return run


def is_delivered(run: Run, node: str) -> bool:
    """Whether that node has been delivered a publication, and nothing is wrong."""
    return not run.wrong() and any(name == node and isinstance(report, Delivered) for name, report in run.told)


@cache
def stuck(by_direction: bool, timely: bool) -> int:
    """Of so many runs of four brokers, delta = 3, those in which a broker never becomes operational."""
    by = read(ANSWERS_BY_DIRECTION, 3) if by_direction else protocol(3, "answers_when_done")
    runs = (walk(by, 3, FORK, Random(seed), STEPS, CRASHES, timely=timely) for seed in range(RUNS))
    return sum("all_brokers_operational" in run.wrong() for run in runs)


def unconfirmed_though_open() -> bool:
    """Whether a publication stays unconfirmed in the run that is drawn, in which no connection is closed."""
    run = walk(read(ADDRESSED_ONLY_OPEN, 2), 2, TWO_LEAVES, Random(NOT_CLOSED), STEPS, CRASHES)
    return "nothing_is_unconfirmed" in run.wrong()
