"""Members of a topic on any overlay, in memory, by an application's own calls."""

import asyncio
from collections.abc import Coroutine, Mapping
from random import Random
from typing import Any

from gomboc.impl.api.contact import Contact
from gomboc.impl.api.node import Node
from gomboc.impl.api.overlays import overlay
from gomboc.impl.runtime.clock import ManualClock
from gomboc.impl.runtime.configuration import NodeContext
from gomboc.impl.runtime.memory import MemoryNetwork

OVERLAYS: list[tuple[str, Mapping[str, Any]]] = [
    ("skip_ring", {}),
    ("skip_plus", {}),
    ("scribe", {}),
    ("scribe", {"high": 2, "low": 1}),
    ("hyparview", {}),
]
"""Each overlay that publishes in topics, with parameters besides the length of keys."""

NAMES = ("1a:0110", "3c:1010", "5e:0011", "7f:1100")


def while_time_passes(clock: ManualClock, main: Coroutine[Any, Any, Any], periods: float = 60.0) -> Any:
    """The result of a coroutine that waits by this clock; nothing else moves it."""

    async def both() -> Any:
        task = asyncio.create_task(main)
        end = clock.now() + periods
        await asyncio.sleep(0)
        while not task.done() and clock.now() < end:
            await clock.pass_by(0.125)
        assert task.done(), "it waits for longer"
        return await task

    return asyncio.run(both())


class Members:
    """Nodes that have subscribed to `news`, after some periods."""

    def __init__(self, name: str, number: int = 3, seed: int = 1, key_bits: int = 32, **parameters: Any) -> None:
        self.queueing = parameters.pop("queueing", None)
        self.overlay = overlay(name, {"key_bits": key_bits, **parameters})
        self.clock, self.random = ManualClock(), Random(seed)
        self.network = MemoryNetwork(self.clock, self.random)
        for contact in self.overlay.port.contacts:
            Contact(contact, self.overlay, self.around(contact))
        self.nodes: dict[str, Any] = {}
        for member in NAMES[:number]:
            self.start(member).subscribe("news")
        self.run()

    def around(self, name: str) -> NodeContext:
        return NodeContext(self.network.transport(name), self.clock, self.random)

    def start(self, name: str, incarnation: int = 1) -> Any:
        contact = None if self.overlay.port.contacts else next((node for node in self.nodes if node != name), None)
        around, options = self.around(name), {"incarnation": incarnation, "queueing": self.queueing}
        self.nodes[name] = Node(name, self.overlay, around, contact=contact, **options)
        return self.nodes[name]

    def __getitem__(self, index: int) -> Any:
        return self.nodes[NAMES[index]]

    def run(self, periods: float = 10.0) -> None:
        self.clock.advance(periods)
