"""Rings of cores under a scheduler that starves nodes, loses and doubles messages, and lets nodes join and crash.

A node crashes only within the operating assumption of the specification, or of a variant that counts fewer lists.
"""

from random import Random
from typing import Any

import msgspec

from gomboc.impl.core.automaton import Commanded, Received, Send, Timeout
from gomboc.impl.core.vocabulary import Crash
from gomboc.impl.protocols.chord.commands import Join
from gomboc.spec.protocols.chord.errata import lists_used_now, stored_lists_only
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.promises import always, assumption
from gomboc.spec.protocols.chord.state import CRASHED, Message, Node
from tests.golden.chord.starts import OUTSIDE
from tests.impl.protocols.chord.systems import numbered, plain, right_ring

SPACE = 64

PRESUMED = {"all": assumption, "used": lists_used_now, "stored": stored_lists_only}
"""The assumption that counts all lists, those that would be used now, and those that are stored."""


class Schedule:
    """One run from a right ring of so many members, and so many that may join it."""

    def __init__(
        self,
        members: int,
        joiners: Any,
        r: Any,
        seed: int,
        *,
        losses: float = 0.0,
        counts: str = "all",
        tested: Any = None,
    ) -> None:
        self.random, self.losses = Random(seed), losses
        self.parameters = Parameters(6, "number", r, fingers=False)
        self.counts = counts
        names = [f"n{number}" for number in self.random.sample(range(SPACE), members + joiners)]
        tested = tested or numbered(fingers=False, r=r)
        inside = right_ring(names[:members], r=r)
        states = {name: {**inside[name], "fingers": []} if name in inside else OUTSIDE for name in names}
        self.cores = {name: tested.make("node", name, state, self.random) for name, state in states.items()}
        self.joiners = names[members:]
        self.in_flight: Any = []
        self.patience = {name: self.random.choice([0.03, 0.3, 1.0]) for name in names}
        self.steps = self.joined = self.crashed = self.lost = 0

    @property
    def members(self) -> set[Any]:
        return {name for name, core in self.cores.items() if core.state.status == "inside"}

    def system(self, gone: str | None = None) -> tuple[dict[str, Node], Any]:
        """The states and the messages in flight as the specification has them, after a crash of that node."""
        states = {name: msgspec.json.decode(core.snapshot(), type=Node) for name, core in self.cores.items()}
        in_flight = [(to, msgspec.convert(plain(message), Message)) for to, message in self.in_flight]
        return states | ({} if gone is None else {gone: CRASHED}), in_flight

    def may_crash(self, name: str) -> bool:
        return not PRESUMED[self.counts](self.parameters, *self.system(name))

    def faults(self) -> list[str]:
        """The promises that are false now; unless all lists on their way count, those of the stored lists."""
        states, in_flight = self.system()
        looked_at = in_flight if self.counts == "all" else ()
        faults = (fault for promise in always(self.parameters) for fault in promise.faults(states, looked_at))
        return [f"{fault.rule} at {fault.node}" for fault in faults]

    def step(self) -> None:
        self.steps += 1
        draw = self.random.random()
        if draw < 0.02:
            self._join()
        elif draw < 0.04:
            self._crash()
        elif draw < 0.5 or not self.in_flight:
            self._patiently(self.random.choice(list(self.cores)), lambda name: self._take(name, Timeout()))
        else:
            index = self.random.randrange(len(self.in_flight))
            self._patiently(self.in_flight[index][0], lambda _: self._deliver(index))

    def _patiently(self, name: str, act: Any) -> None:
        if self.random.random() < self.patience[name]:
            act(name)

    def _deliver(self, index: int) -> None:
        to, message = self.in_flight[index]
        draw = self.random.random()
        if draw > self.losses / 2:
            del self.in_flight[index]
        if not self.losses / 2 < draw < self.losses:
            self._take(to, Received(message))
        if draw < self.losses:
            self.lost += 1

    def _take(self, name: str, event: Any) -> None:
        outputs = self.cores[name].handle(0.0, event)
        self.in_flight.extend((output.to, output.message) for output in outputs if isinstance(output, Send))

    def _join(self) -> None:
        if self.joiners:
            self.joined += 1
            self._take(self.joiners.pop(), Commanded(Join(self.random.choice(sorted(self.members)))))

    def _crash(self) -> None:
        name = self.random.choice(sorted(self.members))
        if self.may_crash(name):
            self.crashed += 1
            self._take(name, Commanded(Crash()))

    def settle(self, rounds: Any) -> None:
        """Everything that is sent arrives, and nothing else happens, for so many rounds."""
        for _ in range(rounds):
            for name in sorted(self.members):
                self._take(name, Timeout())
            while self.in_flight:
                to, message = self.in_flight.pop(0)
                self._take(to, Received(message))


class Directed(Schedule):
    """A run with every step chosen."""

    def time_out(self, *names: str) -> None:
        """Timeouts in this order, each with all that comes of it."""
        for name in names:
            self._take(name, Timeout())
            self.deliver()

    def deliver(self) -> None:
        while self.in_flight:
            to, message = self.in_flight.pop(0)
            self._take(to, Received(message))

    def crash(self, name: str) -> bool:
        if not self.may_crash(name):
            return False
        self._take(name, Commanded(Crash()))
        return True


def directed(counts: str = "all", tested: Any = None) -> Any:
    """A right ring of n10, n20 ... n60, and n15 outside; lists have two."""
    run, tested = Directed(1, 0, 2, 1, counts=counts), tested or numbered(fingers=False, r=2)
    ring = right_ring([f"n{number}" for number in range(10, 70, 10)], r=2)
    states = {name: {**state, "fingers": []} for name, state in ring.items()} | {"n15": OUTSIDE}
    run.cores = {name: tested.make("node", name, state, run.random) for name, state in states.items()}
    return run
