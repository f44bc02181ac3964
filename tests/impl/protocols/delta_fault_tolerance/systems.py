"""Systems of brokers in virtual time, and the promises on their runs, judged by the clients' deliveries."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replaced
from random import Random
from typing import Any

import msgspec

from gomboc.impl.protocols.delta_fault_tolerance import IMPLEMENTATION
from gomboc.impl.protocols.delta_fault_tolerance.deliveries import (
    Confirmed,
    Publication,
    Published,
    Status,
    Subscribed,
    Unreachable,
    Unsubscribing,
)
from gomboc.impl.protocols.delta_fault_tolerance.filters import Predicate, matches
from gomboc.impl.protocols.delta_fault_tolerance.names import distance, path
from gomboc.impl.protocols.delta_fault_tolerance.states import DETACHED
from gomboc.impl.runtime.disciplines import Discipline
from gomboc.impl.runtime.failures import Budget
from gomboc.impl.runtime.simulator import Conditions, Simulation

ANY = ()
EVEN = (Predicate("parity", "=", 0),)
SMALL = (Predicate("number", "<", 50),)
FILTERS = (ANY, EVEN, SMALL)


def random_tree(random: Random, brokers: Any) -> list[Any]:
    """Names of so many brokers; each but the first hangs on one before it."""
    names = ["b0"]
    for number in range(1, brokers):
        names.append(f"{random.choice(names)}.b{number}")
    return sorted(names)


def blank(name: str, names: Sequence[str], delta: int) -> dict[str, Any]:
    """The state of a broker that has never failed."""
    known = sorted(other for other in names if 0 < distance(name, other) <= delta + 1)
    return {
        "status": "operational",
        "incarnation": 0,
        "known": known,
        "count": 0,
        "streams": sum(distance(name, other) == 1 for other in known),
        "own": [],
        "rows": [],
        "connections": connections(name, known),
        "seen": [],
        "entries": [],
        "asking": [],
        "asked": [],
        "answers": [],
        "later": [],
        "queue": [],
    }


def connections(name: str, known: Any) -> list[Any]:
    neighbours = [neighbour for neighbour in known if distance(name, neighbour) == 1]
    return [[neighbour, "operational", [0, 1], [0, 1]] for neighbour in neighbours]


def header(names: Sequence[str], delta: int, outside: tuple[Any, ...] = (), audit: bool = False) -> dict[str, Any]:
    inside = [broker for broker in names if broker not in outside]
    return {
        "format": "gomboc-trace",
        "version": 1,
        "protocol": "delta_fault_tolerance",
        "parameters": {"delta": delta, "audit": audit},
        "roles": dict.fromkeys(names, "broker"),
        "states": {
            name: msgspec.to_builtins(DETACHED) if name in outside else blank(name, inside, delta) for name in names
        },
        "messages": [],
        "origin": {"seed": 1},
    }


def is_tolerable(away: Any, delta: int) -> bool:
    """Whether at most delta consecutive brokers on any path are away."""
    return all(
        len(between) <= delta or not away.issuperset(between)
        for one in away
        for other in away
        for between in [path(one, other)]
    )


@dataclass
class Client:
    """The deliveries to one broker's client."""

    delivered: list = field(default_factory=list)
    since: dict = field(default_factory=dict)
    status: str = "operational"


