"""A whole system in memory: a supervisor, nodes by name, one seed for all chance, and optionally a recording."""

from collections.abc import Sequence
from random import Random
from typing import Any

from gomboc.checker.judge.unknown import NO_FURTHER_ROUND
from gomboc.checker.judge.verdict import Holds, Unknown
from gomboc.impl.api.contact import Contact
from gomboc.impl.api.node import Node
from gomboc.impl.api.recording import Recording
from gomboc.impl.runtime.clock import ManualClock
from gomboc.impl.runtime.configuration import NodeContext
from gomboc.impl.runtime.memory import MemoryNetwork
from gomboc.impl.runtime.topics import sealed


def assert_holds(judgement: Any) -> None:
    """Closure may be unknown: a node that has left takes no timeout, so that no round ends any more."""
    for verdict in (judgement.conformance, judgement.convergence):
        assert isinstance(verdict, Holds), verdict
    assert isinstance(judgement.closure, Holds) or judgement.closure == Unknown(NO_FURTHER_ROUND), judgement.closure


class System:
    def __init__(
        self,
        overlay: Any,
        names: Sequence[str] = (),
        seed: int = 1,
        queueing: Any = None,
        most_topics: int = 1000,
        signer: Any = None,
    ) -> None:
        self.overlay, self.queueing = overlay, queueing
        self.clock = ManualClock()
        self.random = Random(seed)
        self.network = MemoryNetwork(self.clock, self.random)
        self.recording = Recording(overlay, {"implementation": overlay.implementation.name, "seed": seed}, signer)
        self.supervisor = Contact("supervisor", overlay, self.around("supervisor"), most_topics=most_topics)
        self.nodes: Any = {}
        self.names = tuple(names)
        for name in names:
            self.start(name)

    def around(self, name: str) -> NodeContext:
        return NodeContext(self.network.transport(name), self.clock, self.random, self.recording)

    def start(self, name: str, incarnation: int = 1) -> Any:
        if name in self.nodes:
            self.nodes[name].stop()
        around = self.around(name)
        self.nodes[name] = Node(name, self.overlay, around, incarnation=incarnation, queueing=self.queueing)
        return self.nodes[name]

    def __getitem__(self, name: str) -> Any:
        return self.nodes[name]

    def run(self, periods: float = 10.0) -> None:
        self.clock.advance(periods)

    def subscribe(self, topic: str, *names: str) -> None:
        for name in names:
            self[name].subscribe(topic)

    def payloads(self, name: str, topic: str) -> list[Any]:
        return sorted(publication.payload for publication in self[name].history(topic))

    def say(self, topic: str, to: str, message: Any, sender: str = "mallory") -> Any:
        """A stranger's message, as JSON."""
        return self.send(to, sealed(topic, self.overlay.agreement, message), sender)

    def send(self, to: str, written: Any, sender: str = "mallory") -> Any:
        return self.network.send(sender, to, written)
