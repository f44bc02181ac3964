"""Systems of brokers in virtual time, and the specification's promises on their deliveries and final states."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replaced
from random import Random
from typing import Any

import msgspec

from gomboc.checker.judge.promises import Histories
from gomboc.impl.protocols.delta_fault_tolerance import IMPLEMENTATION
from gomboc.impl.protocols.delta_fault_tolerance.deliveries import (
    Confirmed,
    Publication,
    Published,
    Status,
    Unreachable,
)
from gomboc.impl.protocols.delta_fault_tolerance.filters import Predicate
from gomboc.impl.protocols.delta_fault_tolerance.port import begin
from gomboc.impl.runtime.disciplines import Discipline
from gomboc.impl.runtime.failures import Budget
from gomboc.impl.runtime.simulator import Conditions, Simulation
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.protocols.delta_fault_tolerance import configured
from gomboc.spec.protocols.delta_fault_tolerance.premise import longest_chain
from gomboc.spec.protocols.delta_fault_tolerance.promises import OBSERVERS
from gomboc.spec.protocols.delta_fault_tolerance.state import Node
from tests.golden.drive import header as header_of

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


def header(names: Sequence[str], delta: int, outside: tuple[Any, ...] = (), audit: bool = False) -> dict[str, Any]:
    inside = [broker for broker in names if broker not in outside]
    states: dict[str, Any] = {name: begin({"delta": delta}, name, () if name in outside else inside) for name in names}
    parameters, roles = {"delta": delta, "audit": audit}, dict.fromkeys(names, "broker")
    return {**header_of("delta_fault_tolerance", parameters, roles, states), "origin": {"seed": 1}}


@dataclass
class Watched:
    """The deliveries of a run; `faults` has the name of each promise over histories that they break."""

    delivered: dict[str, list]
    published: list = field(default_factory=list)
    faults: list = field(default_factory=list)
    unreachable: list = field(default_factory=list)
    confirmed: int = 0
    histories: Histories = field(default_factory=lambda: Histories(OBSERVERS))

    def observe(self, node: str, content: Any) -> None:
        match content:
            case Status("failed"):
                self.delivered[node] = []
            case Published(identified):
                self.published.append(identified)
            case Publication(identified):
                self.delivered[node].append(identified)
            case Confirmed():
                self.confirmed += 1
            case Unreachable():
                self.unreachable.append((node, content))
        self.faults += self.histories.deliver(node, msgspec.to_builtins(content))


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
        parameters = {"delta": delta, "audit": audit}
        self.protocol, brokers = configured(parameters), made.configured(parameters)

        def make(role: str, name: str, state: Any, random: Random) -> Any:
            self.cores[name] = brokers.make(role, name, state, random)
            return self.cores[name]

        conditions = Conditions(discipline=Discipline.FIFO, failures=Budget(detection=detection), mean_delay=mean_delay)
        self.simulation = Simulation(header(names, delta, outside), replaced(brokers, make=make), seed, conditions)
        self.watched = Watched({name: [] for name in names})
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
                if name not in self.failed and len(longest_chain(away)) <= self.delta:
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

    def unsettled(self) -> list[str]:
        """The requirements that the final states do not meet."""
        states = {name: msgspec.json.decode(core.snapshot(), type=Node) for name, core in self.cores.items()}
        return [f"{fault.rule} at {fault.node}" for fault in legitimacy_faults(self.protocol, states, ())]


def joins(at: Any) -> bool:
    """Whether a broker is outside, or on its way in for the first time."""
    return at.status == "detached" or (at.status == "recovering" and at.incarnation == 0)


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