@dataclass
class Watched:
    """A judge of a run's deliveries; `faults` has a sentence for each promise that is broken."""

    clients: dict
    published: dict = field(default_factory=dict)
    owed: dict = field(default_factory=dict)
    faults: list = field(default_factory=list)
    unreachable: list = field(default_factory=list)
    confirmed: int = 0

    def observe(self, node: str, content: bytes) -> None:
        client = self.clients[node]
        match content:
            case Status(status):
                client.status = status
                if status == "failed":
                    client.delivered = []
                    for who, owed in self.owed.items():
                        owed.discard(node)
                        if who[0] == node:
                            owed.clear()
            case Subscribed(wanted):
                client.since[wanted] = True
            case Unsubscribing(wanted):
                client.since.pop(wanted, None)
                for identified, owed in self.owed.items():
                    if not self._wants(node, self.published[identified]):
                        owed.discard(node)
            case Published(identified, attributes):
                self.published[identified] = dict(attributes)
                self.owed[identified] = {name for name in self.clients if self._wants(name, dict(attributes))}
            case Publication(identified, attributes, filters):
                self._delivered(node, client, identified, dict(attributes), filters)
            case Confirmed(identified):
                self.confirmed += 1
                if self.owed[identified]:
                    self.faults.append(f"{identified} is confirmed, and not at {sorted(self.owed[identified])}")
            case Unreachable():
                self.unreachable.append((node, content))

    def _wants(self, name: str, attributes: Any) -> bool:
        client = self.clients[name]
        return client.status == "operational" and any(matches(attributes, wanted) for wanted in client.since)

    def _delivered(self, node: str, client: Any, identified: Any, attributes: Any, filters: Any) -> None:
        if not filters or not all(matches(attributes, wanted) for wanted in filters):
            self.faults.append(f"{identified} does not match at {node}")
        if identified in client.delivered:
            self.faults.append(f"{identified} twice at {node}")
        if any(earlier[0] == identified[0] and earlier[1:] > identified[1:] for earlier in client.delivered):
            self.faults.append(f"{identified} out of order at {node}")
        client.delivered.append(identified)
        self.owed[identified].discard(node)


class System:
    """Brokers with these names; `cores` by name. Its `steps` are only kept if `keep` is set."""

    keep = False

    def __init__(
        self,
        names: Sequence[str],
        delta: int,
        seed: int,
        mean_delay: float = 0.2,
        detection: float = 0.5,
        outside: tuple[Any, ...] = (),
        audit: bool = False,
    ) -> None:
        self.names, self.delta, self.random = names, delta, Random(f"{seed}/driver")
        self.cores: dict[str, Any] = {}
        self.joined = outside
        made: Any = IMPLEMENTATION
        configured = made.configured({"delta": delta, "audit": audit})

        def make(role: str, name: str, state: Any, random: Random) -> Any:
            self.cores[name] = configured.make(role, name, state, random)
            return self.cores[name]

        conditions = Conditions(discipline=Discipline.FIFO, failures=Budget(detection=detection), mean_delay=mean_delay)
        self.simulation = Simulation(header(names, delta, outside), replaced(configured, make=make), seed, conditions)
        self.watched = Watched({name: Client() for name in names})
        for name in outside:
            self.watched.clients[name].status = "detached"
        self.steps: Any = []

    def _took(self, step: Any) -> None:
        if step is None:
            return
        if self.keep:
            self.steps.append(step)
        for content in step.delivered:
            self.watched.observe(step.node, content)

    def command(self, node: str, kind: str, **fields: Any) -> None:
        self._took(self.simulation.obey(self.simulation.now, node, {"kind": kind, **msgspec.to_builtins(fields)}))

    def run_until(self, time: Any) -> None:
        while self.simulation.next_at <= time:
            self._took(self.simulation.step())

    @property
    def away(self) -> set[Any]:
        """The brokers that are down or recovering, without joining leaves: no broker is behind such a leaf."""
        return {name for name, core in self.cores.items() if core.at.status != "operational" and not joins(core.at)}

    @property
    def outside(self) -> set[Any]:
        return {name for name, core in self.cores.items() if core.at.status == "detached"}

    @property
    def failed(self) -> set[Any]:
        return {name for name, core in self.cores.items() if core.at.status == "failed"}

    def disturb(self, crashes: Any) -> None:
        """Something that comes from outside; a crash only within the assumption."""
        random, name = self.random, self.random.choice(self.names)
        if name in self.outside:
            self.command(name, "Join")
            return
        match random.random():
            case chance if chance < 0.55:
                number = random.randrange(100)
                self.command(name, "Publish", attributes=[["number", number], ["parity", number % 2]])
            case chance if chance < 0.65:
                self.command(name, "Subscribe", filter=random.choice(FILTERS))
            case chance if chance < 0.70:
                self.command(name, "Unsubscribe", filter=random.choice(FILTERS))
            case chance if chance < 0.85 and crashes:
                away = self.away | {name}
                if name not in self.failed and is_tolerable(away, self.delta):
                    self.command(name, "Crash")
            case _:
                if self.failed:
                    self.command(random.choice(sorted(self.failed)), "Restart")

    def end(self, periods: int = 60) -> None:
        """Restart all failed brokers, let all others join, and run on for this many periods."""
        for broker in sorted(self.failed):
            self.command(broker, "Restart")
        for broker in sorted(self.outside):
            self.command(broker, "Join")
        self.run_until(self.simulation.now + periods)

    def unsettled(self) -> Iterator[Any]:
        """The differences from the state that tree and subscriptions imply, in sentences."""
        own = {(name, wanted) for name, core in self.cores.items() for wanted in core.at.own}
        for name, core in self.cores.items():
            at = core.at
            if at.status != "operational":
                yield f"{name} is {at.status}, asking {sorted(at.recovery.asking)}"
            if (
                at.entries
                or at.queue
                or at.recovery.asking
                or at.recovery.asked
                or at.recovery.answers
                or at.recovery.later
            ):
                yield f"{name} has {[(e.id, e.waiting) for e in at.entries.values()]} {at.recovery}"
            if at.known != tuple(sorted(other for other in self.names if 0 < distance(name, other) <= self.delta + 1)):
                yield f"{name} knows {at.known}"
            if set(at.links) != {peer for peer in at.known if distance(name, peer) == 1}:
                yield f"{name} is connected to {sorted(at.links)}"
            if any(subscription.phase != "subscribed" for subscription in at.own.values()):
                yield f"{name} has {at.own}"
            expected = {(source, wanted, via(name, source, self.delta)) for source, wanted in own if source != name}
            actual = {(row.source, row.filter, row.via) for row in at.table.rows()}
            if actual != expected:
                yield f"{name} has rows wrong: lacks {expected - actual}, has too much {actual - expected}"
        for identified, owed in self.watched.owed.items():
            if owed:
                yield f"{identified} is lost at {sorted(owed)}"


