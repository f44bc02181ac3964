"""Simulate the specification itself, in virtual time, as the simulator of implementations would do it.

This gives a first trace of a protocol before it has an implementation. Such traces say nothing about an implementation,
but they show how the judge, packs and reports handle the protocol.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Any

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.traces.trace import vocabulary
from gomboc.impl.core.trace import InFlight, Step
from gomboc.impl.runtime.simulator import TimedCommand
from gomboc.spec.core.model import CERTAIN, Commanded, Input, Outcome, Received, Timeout, nothing_comes
from gomboc.spec.core.protocol import Discipline, Protocol

encode = msgspec.json.Encoder().encode

MEAN_DELAY, JITTER = 0.2, 0.2
"""The mean delay of a message, and the jitter of a period: in periods, which last 1 on average."""

Took = Any
"""The input of a step, as in a trace: "timeout", the id of a message, or a command."""


class SpecificationRun:
    """One run of a protocol from the start that a header describes; `now` is its virtual time in periods.

    Raises UsageError for a command that the protocol does not have, or that its specification has no rule for.
    """

    def __init__(
        self, head: Mapping[str, Any], protocol: Protocol, seed: int, commands: Sequence[TimedCommand]
    ) -> None:
        self.now = 0.0
        self._protocol, self._random = protocol, Random(seed)
        self._cuts = protocol.discipline is Discipline.FIFO
        decoders = vocabulary(protocol).states
        texts = {name: encode(state) for name, state in head["states"].items()}
        self._locals = {name: decoders[role].decode(texts[name]) for name, role in head["roles"].items()}
        self._written = {name: msgspec.Raw(encode(local)) for name, local in self._locals.items()}
        self._in_flight: dict[int, tuple[str, Any]] = {
            message["id"]: (message["to"], msgspec.convert(message["message"], protocol.vocabulary.message))
            for message in head["messages"]
        }
        self._ids = count(1 + max(self._in_flight, default=-1))
        self._order = count()
        self._latest: dict[tuple[str, str], float] = {}
        self._events: list[tuple[float, int, str, Took]] = []
        self._owed: set[tuple[str, bytes]] = set()
        self._begin(commands)

    def _begin(self, commands: Sequence[TimedCommand]) -> None:
        for name in self._locals:
            self._schedule(self._random.random(), name, "timeout")
        for number, (target, _) in self._in_flight.items():
            self._schedule(self._delay(), target, number)
        for command in commands:
            if command.node not in self._locals:
                raise UsageError(f"A command is for {command.node}, which has no role in the header.")
            self._schedule(command.at, command.node, self._command(command))

    def _command(self, command: TimedCommand) -> Any:
        if not 0 <= command.at < math.inf:
            raise UsageError(f"The command for {command.node} is due at {command.at}, which is no time of the run.")
        try:
            return msgspec.convert(command.command, self._protocol.vocabulary.command)
        except msgspec.ValidationError as error:
            raise UsageError(f"This is not a command of {self._protocol.name}: {error}.") from error

    def steps(self) -> Iterator[Step]:
        """The steps, without end: the caller stops."""
        if self._protocol.discipline is Discipline.ROUNDS:
            return self._in_rounds()
        return self._in_time()

    def _in_time(self) -> Iterator[Step]:
        while True:
            self.now, _, node, took = heappop(self._events)
            # The next timeout is due whatever this step does: fairness does not depend on the protocol.
            if took == "timeout":
                self._schedule(self.now + self._period(), node, took)
            step = self._step(node, took)
            if step is not None:
                yield step
                self._offer()

    def _in_rounds(self) -> Iterator[Step]:
        """The steps in rounds: due commands, then node by node the messages of the round before, and the timeout."""
        commands = [event for event in self._events if not isinstance(event[3], (str, int))]
        self._events = []
        for number in count():
            self.now = float(number)
            due = [event for event in sorted(commands) if event[0] <= number]
            commands = [event for event in commands if event[0] > number]
            arriving = sorted((target, id_) for id_, (target, _) in self._in_flight.items())
            acts: list[tuple[str, Took]] = [(node, command) for _, _, node, command in due]
            # Any order of nodes, and of the messages at each: ROUNDS promises nothing about either.
            for node in self._random.sample(sorted(self._locals), len(self._locals)):
                mine = [id_ for target, id_ in arriving if target == node]
                acts += [(node, id_) for id_ in self._random.sample(mine, len(mine))]
                acts.append((node, "timeout"))
            yield from filter(None, (self._step(node, took) for node, took in acts))
            self._offer()
            commands += self._events
            self._events = []

    def _step(self, node: str, took: Took) -> Step | None:
        """The step that a node takes; None if it takes none, because it is asleep or the message is lost."""
        protocol, before = self._protocol, self._locals[node]
        asleep = protocol.environment.asleep(before)
        taken: Input
        if isinstance(took, int):
            if took not in self._in_flight:
                return None
            taken = Received(self._in_flight.pop(took)[1])
        else:
            taken = Timeout() if took == "timeout" else Commanded(took)
        if isinstance(taken, Commanded) and (node, encode(took)) in self._owed:
            self._owed.discard((node, encode(took)))
            # A command from the environment that is no longer offered when it is due is dropped.
            if took not in self._offered(node):
                return None
        if asleep and (isinstance(taken, Timeout) or (isinstance(taken, Received) and self._cuts)):
            return None
        outcome, coin = self._react(node, before, taken)
        if outcome.local != before:
            self._locals[node] = outcome.local
            self._written[node] = msgspec.Raw(encode(outcome.local))
        if self._cuts and not asleep and protocol.environment.asleep(outcome.local):
            self._lose(node)
        sent = [self._send(node, send.target, send.message) for send in outcome.sends]
        return Step(node, took, self._written[node], sent, outcome.delivered, coin)

    def _react(self, node: str, before: Any, taken: Input) -> tuple[Outcome, str | None]:
        protocol = self._protocol
        try:
            choices = protocol.actor.choices(node, before, taken)
            (choice,) = self._random.choices(choices, [float(option.probability) for option in choices])
            return protocol.actor.react(node, before, taken, choice), None if choices == CERTAIN else choice.name
        except (KeyError, ValueError) as error:
            raise UsageError(f"{protocol.name} has no rule for a step of {node}: {error}.") from error

    def _lose(self, node: str) -> None:
        """Drop the messages in flight to a node that falls asleep; FIFO links lose them."""
        for number in [id_ for id_, (target, _) in self._in_flight.items() if target == node]:
            del self._in_flight[number]

    def _send(self, sender: str, target: str, message: Any) -> InFlight:
        number = next(self._ids)
        receiver = self._locals.get(target)
        if receiver is not None and not (self._cuts and self._protocol.environment.asleep(receiver)):
            self._in_flight[number] = target, message
            at = self.now + self._delay()
            if self._protocol.discipline is Discipline.FIFO:
                # Not before the last message over this link: delays are drawn independently, and FIFO forbids
                # overtaking.
                at = self._latest[sender, target] = max(at, self._latest.get((sender, target), 0.0))
            if self._protocol.discipline is not Discipline.ROUNDS:
                self._schedule(at, target, number)
        return InFlight(number, target, message)

    def _offer(self) -> None:
        """Schedule the commands that the environment owes, and again as long as they are offered."""
        if self._protocol.environment.offers is nothing_comes:
            return
        in_flight = tuple(self._in_flight.values())
        for offer in self._protocol.environment.offers(self._locals, in_flight):
            key = offer.node, encode(offer.command)
            if offer.owed and key not in self._owed:
                self._owed.add(key)
                self._schedule(self.now + self._period(), offer.node, offer.command)

    def _offered(self, node: str) -> list[Any]:
        offers = self._protocol.environment.offers(self._locals, tuple(self._in_flight.values()))
        return [offer.command for offer in offers if offer.node == node and offer.owed]

    def _schedule(self, at: float, node: str, took: Took) -> None:
        heappush(self._events, (at, next(self._order), node, took))

    def _delay(self) -> float:
        return self._random.expovariate(1 / MEAN_DELAY)

    def _period(self) -> float:
        return self._random.uniform(1 - JITTER, 1 + JITTER)
