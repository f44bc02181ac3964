"""Nodes of a tree in memory for applications that subscribe by filters, one seed for all chance, and a recording."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.judge.verdict import Judgement
from gomboc.impl.api.content import ContentNode
from gomboc.impl.api.overlays import overlay
from gomboc.impl.api.recording import Recording
from gomboc.impl.publishing.deliveries import Queueing
from tests.impl.in_memory import InMemory

NAMES = ("a", "a.b", "a.b.c", "a.d")
CHEAP = [("price", "<", 10)]
FRUIT = [("kind", "=", "fruit")]
AGREED = overlay("delta_fault_tolerance", {"delta": 1}).agreement


class Brokers(InMemory):
    """Nodes with these names but for those that are `absent`, and a detector that knows the stopped nodes."""

    def __init__(
        self,
        names: Sequence[str] = NAMES,
        delta: int = 1,
        queueing: Queueing | None = None,
        seed: int = 1,
        absent: Collection[str] = (),
        **parameters: Any,
    ) -> None:
        own = overlay("delta_fault_tolerance", {"delta": delta, **parameters})
        super().__init__(own, seed, Recording(own, {"seed": seed}))
        self.queueing, self.down = queueing, set[str]()
        self.nodes = {name: self.node(name, names=names) for name in names if name not in absent}

    def node(self, name: str, **begin: Any) -> Any:
        return ContentNode(name, self.overlay, self.around(name), queueing=self.queueing, **begin)

    def run(self, periods: float = 6) -> None:
        """Let so many periods pass, in which the detector suspects what is down."""
        for _ in range(int(4 * periods)):
            for node in self.nodes.values():
                for node_name in self.down.intersection(node.watched):
                    node.suspect(node_name)
            self.clock.advance(0.25)

    def crash(self, name: str) -> Any:
        """Stop a node; returns the value that was kept of it."""
        kept = self.nodes[name].kept
        self.nodes[name].stop()
        self.down.add(name)
        return kept

    def come_back(self, name: str, kept: Any) -> Any:
        self.down.remove(name)
        self.nodes[name] = self.node(name, kept=kept)
        return self.nodes[name]

    def judged(self, folder: Path) -> Judgement:
        (path,) = self.recording.write(folder)
        return judge_file(path)


def taken(deliveries: Any) -> list[Any]:
    """The attributes of the publications that wait."""
    return [publication.attributes for publication in iter(deliveries.take, None)]
