"""Applications with filters and nodes that crash and come back, with an oracle of the deliveries owed.

Only an application's own actions are used: nodes and clients, their filters, publications, confirmations and
deliveries.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from gomboc.impl.api.content import ContentNode
from gomboc.impl.api.overlays import overlay
from gomboc.impl.api.recording import Recording
from tests.impl.in_memory import InMemory

TREE = ("a", "a.b", "a.b.c", "a.b.d", "a.e", "a.e.f", "a.g")
QUARTERS = 4
"""So many looks at the failure detector, and moments for an application, a period has."""


@dataclass(eq=False)
class Reader:
    """A client, its deliveries, the lower bounds of its filters, and the bounds that it was told are known.

    `got` counts the deliveries, and no value below `least_ever` was ever wanted.
    """

    node: str
    client: Any
    deliveries: Any
    bounds: set[int] = field(default_factory=set)
    known: set[int] = field(default_factory=set)
    got: Counter = field(default_factory=Counter)
    least_ever: int = 10


@dataclass(frozen=True)
class Outcome:
    """Numbers of a run: deliveries owed, and deliveries that were missed, doubled or unwanted."""

    owed: int
    missed: int
    doubled: int
    unwanted: int
    unconfirmed: int
    restarts: int


class Application(InMemory):
    """Nodes of one tree, each with readers; all is drawn by one seed, and recorded."""

    def __init__(self, seed: int, delta: int, **parameters: Any) -> None:
        own = overlay("delta_fault_tolerance", {"delta": delta, **parameters})
        super().__init__(own, seed, Recording(own, {"seed": seed}))
        self.nodes = {name: self.node(name, names=TREE) for name in TREE}
        self.kept: dict[str, object] = {}
        self.readers: list[Reader] = []
        self.number = self.owed = self.restarts = 0
        self.values: dict[Any, Any] = {}
        self.debts: list[Any] = []
        self.confirmed: set[Any] = set()
        self.asked: set[Any] = set()
        for name in TREE:
            self.attach(name)

    def node(self, name: str, **begin: Any) -> ContentNode:
        return ContentNode(name, self.overlay, self.around(name), **begin)

    def attach(self, name: str) -> Any:
        client = self.nodes[name].attach()
        self.readers.append(Reader(name, client, client.deliveries()))
        return self.readers[-1]

    # What an application does.

    def subscribe(self, reader: Any, least: Any) -> None:
        reader.bounds.add(least)
        reader.least_ever = min(reader.least_ever, least)
        reader.client.subscribe([("x", ">=", least)], lambda _: least in reader.bounds and reader.known.add(least))

    def unsubscribe(self, reader: Any, least: Any) -> None:
        reader.bounds.discard(least)
        reader.known.discard(least)
        reader.client.unsubscribe([("x", ">=", least)])

    def publish(self, name: str) -> None:
        """Publish; a reader with a matching filter that it was told is known is owed it while the publisher lives."""
        self.number += 1
        number, value = self.number, self.random.randrange(10)
        self.values[number] = value
        owed = [reader for reader in self.readers if any(least <= value for least in reader.known)]
        self.debts.append((name, number, owed))
        self.asked.add(number)
        node: Any = next(reader for reader in self.readers if reader.node == name).client
        node.publish({"x": value, "number": number, **self.beside()}, lambda _: self.confirmed.add(number))

    def beside(self) -> dict[str, Any]:
        """Further attributes of a publication."""
        return {}

    def crash(self, name: str) -> None:
        """Crash a node: deliveries owed to its clients, and its unconfirmed publications, are owed no more."""
        self.kept[name] = self.nodes[name].kept
        self.nodes[name].stop()
        gone = [reader for reader in self.readers if reader.node == name]
        self.take()
        self.readers = [reader for reader in self.readers if reader not in gone]
        for index, (publisher, number, owed) in enumerate(self.debts):
            left = [] if publisher == name and number not in self.confirmed else owed
            self.debts[index] = publisher, number, [reader for reader in left if reader not in gone]
        self.asked -= {number for publisher, number, _ in self.debts if publisher == name}

    def come_back(self, name: str) -> None:
        self.restarts += 1
        self.nodes[name] = self.node(name, kept=self.kept.pop(name))
        restored: Any = self.nodes[name].restored
        reader = Reader(name, restored, restored.deliveries())
        reader.bounds = {least for ((_, _, least),) in restored.filters}
        self.readers.append(reader)
        for least in sorted(reader.bounds):
            self.subscribe(reader, least)

    # Time.

    def quarter(self) -> None:
        for node in self.nodes.values():
            for peer in sorted(self.kept.keys() & set(node.watched)):
                node.suspect(peer)
        self.clock.advance(1 / QUARTERS)
        self.take()

    def take(self) -> None:
        for reader in self.readers:
            reader.got.update(delivery.attributes["number"] for delivery in iter(reader.deliveries.take, None))

    def act(self, most_away: Any) -> None:
        """One thing that an application may do, or a crash, or a return."""
        random, alive = self.random, sorted(self.nodes.keys() - self.kept.keys())
        reader = random.choice(self.readers)
        match random.choices(("publish", "subscribe", "unsubscribe", "attach", "crash", "back"), (8, 3, 1, 1, 1, 2))[0]:
            case "publish":
                self.publish(random.choice(alive))
            case "subscribe":
                self.subscribe(reader, random.randrange(10))
            case "unsubscribe" if reader.bounds:
                self.give_up(reader, random.choice(sorted(reader.bounds)))
            case "attach":
                self.attach(random.choice(alive))
            case "crash" if len(self.kept) < most_away and all(self.nodes[name].ready for name in alive):
                self.crash(random.choice(alive))
            case "back" if self.kept:
                self.come_back(random.choice(sorted(self.kept)))

    def give_up(self, reader: Any, least: Any) -> None:
        """Unsubscribe; earlier publications may come or not."""
        self.debts = [
            (publisher, number, [waiting for waiting in owed if waiting is not reader])
            for publisher, number, owed in self.debts
        ]
        self.unsubscribe(reader, least)

    def outcome(self) -> Outcome:
        owed = [(reader, number) for _, number, readers in self.debts for reader in readers]
        return Outcome(
            len(owed),
            sum(not reader.got[number] for reader, number in owed),
            sum(times > 1 for reader in self.readers for times in reader.got.values()),
            sum(self.values[number] < reader.least_ever for reader in self.readers for number in reader.got),
            len(self.asked - self.confirmed),
            self.restarts,
        )


def run(seed: int, delta: int, quarters: int = 240) -> Any:
    """The outcome of a run with restarts."""
    return ended(seed, delta, quarters).outcome()


def ended(seed: int, delta: int, quarters: int = 240) -> Any:
    """A run with restarts, to its end: all nodes are back, and all deliveries have come."""
    there = Application(seed, delta)
    for _ in range(quarters):
        there.act(delta)
        there.quarter()
    while there.kept:
        there.come_back(min(there.kept))
    for _ in range(40 * QUARTERS):
        there.quarter()
    return there
