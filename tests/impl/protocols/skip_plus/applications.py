"""Nodes that publish over Skip+, in memory, recorded layer by layer."""

from pathlib import Path
from typing import Any

import msgspec

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.judge.verdict import Holds
from gomboc.impl.api.lower_layers import DIRECTORY
from gomboc.impl.api.overlays import overlay
from gomboc.impl.api.recording import SystemRecording
from tests.impl.in_memory import InMemory
from tests.impl.system import assert_holds

SKIP_PLUS = overlay("skip_plus", {"key_bits": 32})


class Applications(InMemory):
    """So many nodes; each but the first knows the first, if they are acquainted. Names are drawn."""

    def __init__(self, nodes: int, seed: int = 1, acquainted: bool = True) -> None:
        self.acquainted = acquainted
        recording = SystemRecording(SKIP_PLUS, {"implementation": "skip_plus", "seed": seed})
        super().__init__(SKIP_PLUS, seed, recording)
        self.recordings = recording.layers
        self.names = [f"{self.random.getrandbits(16):04x}:{self.random.getrandbits(6):06b}" for _ in range(nodes)]
        for name in self.names:
            self.join(name)

    def __getitem__(self, index: int) -> Any:
        return self.nodes[self.names[index]]

    def join(self, name: str, incarnation: int = 1) -> None:
        self.start(name, incarnation, contact=self.another(name) if self.acquainted else None)

    def crash(self, index: int) -> None:
        """The node loses everything, without a word."""
        self[index].stop()

    def run(self, periods: float = 20.0) -> None:
        super().run(periods)

    def subscribe(self, topic: str, *places: Any) -> None:
        for index in places:
            self[index].subscribe(topic)

    def payloads(self, topic: str, *places: Any) -> list[Any]:
        """The payloads that each of these nodes holds."""
        return [sorted(publication.payload for publication in self[index].history(topic)) for index in places]

    def state(self, layer: Any, index: int, topic: str = DIRECTORY) -> Any:
        beneath = self[index]._beneath
        host = {"skip_plus": beneath._graph, "topic_directory": beneath._directory}[layer]
        return msgspec.json.decode(host.instances.snapshot(topic))

    def judged(self, folder: Path) -> dict[tuple[str, str], Any]:
        """The judge's word on each trace of each layer."""
        return {(path.parent.name, path.stem): judge_file(path) for path in self.recording.write(folder)}

    def assert_all_conform_and_the_rest_holds(self, folder: Path, unknown: tuple[Any, ...] = ()) -> None:
        for key, judgement in self.judged(folder).items():
            assert isinstance(judgement.conformance, Holds), (key, judgement.conformance)
            if key not in unknown:
                assert_holds(judgement)
