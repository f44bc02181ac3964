"""Trees in the simulator: routes that move when nodes crash, and the state that every node must have in the end."""

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import msgspec

from gomboc.impl.protocols.scribe import IMPLEMENTATION
from gomboc.impl.publishing.validity import key_of
from gomboc.impl.runtime.simulator import Conditions, Simulation

BITS = 24


def publication(publisher: str, number: int, *, forged: bool = False) -> list[Any]:
    key = key_of(publisher, number, "x", BITS)
    return [key, publisher, number, "x", "else" if forged else publisher]


class Tree:
    """Nodes with routes that make a tree, in any state; a broadcast layer beside reaches some nodes, late.

    The last `outside` nodes have no route before they join.
    """

    def __init__(self, nodes: int, seed: int, *, corrupted: bool = True, outside: int = 0, **parameters: Any) -> None:
        self.random = Random(seed)
        self.names = [f"n{number}" for number in range(nodes)]
        self.parameters = {"key_bits": BITS, **parameters}
        self.tested = IMPLEMENTATION.configured(self.parameters)  # type: ignore[misc]
        self.alive = set(self.names)
        self.inside = set(self.names[: nodes - outside])
        self.routes = self.drawn_routes()
        state = self.corrupted if corrupted else self.blank
        header = {
            "protocol": "scribe",
            "roles": dict.fromkeys(self.names, "node"),
            "states": {name: state(name) for name in self.names},
            "messages": [{"id": id_, **self.message()} for id_ in range(2 * nodes if corrupted else 0)],
        }
        self.running = Simulation(header, self.tested, seed, Conditions())
        self.deliveries: dict[str, Counter[Any]] = {name: Counter() for name in self.names}
        self.unasked = 0

    def drawn_routes(self) -> dict[str, str]:
        """Routes of the nodes inside: each goes to an earlier one in some order, the first to itself."""
        order = self.random.sample(sorted(self.inside), len(self.inside))
        return {name: order[self.random.randrange(max(1, place))] for place, name in enumerate(order)}

    def blank(self, name: str) -> Any:
        return {"wants": self.random.random() < 0.5, "next": self.routes.get(name)}

    def corrupted(self, name: str) -> Any:
        random, names = self.random, self.names
        held = sorted(publication(random.choice(names), number) for number in random.sample(range(9), 3))
        held = [*{one[0]: one for one in [*held, publication("n0", 99, forged=True)]}.values()]
        method = {"method": "broadcast"} if "high" in self.parameters and random.random() < 0.3 else {}
        return {
            **self.blank(name),
            "parent": random.choice([None, *names]),
            "children": [[child, random.randrange(4)] for child in sorted(random.sample(names, 2))],
            "publications": sorted(held),
            "pending": sorted(one[0] for one in held if random.random() < 0.3),
            "delivered": [["n0", 1]] if random.random() < 0.3 else [],
            "told": random.choice(held)[0] if random.random() < 0.3 else None,
            "new": sorted(one[0] for one in held if random.random() < 0.3),
            **method,
        }

    def message(self) -> Any:
        sender, one = self.random.choice(self.names), publication(self.random.choice(self.names), 3)
        message = self.random.choice(
            [
                {"kind": "Subscribe", "sender": sender, "count": 7, "keys": []},
                {"kind": "Heartbeat", "sender": sender, "keys": [one[0]]},
                {"kind": "Request", "sender": sender, "keys": [one[0]]},
                {"kind": "Leave", "sender": sender},
                {"kind": "Publish", "sender": sender, "publications": [one]},
                {"kind": "Submit", "publication": one},
                {"kind": "Acknowledge", "key": one[0]},
                {"kind": "MethodRequest", "asker": sender},
                {"kind": "MethodReply", "method": self.random.choice(["tree", "broadcast"])},
            ]
        )
        return {"to": self.random.choice(self.names), "message": message}

    def command(self, name: str, kind: str, **more: Any) -> None:
        self.took(self.running.obey(self.running.now, name, {"kind": kind, **more}))

    def run(self, periods: float) -> None:
        end = self.running.now + periods
        while self.running.next_at < end:
            step = self.running.step()
            assert step is not None
            self.took(step)

    def took(self, step: Any) -> None:
        for content in map(msgspec.to_builtins, step.delivered):
            if isinstance(content, list):
                self.deliveries[step.node][content[1], content[2]] += 1
                self.unasked += not msgspec.json.decode(step.state)["wants"]
            elif content["kind"] == "Spread":
                self.broadcast(content["publication"])

    def broadcast(self, spread: Any) -> None:
        """A publication reaches some of the live nodes."""
        for name in sorted(self.alive):
            if self.random.random() < 0.7:
                self.command(name, "Heard", publication=spread)

    def crash(self, name: str) -> None:
        """A node crashes, the layer below moves the routes, and a detector tells every other node."""
        self.alive.remove(name)
        self.inside.discard(name)
        self.command(name, "Crash")
        self.move(name)

    def join(self, name: str) -> None:
        """A node gets a route, and the layer below moves all others."""
        self.inside.add(name)
        self.move()

    def move(self, crashed: str | None = None) -> None:
        """All routes are drawn anew; if a node has crashed, every other one is told so."""
        self.routes = self.drawn_routes()
        for other in sorted(self.alive):
            if other in self.inside:
                self.command(other, "Routed", next=self.routes[other])
            if crashed is not None:
                self.command(other, "Suspect", node=crashed)

    def states(self) -> dict[str, Any]:
        return {name: msgspec.json.decode(self.running._cores[name].snapshot()) for name in sorted(self.alive)}


def way(routes: Mapping[str, str], name: str) -> Iterator[str]:
    """The nodes on the route of a node, itself and the owner among them."""
    yield name
    while routes[name] != name:
        name = routes[name]
        yield name


def faults(tree: Tree) -> list[str]:
    """Sentences about whatever is not as the wishes and the routes demand, computed from these alone."""
    states, routes = tree.states(), tree.routes
    wanting = {name for name, state in states.items() if state["wants"]}
    owner = next(name for name, hop in routes.items() if hop == name)
    within = {owner, *(node for name in wanting for node in way(routes, name))}
    counts = {name: sum(name in way(routes, other) for other in wanting) for name in within}
    wrong = []
    for name, state in states.items():
        children = [[child, counts[child]] for child in sorted(within) if routes[child] == name != child]
        parent = routes[name] if name in within and routes[name] != name else None
        if state.get("children", []) != (children if name in within else []):
            wrong.append(f"{name} has children {state.get('children')}, and not {children}")
        if state.get("parent") != parent:
            wrong.append(f"{name} has the parent {state.get('parent')}, and not {parent}")
        if state.get("pending"):
            wrong.append(f"{name} has pending {state['pending']}")
        if name not in within and state.get("publications"):
            wrong.append(f"{name} is outside and holds {state['publications']}")
    held = {msgspec.json.encode(states[name].get("publications", [])) for name in within}
    if len(held) > 1:
        wrong.append(f"the nodes of the tree hold {len(held)} different things")
    return wrong
