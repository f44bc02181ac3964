"""What nodes send in one step to one peer while members publish, join, crash, come back and leave, on any overlay.

Only an application's calls are used. `python -m tests.impl.applications.volumes [OVERLAY...] --seeds 40` draws more.
"""

import argparse
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from gomboc.impl.core.reasons import RefusedError
from gomboc.impl.core.trace import Step
from gomboc.impl.runtime.configuration import NodeContext
from tests.impl.applications.filters import Application
from tests.impl.attacks.system import Watch
from tests.impl.members import NAMES, OVERLAYS, Members
from tests.volumes import too_much, volumes

CHUNK = 4
LARGE = 20_000
"""The bytes of a payload of which three fit into 64 KiB; of line ends, which JSON writes as two bytes each, one."""
EVENTS = 40
BURST = 8
"""The most that brokers do in a quarter of a period, and one more."""


class Scales(Watch):
    """Observer of one layer: the steps that send one peer too much, and the most that any has sent to one."""

    def __init__(self, chunk: int) -> None:
        super().__init__()
        self.chunk, self.excess, self.most, self.largest = chunk, list[Any](), 0, 0

    def took(self, topic: str, step: Step, message: object) -> None:
        """A node has taken a step."""
        super().took(topic, step, message)
        sent = [(flying.to, flying.message) for flying in step.sent]
        took = type(message).__name__ if isinstance(step.took, int) else step.took
        self.excess += [(step.node, took, to, *volume) for to, volume in too_much(sent, self.chunk).items()]
        for many, size in volumes(sent).values():
            self.most, self.largest = max(self.most, many), max(self.largest, size)


class Life(Members):
    """Members of one topic, in which all is drawn by one seed; `scales` has the volumes."""

    def __init__(self, name: str, seed: int, **parameters: Any) -> None:
        self.scales = Scales(CHUNK)
        self.incarnation, self.published = 0, 0
        super().__init__(name, 1, seed, chunk=CHUNK, payload_limit=LARGE, **parameters)

    def around(self, name: str) -> NodeContext:
        layers = {layer.implementation.name: self.scales for layer in self.overlay.layers}
        return NodeContext(self.network.transport(name), self.clock, self.random, self.scales, beneath=layers)

    def begin(self, name: str) -> None:
        """Start a node, and let it take part."""
        self.incarnation += 1
        self.start(name, self.incarnation + 1).subscribe("news")
        for node in self.nodes.values():
            node.trust(name)

    def end(self, name: str) -> None:
        """Crash a node: all others hear of it."""
        self.nodes.pop(name).stop()
        for node in self.nodes.values():
            node.suspect(name)

    def publish(self, name: str) -> None:
        """Publish some payloads, short ones and long ones."""
        for _ in range(self.random.randrange(2 * CHUNK)):
            self.published += 1
            size, filler = self.random.choice(((10, "x"), (LARGE, "x"), (LARGE, "\n")))
            self.nodes[name].publish("news", f"{self.published}".ljust(size, filler))

    def event(self) -> None:
        """One thing that an application may do, or a crash, or a return; then time passes."""
        node, absent = self.random.choice(sorted(self.nodes)), [name for name in NAMES if name not in self.nodes]
        with suppress(RefusedError):
            match self.random.choice("ppppbbbcluu"):
                case "p":
                    self.publish(node)
                case "b" if absent:
                    self.begin(self.random.choice(absent))
                case "c" if len(self.nodes) > 2:
                    self.end(node)
                case "l":
                    self.nodes[node].unsubscribe("news", forget=self.random.random() < 0.5)
                case "u":
                    self.nodes[node].subscribe("news")
        self.run(self.random.expovariate(0.5))

    def lived(self, events: int = EVENTS) -> Scales:
        """The volumes of a life of so many events."""
        for _ in range(events):
            self.event()
        self.run(20)
        return self.scales


def topics(name: str, parameters: Mapping[str, Any], seed: int) -> Scales:
    """What members of a topic send on an overlay with these parameters."""
    return Life(name, seed, **parameters).lived()


class Brokers(Application):
    """Brokers with filters, of which one at a time crashes and comes back; `scales` has the volumes.

    Their bound is one of bytes: a copy of a publication goes to a peer by itself, and any number in a step.
    """

    def __init__(self, seed: int, **parameters: Any) -> None:
        self.scales = Scales(sys.maxsize)
        super().__init__(seed, 1, **parameters)

    def around(self, name: str) -> NodeContext:
        return NodeContext(self.network.transport(name), self.clock, self.random, self.scales)

    def beside(self) -> dict[str, Any]:
        return {"text": "x" * self.random.choice((10, LARGE))}

    def lived(self, events: int = 3 * EVENTS) -> Scales:
        """The volumes of a life of so many quarters of a period."""
        for _ in range(events):
            for _ in range(self.random.randrange(BURST)):
                self.act(1)
            self.quarter()
        return self.scales


LIVES: Mapping[str, Callable[[int], Scales]] = {
    f"{name} {parameters or ''}".strip(): partial(topics, name, parameters) for name, parameters in OVERLAYS
} | {"delta_fault_tolerance": lambda seed: Brokers(seed).lived()}


def main() -> int:
    """1 if a step of any life sends too much, else 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("overlays", nargs="*", metavar="OVERLAY", help=f"of {', '.join(LIVES)} (default: all)")
    parser.add_argument("--seeds", type=int, default=40)
    options, broken = parser.parse_args(), False
    for name in options.overlays or LIVES:
        scales = [LIVES[name](seed) for seed in range(options.seeds)]
        excess = [one for of in scales for one in of.excess]
        broken |= bool(excess)
        print(
            f"{name}: {options.seeds} lives; a step sends at most {max(of.most for of in scales)} publications and "
            f"{max(of.largest for of in scales):,} bytes to one peer; too much: {excess[:3]}",
            flush=True,
        )
    return int(broken)


if __name__ == "__main__":
    sys.exit(main())
