"""Transitions per second of the explorers, plain and by tables: `python -m tests.bench explore`.

Everything is done in one process and in turn. The rate is that of its own processor time, the initial states and the
specification's local steps included; that of the clock on the wall stands beside it. To judge is to explore, and to
settle every promise of self-stabilisation.
"""

import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from statistics import median

import msgspec

from gomboc.checker.explore.graph import search as plain
from gomboc.checker.explore.shared import examine as shared
from gomboc.checker.explore.table import examine
from gomboc.checker.explore.table.search import search
from gomboc.spec.core.instance import Instance, bounded_model
from gomboc.spec.core.model import Model
from gomboc.spec.protocols.skip_ring.models import MODELS
from tests.plugins.dijkstra_rings import token_ring, token_ring_in_memory
from tests.plugins.linearisation import linearisation

RUNS = 5
MACHINES, VALUES = 7, 6


class Measured(msgspec.Struct, frozen=True):
    """A measured run; `yardstick` is the name of the run that it is a multiple of."""

    run: Callable[[], int]
    yardstick: str = ""


def everything() -> dict[str, Measured]:
    """Every run by its name."""
    hearsay, ring = skip_ring("two_hearsay"), f"token ring of {MACHINES}, K = {VALUES}"
    memory = token_ring_in_memory(MACHINES, VALUES)
    return {
        f"plain, {ring}": Measured(partial(values, token_ring(MACHINES, VALUES))),
        f"at once, {ring}, judged": Measured(lambda: shared.examine(memory).extent.transitions, f"plain, {ring}"),
        **pair("linearisation, C = 2", linearisation(2)),
        **pair("skip ring, n = 2, hearsay", hearsay),
        "table, skip ring, n = 2, any start": Measured(partial(tables, skip_ring("two"))),
    }


def pair(name: str, instance: Instance) -> dict[str, Measured]:
    """An instance explored by values and by tables, and judged by tables."""
    yardstick = f"plain, {name}"
    return {
        yardstick: Measured(partial(values, bounded_model(instance))),
        f"table, {name}": Measured(partial(tables, instance), yardstick),
        f"table, {name}, judged": Measured(lambda: examine.examine(instance).extent.transitions, yardstick),
    }


def skip_ring(name: str) -> Instance:
    """A pinned instance of the skip ring."""
    (model,) = (pinned.model for pinned in MODELS if pinned.name == name)
    assert isinstance(model, Instance), "it is explored, not only stepped"
    return model


def values(model: Model) -> int:
    """Explore plainly; how many transitions there are."""
    return plain.explore(model).transitions


def tables(instance: Instance) -> int:
    """Explore by tables; how many transitions there are."""
    return search(instance).extent.transitions


def main() -> None:
    """Measure everything in turn, and print a line for each figure."""
    print(f"numpy {version('numpy')}; {RUNS} runs each")
    measured = everything()
    processor: dict[str, list[float]] = {name: [] for name in measured}
    wall: dict[str, list[float]] = {name: [] for name in measured}
    for _ in range(RUNS):
        for name, one in measured.items():
            began, began_wall = time.process_time(), time.perf_counter()
            transitions = one.run()
            processor[name].append(transitions / (time.process_time() - began))
            wall[name].append(transitions / (time.perf_counter() - began_wall))
    for name, one in measured.items():
        rates = processor[name]
        times = f", {median(rates) / median(processor[one.yardstick]):.0f} times plain" if one.yardstick else ""
        spread = f"(from {min(rates):,.0f} to {max(rates):,.0f}; {median(wall[name]):,.0f} on the wall)"
        print(f"{name:40} {median(rates):11,.0f} transitions/s {spread}{times}")
