"""Nodes of one overlay in memory, by name: one clock, one seed for all chance, and maybe a recording."""

from random import Random
from typing import Any

from msgspec.structs import replace

from gomboc.impl.api.contact import Contact
from gomboc.impl.api.node import Node
from gomboc.impl.api.overlays import Overlay
from gomboc.impl.api.recording import SystemRecording
from gomboc.impl.runtime.clock import ManualClock
from gomboc.impl.runtime.configuration import NodeContext
from gomboc.impl.runtime.disciplines import Discipline
from gomboc.impl.runtime.memory import MemoryNetwork


class InMemory:
    """`contacts` are the well-known nodes of the overlay, made with these options; `start` makes all others."""

    def __init__(self, overlay: Overlay, seed: int = 1, recording: Any = None, **options: Any) -> None:
        self.overlay, self.recording = overlay, recording
        self.clock, self.random = ManualClock(), Random(seed)
        discipline = Discipline.UNORDERED if overlay.port.content is None else Discipline.FIFO
        self.network = MemoryNetwork(self.clock, self.random, discipline=discipline)
        self.nodes: dict[str, Any] = {}
        self.contacts = [Contact(name, overlay, self.around(name), **options) for name in overlay.port.contacts]

    def around(self, name: str) -> NodeContext:
        """The surroundings of a node, which the recording observes."""
        context = NodeContext(self.network.transport(name), self.clock, self.random)
        if isinstance(self.recording, SystemRecording):
            return self.recording.around(context)
        return replace(context, witness=self.recording)

    def start(self, name: str, incarnation: int = 1, *, own: Overlay | None = None, **options: Any) -> Any:
        """Make the node of this name, in place of a former one; it may have the overlay with a key of its own."""
        self.nodes[name] = Node(name, own or self.overlay, self.around(name), incarnation=incarnation, **options)
        return self.nodes[name]

    def another(self, name: str) -> str | None:
        """A node that one of this name can join through, where no nodes are well-known; None for the first one."""
        return None if self.contacts else next((node for node in self.nodes if node != name), None)

    def __getitem__(self, name: Any) -> Any:
        return self.nodes[name]

    def run(self, periods: float = 10.0) -> None:
        """Let so many periods pass."""
        self.clock.advance(periods)
