"""An implementation driven step by step: numbers choose each node and its input, so that a schedule can shrink."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, TypeVar

import msgspec

from gomboc.checker.judge.conformance import Conformance
from gomboc.checker.judge.stabilisation import Stabilisation
from gomboc.checker.judge.system import System
from gomboc.checker.shrink.case import NOWHERE, TraceCase, Value
from gomboc.checker.simulate.plan import header_of
from gomboc.checker.simulate.redone import Taken, take, taken_input
from gomboc.checker.traces.trace import TraceReader
from gomboc.impl.core.automaton import Implementation
from gomboc.spec.core.faults import sleepers
from gomboc.spec.core.protocol import Discipline, Protocol, Start

SETTLED = 2
"""Rounds for which a run continues after it has become legitimate."""

T = TypeVar("T")


def driven(
    protocol: Protocol,
    made: Implementation,
    start: Start,
    schedule: Sequence[int],
    seed: int,
    parameters: Mapping[str, Any],
    bound: int,
) -> TraceCase:
    """The run from that start: by the schedule first, and then in rounds.

    It ends when a step does not conform, when the system has been legitimate for SETTLED rounds, or after `bound`
    rounds. Each number of the schedule chooses one of the possible steps; under ROUNDS it chooses the
    first node of a round. Coins depend on the seed. Raises UsageError if the implementation writes an invalid line.
    """
    run = _Run(protocol, made, header_of(protocol, start, parameters), Random(seed), bound)
    if protocol.discipline is not Discipline.ROUNDS:
        for number in schedule:
            run.choose(number)
    turns = iter(schedule)
    for _ in range(bound + SETTLED + 1):
        if run.is_over():
            break
        run.round(next(turns, 0))
    return TraceCase(run.header, tuple(run.steps))


class _OnlineJudge:
    """A judge that reads each line of a run when it is written."""

    def __init__(self, header: Value, bound: int) -> None:
        self._line = header
        reader = TraceReader(NOWHERE, self)
        self.protocol, self.system = reader.protocol, System(reader.header, reader.protocol)
        self._steps = reader.steps()
        self._conformance = Conformance(self.protocol, self.system)
        self._stabilisation = Stabilisation(self.protocol, self.system, bound)
        self._conformance.judge_start(reader.header.messages)
        self._seen = 0

    def readline(self, limit: int, /) -> bytes:
        """The latest line."""
        del limit
        return msgspec.json.encode(self._line) + b"\n"

    def see(self, line: Value) -> None:
        """Judge a step."""
        self._line, self._seen = line, self._seen + 1
        step = next(self._steps)
        self._conformance.judge_step(self._seen, step)
        if self._conformance.violated is None:
            taken = self.system.apply(step)
            self._conformance.observe(step)
            self._stabilisation.observe(self._seen, step, taken)

    def have_seen_enough(self) -> bool:
        """Whether a step did not conform, or the system has been legitimate for SETTLED rounds."""
        return self._conformance.violated is not None or self._stabilisation.rounds_after >= SETTLED


class _Run:
    """A run so far: states, messages in flight and written steps.

    It takes no further step once the judge has seen enough.
    """

    def __init__(self, protocol: Protocol, made: Implementation, header: Value, random: Random, bound: int) -> None:
        self.header = {**header, "origin": {"implementation": f"gomboc {made.name}"}}
        self.steps: list[Value] = []
        self._eyes = _OnlineJudge(self.header, bound)
        self._fifo = protocol.discipline is Discipline.FIFO
        self._made, self._random = made, random
        self._states = dict(header["states"])
        self._in_flight: dict[int, Value] = {sent["id"]: sent for sent in header["messages"]}
        self._senders: dict[int, str] = {}
        self._given = len(self._in_flight)

    def is_over(self) -> bool:
        """Whether the run has ended."""
        return self._eyes.have_seen_enough()

    def choose(self, number: int) -> None:
        """Take one of the possible steps: a delivery, or the timeout of a node that is awake."""
        possible: list[int | str] = [*self._deliverable(), *self._awake()]
        if possible:
            self._take(possible[number % len(possible)])

    def round(self, turn: int) -> None:
        """Deliver every message in flight, then one timeout of each node that is awake; `turn` rotates the order."""
        for message in _turned([*self._in_flight], 0 if self._fifo else turn):
            self._take(message)
        for node in _turned([*self._awake()], turn):
            self._take(node)

    def _deliverable(self) -> Iterator[int]:
        """The messages that may be delivered next: all, or the earliest of each link if links are FIFO."""
        links = set[tuple[str, str]]()
        for number, sent in self._in_flight.items():
            link = self._senders.get(number, ""), sent["to"]
            if not self._fifo or link not in links:
                yield number
            links.add(link)

    def _awake(self) -> list[str]:
        asleep = sleepers(self._eyes.protocol, self._eyes.system.states)
        return [name for name in self._states if name not in asleep]

    def _take(self, what: int | str) -> None:
        """Deliver a message, or let a node time out."""
        if self.is_over():
            return
        sent = self._in_flight.pop(what) if isinstance(what, int) else None
        node = str(what) if sent is None else sent["to"]
        took = "timeout" if sent is None else what
        event = taken_input(self._made, took, {} if sent is None else {what: sent})
        taken = take(self._made, self.header["roles"][node], node, self._states[node], event, self._random.random())
        self._states[node] = taken.state
        self.steps.append(self._written(node, took, taken))
        self._eyes.see(self.steps[-1])

    def _written(self, node: str, took: Any, taken: Taken) -> Value:
        numbered = [{"id": self._given + offset, **send} for offset, send in enumerate(taken.sends)]
        self._given += len(numbered)
        self._in_flight |= {sent["id"]: sent for sent in numbered}
        self._senders |= {sent["id"]: node for sent in numbered}
        return taken.written(node, took, numbered)


def _turned(items: Sequence[T], turn: int) -> list[T]:
    """The list, rotated to the left by `turn`."""
    first = turn % len(items) if items else 0
    return [*items[first:], *items[:first]]
