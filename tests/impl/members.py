"""Members of a topic on any overlay, in memory, by an application's own calls."""

import asyncio
from collections.abc import Coroutine, Mapping
from typing import Any

from gomboc.impl.api.overlays import overlay
from gomboc.impl.runtime.clock import ManualClock
from tests.impl.in_memory import InMemory

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


class Members(InMemory):
    """Nodes that have subscribed to `news`, after some periods."""

    def __init__(self, name: str, number: int = 3, seed: int = 1, key_bits: int = 32, **parameters: Any) -> None:
        self.queueing = parameters.pop("queueing", None)
        super().__init__(overlay(name, {"key_bits": key_bits, **parameters}), seed)
        for member in NAMES[:number]:
            self.start(member).subscribe("news")
        self.run()

    def start(self, name: str, incarnation: int = 1, **options: Any) -> Any:
        """Make a node, which joins through another one where there are no well-known nodes."""
        return super().start(name, incarnation, contact=self.another(name), queueing=self.queueing, **options)

    def __getitem__(self, index: int) -> Any:
        return self.nodes[NAMES[index]]
