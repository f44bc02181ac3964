"""Systems in the simulator: nodes that join through the first one, crash, and broadcast; and what their views say."""

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec
import networkx

from gomboc.impl.protocols.hyparview import IMPLEMENTATION
from gomboc.impl.publishing.validity import key_of
from gomboc.impl.runtime.failures import Budget
from gomboc.impl.runtime.simulator import Conditions, Simulation

BITS = 24


def publication(publisher: str, number: int) -> list[Any]:
    return [key_of(publisher, number, "x", BITS), publisher, number, "x", publisher]


class System:
    """So many nodes; a failure detector tells a node that has sent a message to a crashed one."""

    def __init__(self, nodes: int, seed: int, **parameters: Any) -> None:
        self.random = Random(seed)
        self.names = [f"n{number:04}" for number in range(nodes)]
        self.alive = set(self.names)
        self.tested = IMPLEMENTATION.configured({"key_bits": BITS, **parameters})  # type: ignore[misc]
        header = {
            "protocol": "hyparview",
            "roles": dict.fromkeys(self.names, "node"),
            "states": {name: {"status": "outside"} for name in self.names},
            "messages": [],
        }
        self.running = Simulation(header, self.tested, seed, Conditions(failures=Budget(detection=0.5)))
        self.heard: dict[str, Counter[Any]] = {name: Counter() for name in self.names}

    def joined(self, within: float = 0.0) -> "System":
        """All nodes join through the first one in this time, in periods; twenty more pass."""
        self.command(self.names[0], "Join", contact=self.names[0])
        for name in self.names[1:]:
            self.run(within / len(self.names))
            self.command(name, "Join", contact=self.names[0])
        self.run(20)
        return self

    def command(self, name: str, kind: str, **more: Any) -> None:
        self.took(self.running.obey(self.running.now, name, {"kind": kind, **more}))

    def spread(self, name: str, number: int) -> None:
        self.command(name, "Spread", topic="t", publication=publication(name, number))

    def crash(self, share: float) -> None:
        """A share of the nodes crash at once."""
        for name in self.random.sample(self.names, int(share * len(self.names))):
            self.alive.remove(name)
            self.command(name, "Crash")

    def run(self, periods: float) -> None:
        end = self.running.now + periods
        while self.running.next_at < end:
            step = self.running.step()
            if step is not None:
                self.took(step)

    def took(self, step: Any) -> None:
        for content in map(msgspec.to_builtins, step.delivered):
            if content["kind"] == "Heard":
                self.heard[step.node][tuple(content["publication"][1:3])] += 1

    def states(self) -> dict[str, Any]:
        return {name: msgspec.json.decode(self.running._cores[name].snapshot()) for name in sorted(self.alive)}


def one_sided(states: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Links that one end does not know: neither in its active view, nor as the node that it has asked."""
    known = {name: {*state.get("active", []), state.get("asked")} for name, state in states.items()}
    links = [(name, other) for name, state in states.items() for other in state.get("active", [])]
    return [(name, other) for name, other in links if name not in known.get(other, ())]


def parts(states: Mapping[str, Any]) -> list[int]:
    """The sizes of the parts of the graph of mutual links, the greatest first."""
    views = {name: set(state.get("active", [])) for name, state in states.items()}
    mutual = networkx.Graph()
    mutual.add_nodes_from(views)
    mutual.add_edges_from((name, other) for name in views for other in views[name] if name in views.get(other, ()))
    return sorted(map(len, networkx.connected_components(mutual)), reverse=True)
