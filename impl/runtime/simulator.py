"""The deterministic simulator: a protocol's own cores in virtual time, with all random numbers from one seed.

Time is counted in periods. Each node's timeout comes about once per period. Messages are mostly fast, and sometimes so
slow that any number of others overtake them; none is lost.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Any, Literal

import msgspec
from msgspec import Struct

from gomboc.impl.core.automaton import (
    Commanded,
    Core,
    Delivered,
    Implementation,
    Input,
    Output,
    Received,
    Send,
    SetTimer,
    Timeout,
    Traced,
)
from gomboc.impl.core.errors import PeerError, UsageError
from gomboc.impl.core.trace import InFlight, Step
from gomboc.impl.runtime.disciplines import Discipline, times
from gomboc.impl.runtime.failures import Budget, FailureTracker, drawn, failing_of

_Took = Literal["timeout"] | int | Struct

TIMEOUT = Timeout()


class TimedCommand(Struct, frozen=True):
    """A command, as a JSON value, that this node's application gives at this time, in periods."""

    at: float
    node: str
    command: Any


class Conditions(Struct, frozen=True):
    """Conditions of the network and the clocks.

    Delays, in periods, are exponential with mean `mean_delay`; with `tail_probability` one is multiplied by a Pareto
    variable with exponent `tail_exponent`, which is unbounded. A period lasts between 1 - `jitter` and 1 + `jitter`.
    Under the `discipline` FIFO a message waits for those before it; under ROUNDS there are no delays. With `failures`,
    even if none is drawn, the simulator tracks which nodes are down: messages that FIFO links lose, and nodes that a
    detector suspects.
    """

    mean_delay: float = 0.2
    tail_probability: float = 0.05
    tail_exponent: float = 2.0
    jitter: float = 0.2
    commands: tuple[TimedCommand, ...] = ()
    discipline: Discipline = Discipline.UNORDERED
    failures: Budget | None = None

    def __post_init__(self) -> None:
        """Refuse invalid conditions with `UsageError`."""
        if not 0 < self.mean_delay < math.inf:
            raise UsageError(f"The mean delay has to be above 0 and finite, not {self.mean_delay}.")
        if not 0 <= self.tail_probability <= 1:
            raise UsageError(f"The tail's probability has to be from 0 to 1, not {self.tail_probability}.")
        # Below this, a delay may be greater than any float.
        if not self.tail_exponent >= 0.1:
            raise UsageError(f"The tail's exponent has to be at least 0.1, not {self.tail_exponent}.")
        if not 0 <= self.jitter < 1:
            raise UsageError(f"The jitter has to be at least 0 and below 1, not {self.jitter}.")


class _Start(Struct, frozen=True):
    """The part of a trace's header that a simulation needs."""

    protocol: str
    roles: dict[str, str]
    states: dict[str, Any]
    messages: list[InFlight]


