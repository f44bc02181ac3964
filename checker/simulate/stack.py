"""Applications over an overlay, simulated in memory: every layer of the stack below them is recorded.

A stack is an overlay with the layers above it; `gomboc.impl.api.overlays` lists them by name.
"""

from contextlib import suppress
from functools import partial
from math import ceil, log2
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from gomboc import __version__
from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.output import whole_folder
from gomboc.checker.core.processes.work import in_processes
from gomboc.checker.core.progress import Report
from gomboc.checker.simulate.refusals import refusals
from gomboc.impl.api.node import Node
from gomboc.impl.api.overlays import Overlay, overlay
from gomboc.impl.api.recording import SystemRecording
from gomboc.impl.core.reasons import RefusedError
from gomboc.impl.runtime.clock import ManualClock
from gomboc.impl.runtime.host import NodeContext
from gomboc.impl.runtime.memory import MemoryNetwork

TOPICS = ("news", "sport")
CONTACTS = 3
"""The number of nodes through which the others join; these never crash."""

EVENTS = 20
"""The number of actions of the applications of a disturbed run, a period apart on average."""

QUIET = 80.0
"""Periods without any call of an application at the end of a run."""


class StackPlan(msgspec.Struct, frozen=True):
    """Runs of the stack on the overlay of that name; run i has the i-th of `nodes` nodes, in turn.

    In each run the nodes join, subscribe to topics and publish. With `disturb`, they also unsubscribe, crash and start
    again. `parameters` are those of the overlay and of the layer that publishes.
    """

    overlay: str
    nodes: tuple[int, ...]
    runs: int
    seed: int
    disturb: bool = False
    parameters: dict[str, Any] = {}
    reproduce: str = ""


class Recorded(msgspec.Struct, frozen=True):
    """The traces of one run and their steps, in all layers together."""

    traces: int
    steps: int


@refusals()
def stack(plan: StackPlan) -> Overlay:
    """The layer that publishes, with the layers below it. Raises UsageError if the overlay has no layers above it."""
    if overlay(plan.overlay).beneath is None:
        raise UsageError(f"No layers stand on {plan.overlay}: omit --layers.")
    return overlay(plan.overlay, {"key_bits": 32, **plan.parameters})


def simulate_stack(plan: StackPlan, folder: Path, jobs: int, progress: Report, overwrite: bool) -> list[Recorded]:
    """Write every layer of every run as folder/RUN/LAYER/TOPIC.jsonl; the folder appears when it is complete.

    Raises UsageError if the plan is invalid, or if the folder cannot be written.
    """
    stack(plan)
    with whole_folder(folder, overwrite) as unfinished:
        done: list[Recorded] = []
        for recorded in in_processes(partial(simulate_run, plan, unfinished), plan.runs, jobs, 1):
            done.append(recorded)
            progress(len(done), plan.runs)
    return done


@refusals()
def simulate_run(plan: StackPlan, folder: Path, index: int) -> Recorded:
    """Simulate run `index`, and record each layer. Raises UsageError if it cannot be written."""
    there = Applications(plan, index)
    there.begin()
    if plan.disturb:
        there.disturb()
    there.clock.advance(QUIET)
    paths = there.recording.write(folder / f"{index:06d}")
    return Recorded(len(paths), sum(path.read_bytes().count(b"\n") - 1 for path in paths))


class Applications:
    """The nodes of one run, in memory, with one seed for every random choice."""

    def __init__(self, plan: StackPlan, index: int) -> None:
        self.overlay = stack(plan)
        self.clock, self.random = ManualClock(), Random(f"{plan.seed}/{index}")
        self.network = MemoryNetwork(self.clock, self.random)
        origin: dict[str, str | int] = {
            "implementation": f"stack on {plan.overlay}",
            "version": __version__,
            "seed": plan.seed,
            "run": index,
            "transport": "in memory",
            "command": plan.reproduce,
        }
        self.recording = SystemRecording(self.overlay, origin)
        self.names = _names(plan.nodes[index % len(plan.nodes)], self.random)
        self.nodes: dict[str, Node] = {}
        self.started = 0

    def begin(self) -> None:
        """Start the nodes one after the other; each subscribes to one or two topics, and publishes in the first."""
        for name in self.names:
            self.start(name)
            self.nodes[name].subscribe(TOPICS[0])
            if self.random.random() < 0.5:
                self.nodes[name].subscribe(TOPICS[1])
            self.clock.advance(self.random.expovariate(2.0))
        for name in self.names:
            self.nodes[name].publish(TOPICS[0], name)

    def start(self, name: str) -> None:
        """Start a node, or restart it without any state."""
        self.started += 1
        contacts = None if name == self.names[0] else self.names[:CONTACTS]
        around = self.recording.around(NodeContext(self.network.transport(name), self.clock, self.random))
        self.nodes[name] = Node(name, self.overlay, around, incarnation=self.started, contact=contacts)

    def disturb(self) -> None:
        """Let random applications subscribe, publish and unsubscribe, and nodes crash and restart."""
        for _ in range(EVENTS):
            with suppress(RefusedError):
                self._act(self.random.choice(self.names), self.random.choice(TOPICS))
            self.clock.advance(self.random.expovariate(1.0))

    def _act(self, name: str, topic: str) -> None:
        if name not in self.nodes:
            self.start(name)
            return
        node = self.nodes[name]
        match self.random.choice(("subscribe", "subscribe", "publish", "publish", "unsubscribe", "crash")):
            case "subscribe":
                node.subscribe(topic)
            case "publish":
                node.publish(topic, f"{self.started}/{self.clock.now()}")
            case "unsubscribe":
                node.unsubscribe(topic, forget=self.random.random() < 0.5)
            case "crash" if name not in self.names[:CONTACTS]:
                self.nodes.pop(name).stop()


def _names(nodes: int, random: Random) -> list[str]:
    """Names that fit every overlay: an id, and a string of random bits."""
    bits = max(2, 2 * ceil(log2(nodes)))
    return [f"{number:08x}:{random.getrandbits(bits):0{bits}b}" for number in random.sample(range(16**8), nodes)]
