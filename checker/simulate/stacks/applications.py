"""Applications over an overlay, simulated in memory: every layer of the stack below them is recorded.

A stack is an overlay with the layers above it; `gomboc.impl.api.overlays` lists them by name.
"""

from contextlib import suppress
from math import ceil, log2
from pathlib import Path
from random import Random

from gomboc import __version__
from gomboc.checker.core.errors import UsageError
from gomboc.checker.simulate.refusals import refusals
from gomboc.checker.simulate.stacks.plan import QUIET, Recorded, StackPlan
from gomboc.impl.api.node import Node
from gomboc.impl.api.overlays import Overlay, overlay, overlays_of
from gomboc.impl.api.recording import SystemRecording
from gomboc.impl.core.reasons import RefusedError
from gomboc.impl.runtime.clock import ManualClock
from gomboc.impl.runtime.configuration import NodeContext
from gomboc.impl.runtime.memory import MemoryNetwork

CONTACTS = 3
"""The number of nodes through which the others join; these never crash."""

EVENTS = 20
"""The number of actions of the applications of a disturbed run, a period apart on average."""


def has_applications(stack: str) -> bool:
    """Whether applications can run over the stack of that name: an implementation says how."""
    return stack in overlays_of()


@refusals()
def stack(plan: StackPlan) -> Overlay:
    """The layer that publishes, with the layers below it. Raises UsageError for invalid parameters, or options."""
    others = {"start": "arbitrary", "outside": 0, "messages": None, "publications": 0, "detection": None}
    others |= {"patience": None, "loss": 0.0}
    for name, default in others.items():
        if getattr(plan, name) != default:
            raise UsageError(f"Applications begin with nothing and are found to crash by themselves: give no --{name}.")
    if len(plan.topics) != 2:
        raise UsageError("Applications are on two topics: name two with --topics.")
    return overlay(overlays_of()[plan.stack], {"key_bits": 32, **plan.parameters})


@refusals()
def run_applications(plan: StackPlan, folder: Path, index: int) -> Recorded:
    """Simulate run `index`, and record each layer in the folder. Raises UsageError if it cannot be written."""
    there = Applications(plan, index)
    there.begin()
    if plan.disturb:
        there.disturb()
    there.clock.advance(QUIET)
    paths = there.recording.write(folder)
    return Recorded(len(paths), sum(path.read_bytes().count(b"\n") - 1 for path in paths))


class Applications:
    """The nodes of one run, in memory, with one seed for every random choice."""

    def __init__(self, plan: StackPlan, index: int) -> None:
        self.overlay = stack(plan)
        self.topics = plan.topics
        self.clock, self.random = ManualClock(), Random(f"{plan.seed}/{index}")
        self.network = MemoryNetwork(self.clock, self.random)
        origin: dict[str, str | int] = {
            "implementation": f"stack {plan.stack}",
            "version": __version__,
            "seed": plan.seed,
            "run": index,
            "transport": "in memory",
            "command": plan.reproduce,
        }
        self.recording = SystemRecording(self.overlay, origin)
        self.names = _names(plan.members(index), self.random)
        self.nodes: dict[str, Node] = {}
        self.started = 0

    def begin(self) -> None:
        """Start the nodes one after the other; each subscribes to one or two topics, and publishes in the first."""
        for name in self.names:
            self.start(name)
            self.nodes[name].subscribe(self.topics[0])
            if self.random.random() < 0.5:
                self.nodes[name].subscribe(self.topics[1])
            self.clock.advance(self.random.expovariate(2.0))
        for name in self.names:
            self.nodes[name].publish(self.topics[0], name)

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
                self._act(self.random.choice(self.names), self.random.choice(self.topics))
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