class Simulation:
    """One run from the start that a trace's header describes; `now` is its virtual time.

    `failures` are the times of the crashes and restarts that were drawn for it.

    Raises `UsageError` for a header, conditions or a command that does not fit the implementation.
    """

    def __init__(
        self,
        header: Mapping[str, object],
        implementation: Implementation,
        seed: int,
        conditions: Conditions | None = None,
    ) -> None:
        self.now = 0.0
        self._conditions = Conditions() if conditions is None else conditions
        self._random = Random(seed)
        delay = _delays(self._conditions, self._random)
        self._times = times(self._conditions.discipline, delay, self._conditions.jitter, self._random)
        self._arrives, self._due = self._times.arrives, self._times.due
        self._implementation = implementation
        self._order = count()
        self._events: list[tuple[float, int, str, _Took, Input]] = []
        start = _read(header, implementation)
        self._cores = self._make_cores(start)
        self._numbers = count(1 + max((message.id for message in start.messages), default=-1))
        self._start_timers()
        self._start_messages(start.messages)
        for timed in self._conditions.commands:
            self._command(timed.at, timed.node, timed.command)
        self.failures: tuple[float, ...] = ()
        self._down = self._start_failures(start, seed)

    @property
    def discipline(self) -> Discipline:
        """The order that the network keeps."""
        return self._conditions.discipline

    @property
    def next_at(self) -> float:
        """The time of the next event, which is the next step unless it is lost."""
        return self._events[0][0]

    def steps(self) -> Iterator[Step]:
        """Yield steps for ever; the caller stops."""
        if self._down is not None:
            while True:
                step = self.step()
                if step is not None:
                    yield step
        events, cores, carry_out = self._events, self._cores, self._carry_out
        while True:
            now, _, node, took, event = heappop(events)
            self.now = now
            core = cores[node]
            outputs = core.handle(now, event)
            # Most steps have no output.
            yield carry_out(node, took, core, outputs) if outputs != [] else Step(node, took, core.snapshot(), [])

    def step(self) -> Step | None:
        """Take the next event; None if it was a lost message, or a report that is no longer true."""
        self.now, _, node, took, event = heappop(self._events)
        if self._down is not None and self._is_void(node, took):
            return None
        return self._take(node, took, event)

    def obey(self, now: float, node: str, command: object) -> Step:
        """Have a node take this command, a JSON value, at once."""
        self.now, event = now, self._commanded(node, command)
        return self._take(node, event.command, event)

    def _is_void(self, node: str, took: _Took) -> bool:
        """Whether this event is lost, or no longer true."""
        if self._down is None or took == "timeout":
            return False
        if isinstance(took, int):
            return self._down.loses(self.now, node, took)
        return self._down.withdraws(node, took)

    def _take(self, node: str, took: _Took, event: Input) -> Step:
        core = self._cores[node]
        step = self._carry_out(node, took, core, core.handle(self.now, event))
        if self._down is not None:
            self._down.observe(self.now, step)
        return step

    def _carry_out(self, node: str, took: _Took, core: Core, outputs: list[Output]) -> Step:
        # A run spends its time here: no match, which would take twice as long, and most outputs are the first.
        if outputs.__class__ is not list:
            raise _no_list(node, outputs)
        if not outputs:
            return Step(node, took, core.snapshot(), [])
        sent: list[InFlight] = []
        others: list[Output] | None = None
        for output in outputs:
            if isinstance(output, Send):
                sent.append(self._send(node, output.to, output.message))
            elif isinstance(output, SetTimer):
                self._schedule(self._due(self.now, output.at), node, "timeout", TIMEOUT)
            elif others is None:
                others = [output]
            else:
                others.append(output)
        if others is None:
            return Step(node, took, core.snapshot(), sent)
        return Step(node, took, core.snapshot(), sent, *_deliveries(others))

    def _send(self, node: str, to: str, message: Struct) -> InFlight:
        if to not in self._cores:
            raise UsageError(f"Node {node} sends to {to}, which has no role in the header.")
        number, at = next(self._numbers), self._arrives(self.now, node, to)
        heappush(self._events, (at, next(self._order), to, number, Received(message)))
        return InFlight(number, to, message)

    def _schedule(self, at: float, node: str, took: _Took, event: Input) -> None:
        # The counter decides between events of one time, so that no comparison ever reaches the rest.
        heappush(self._events, (at, next(self._order), node, took, event))

    def _make_cores(self, start: _Start) -> dict[str, Core]:
        # Sorted, so that a header means the same whichever way its keys are ordered.
        return {
            name: self._implementation.make(role, name, start.states[name], self._random)
            for name, role in sorted(start.roles.items())
        }

    def _start_timers(self) -> None:
        for name in self._cores:
            self._schedule(self._times.first(0.0), name, "timeout", TIMEOUT)

    def _start_messages(self, in_flight: list[InFlight]) -> None:
        for sent in in_flight:
            try:
                message = self._implementation.decode(msgspec.json.encode(sent.message))
            except PeerError as error:
                raise UsageError(f"The header's message {sent.id} cannot be read. {error}") from error
            self._schedule(self._times.initially(), sent.to, sent.id, Received(message))

    def _start_failures(self, start: _Start, seed: int) -> FailureTracker | None:
        """Draw and schedule the crashes, and track them; None if no node can be down."""
        budget, implementation = self._conditions.failures, self._implementation
        if budget is None:
            return None
        random = Random(f"{seed}/failures")
        failing = failing_of(implementation)
        failures = tuple(drawn(budget, failing, start.roles, random))
        for at, node, command in failures:
            self._command(at, node, command)
        self.failures = tuple(at for at, _, _ in failures)
        delay, discipline = _delays(self._conditions, random), self._conditions.discipline
        return FailureTracker(failing, self._cores, start.roles, discipline, budget, random, delay, self._command)

    def _command(self, at: float, node: str, command: object) -> Struct:
        """Schedule this command, a JSON value, for a node; return the decoded command."""
        event = self._commanded(node, command)
        if not 0 <= at < math.inf:
            raise UsageError(f"The command for {node} is due at {at}, which is no time of the run.")
        self._schedule(self._times.commanded(at), node, event.command, event)
        return event.command

    def _commanded(self, node: str, command: object) -> Commanded:
        if node not in self._cores:
            raise UsageError(f"A command is for {node}, which has no role in the header.")
        return self._implementation.commanded(command)


def _deliveries(outputs: list[Output]) -> tuple[tuple[object, ...], str | None]:
    """Deliveries to the application, and the result of the random choice for the trace, if there is one."""
    if len(outputs) == 1 and isinstance(outputs[0], Traced):
        return (), outputs[0].coin
    coins = [output.coin for output in outputs if isinstance(output, Traced)]
    delivered = tuple([output.content for output in outputs if isinstance(output, Delivered)])
    return delivered, coins[-1] if coins else None


def _delays(conditions: Conditions, random: Random) -> Callable[[], float]:
    """A function that draws how long a message takes."""
    draw, mean, tail, exponent = (
        random.random,
        conditions.mean_delay,
        conditions.tail_probability,
        conditions.tail_exponent,
    )

    def delay() -> float:
        taken = -mean * math.log(1.0 - draw())
        if draw() < tail:
            taken *= (1.0 - draw()) ** (-1.0 / exponent)
        return taken

    return delay


def _read(header: Mapping[str, object], implementation: Implementation) -> _Start:
    try:
        start = msgspec.convert(dict(header), _Start)
    except msgspec.ValidationError as error:
        raise UsageError(f"The header cannot be read: {error}.") from error
    if start.protocol != implementation.protocol:
        raise UsageError(f"The header is for {start.protocol}, but {implementation.name} is for another protocol.")
    if not start.roles:
        raise UsageError("The header names no node.")
    if start.roles.keys() != start.states.keys():
        raise UsageError("The header does not give a state to exactly the nodes that have a role.")
    for message in start.messages:
        if message.to not in start.roles:
            raise UsageError(f"The header's message {message.id} is for {message.to}, which has no role.")
    if len({message.id for message in start.messages}) < len(start.messages):
        raise UsageError("The header gives one id to two messages.")
    return start


def _no_list(node: str, outputs: object) -> UsageError:
    """Error for a core that returns no list: None would pass for a run in which nothing happens."""
    kind = type(outputs).__name__
    return UsageError(f"The core of {node} answers with {kind}, and must answer with a list of outputs: fix it.")
