"""A whole system in memory: a supervisor, nodes by name, one seed for all chance, and optionally a recording."""

from collections.abc import Sequence
from typing import Any

from gomboc.checker.judge.unknown import NO_FURTHER_ROUND
from gomboc.checker.judge.verdict import Holds, Unknown
from gomboc.impl.api.recording import Recording
from gomboc.impl.runtime.topics import sealed
from tests.impl.in_memory import InMemory


def assert_holds(judgement: Any) -> None:
    """Closure may be unknown: a node that has left takes no timeout, so that no round ends any more."""
    for verdict in (judgement.conformance, judgement.convergence):
        assert isinstance(verdict, Holds), verdict
    assert isinstance(judgement.closure, Holds) or judgement.closure == Unknown(NO_FURTHER_ROUND), judgement.closure


class System(InMemory):
    def __init__(
        self,
        overlay: Any,
        names: Sequence[str] = (),
        seed: int = 1,
        queueing: Any = None,
        most_topics: int = 1000,
        signer: Any = None,
    ) -> None:
        self.queueing, self.names = queueing, tuple(names)
        recording = Recording(overlay, {"implementation": overlay.implementation.name, "seed": seed}, signer)
        super().__init__(overlay, seed, recording, most_topics=most_topics)
        self.supervisor = self.contacts[0]
        for name in names:
            self.start(name)

    def start(self, name: str, incarnation: int = 1, **options: Any) -> Any:
        """Make a node; a former one of its name stops first."""
        if name in self.nodes:
            self.nodes[name].stop()
        return super().start(name, incarnation, queueing=self.queueing, **options)

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
