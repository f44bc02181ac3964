"""Rings of cores under a scheduler that starves nodes, loses and doubles messages, and lets nodes join and crash.

A node crashes only within the operating assumption: no list loses its last live entry, be it stored or on its way to a
member or a joiner, whether it would be used now or not; and a node that no list skips crashes only if there are more
than r + 1 of those.
"""

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

from gomboc.impl.core.automaton import Commanded, Received, Send, Timeout
from gomboc.impl.core.vocabulary import Crash
from gomboc.impl.protocols.chord.commands import Join
from gomboc.impl.protocols.chord.messages import JoinReply, StabilizeReply
from tests.impl.protocols.chord.systems import OUTSIDE, numbered, right_ring

SPACE = 64


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
        self.random, self.r, self.losses = Random(seed), r, losses
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

    def lists(self) -> Any:
        """Each list with the node before it: those stored, and those on their way, as `counts` says.

        "stored": none on its way; "used": those that would be taken over if they came now; "all": also those that would
        be if the head were gone.
        """
        lists = [(name, *self.cores[name].state.successors) for name in self.members]
        for to, message in self.in_flight:
            if self.counts == "all" or (self.counts == "used" and self._would_use(to, message)):
                lists.extend(self._carried(to, message))
        return lists

    def _carried(self, to: str, message: Any) -> Iterator[Any]:
        me, status = self.cores[to].me, self.cores[to].state.status
        if isinstance(message, StabilizeReply) and status == "inside":
            yield (to, *me.shortened((message.sender, *message.successors)))
        if isinstance(message, JoinReply) and status == "outside":
            yield (to, *me.shortened(message.successors))

    def _would_use(self, to: str, message: Any) -> Any:
        me, state = self.cores[to].me, self.cores[to].state
        if isinstance(message, StabilizeReply):
            return message.sender == state.head or me.is_before(message.sender, state.head)
        return state.contact is not None

    def principals(self) -> set[Any]:
        """The members that no list skips."""
        pairs = {pair for successors in self.lists() for pair in pairwise(successors)}
        return {name for name in self.members if not any(self._skips(*pair, name) for pair in pairs)}

    def _skips(self, start: str, end: Any, name: str) -> Any:
        circle = self.cores[start].me.circle
        return circle.between(circle.id_of(start), circle.id_of(name), circle.id_of(end))

    def may_crash(self, name: str) -> bool:
        left, principals = self.members - {name}, self.principals()
        if any(not left & set(others) for node, *others in self.lists() if node != name):
            return False
        return name not in principals or len(principals) > self.r + 1

    def faults(self) -> Iterator[Any]:
        """The parts of the invariant that are false now, of the stored lists."""
        members = self.members
        for name in sorted(members):
            if not members & set(self.cores[name].state.successors):
                yield f"{name} has no live successor"
        if len(self.principals()) <= self.r:
            yield f"only {sorted(self.principals())} are skipped by no list"
        if len(members) and not self.is_one_ordered_ring():
            yield "the first live successors are not one ordered ring"

    def is_one_ordered_ring(self) -> bool:
        """Whether following first live successors leads into one cycle that goes around once."""
        first = {}
        for name in self.members:
            first[name] = next(
                (successor for successor in self.cores[name].state.successors if successor in self.members), None
            )
        cycles = set()
        for name in first:
            seen = []
            while name is not None and name not in seen:
                seen.append(name)
                name = first[name]
            if name is None:
                return False
            cycle = seen[seen.index(name) :]
            start = cycle.index(min(cycle))
            cycles.add((*cycle[start:], *cycle[:start]))
        (one, *others) = cycles
        ids = [self.cores[name].me.id for name in one]
        return not others and sum(later <= former for former, later in pairwise([*ids, ids[0]])) == 1

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