def joins(at: Any) -> bool:
    """Whether a broker is outside, or on its way in for the first time."""
    return at.status == "detached" or (at.status == "recovering" and at.incarnation == 0)


def via(name: str, source: Any, delta: int) -> Any:
    way = path(name, source)
    return way[min(delta + 1, len(way) - 1)]


def some_leaves(names: Sequence[str], most: Any, random: Random) -> Any:
    """At most this many of the leaves of a tree, and never all of its brokers."""
    leaves = [name for name in names[1:] if not any(other.startswith(f"{name}.") for other in names)]
    return random.sample(leaves, min(most, len(leaves)))


def random_run(
    seed: int,
    brokers: Any,
    delta: int,
    events: int = 40,
    crashes: bool = True,
    spacing: float = 0.5,
    joining: int = 0,
    **conditions: Any,
) -> tuple[Any, ...]:
    """A completed run within the assumption, and its faults. At most `joining` of the brokers are outside."""
    random = Random(f"{seed}/tree")
    names = random_tree(random, brokers)
    outside = some_leaves(names, joining, random) if joining else ()
    system = System(names, delta, seed, outside=outside, **conditions)
    for name in system.names:
        if random.random() < 0.5 and name not in outside:
            system.command(name, "Subscribe", filter=random.choice(FILTERS))
    system.run_until(5)
    for _ in range(events):
        system.disturb(crashes and delta > 0)
        system.run_until(system.simulation.now + random.expovariate(1 / spacing))
    system.end()
    return system, [
        *system.watched.faults,
        *system.unsettled(),
        *(f"unreachable {recipient}" for recipient in system.watched.unreachable),
    ]
