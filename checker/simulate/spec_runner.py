"""Runs of a specification, step by step: states, messages with ids, and the lines of the trace.

It takes every input that the caller chooses, even one that a network would not produce: each step of its trace is as
specified, but the order of deliveries and timeouts may be impossible.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from gomboc.checker.simulate.plan import NO_PARAMETERS, header_of
from gomboc.spec.core.faults import is_faultless
from gomboc.spec.core.model import Commanded, InFlight, Input, Outcome, Received, Timeout
from gomboc.spec.core.protocol import Protocol, Start

Lines = list[dict[str, Any]]
"""A trace, line by line: its header, then its steps."""


def encoded(lines: Iterable[Mapping[str, Any]]) -> bytes:
    """A trace in the form of a file."""
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def outcome_of(protocol: Protocol, node: str, local: Any, taken: Input, coin: str) -> tuple[Outcome, str | None]:
    """The outcome of a step, and the side on which its coin falls, if it tosses one.

    That is the side named `coin`, and the first one if none is named. Raises ValueError for a coin without that side.
    """
    choices = protocol.actor.choices(node, local, taken)
    fitting = [choice for choice in choices if len(choices) == 1 or coin in ("", choice.name)]
    if not fitting:
        raise ValueError(f"the coin of {node!r} has no side {coin!r}")
    outcome = protocol.actor.react(node, local, taken, fitting[0])
    return outcome, fitting[0].name if len(choices) > 1 else None


class Player:
    """One run. `waiting` are the messages in flight by id, earlier ones first; `lines` the trace so far.

    `senders` is the sending node of each message that was sent in the run, by id. A run without a trace is faster: its
    lines are not `written`.
    """

    def __init__(
        self,
        protocol: Protocol,
        start: Start,
        parameters: Mapping[str, Any] = NO_PARAMETERS,
        *,
        written: bool = True,
    ) -> None:
        self.protocol = protocol
        self._written = written
        self.states = dict(start.locals)
        self.waiting = dict(enumerate(start.in_flight))
        self.senders: dict[int, str] = {}
        self._given = len(self.waiting)
        origin = {"implementation": f"the specification of {protocol.name}"}
        self.lines: Lines = [header_of(protocol, start, parameters) | {"origin": origin}]

    @property
    def in_flight(self) -> InFlight:
        """The messages in flight, each with its target."""
        return tuple(self.waiting.values())

    def is_legitimate(self) -> bool:
        """Whether the system is legitimate."""
        return is_faultless(self.protocol, self.states, self.in_flight)

    def timeout(self, node: str, coin: str = "") -> Outcome:
        """The periodic action of `node` runs."""
        return self._take(node, Timeout(), "timeout", coin)

    def command(self, node: str, what: Any, coin: str = "") -> Outcome:
        """`node` takes a command from outside."""
        return self._take(node, Commanded(what), msgspec.to_builtins(what), coin)

    def deliver(self, message: int, coin: str = "") -> Outcome:
        """The message with that id arrives. Raises KeyError if it is not in flight."""
        target, content = self.waiting.pop(message)
        return self._take(target, Received(content), message, coin)

    def deliver_to(self, node: str, content: Any, coin: str = "", sender: str = "") -> Outcome:
        """The earliest such message to `node` arrives; if `sender` is named, the earliest from it.

        Raises ValueError if there is none in flight.
        """
        for message, sent in self.waiting.items():
            if sent == (node, content) and sender in ("", self.senders.get(message, "")):
                return self.deliver(message, coin)
        raise ValueError(f"no {content!r} to {node!r} is in flight")

    def awake(self) -> tuple[str, ...]:
        """The nodes that are awake, in order."""
        return tuple(node for node, local in sorted(self.states.items()) if not self.protocol.environment.asleep(local))

    def deliver_all(self, coin: str = "") -> None:
        """All messages that are in flight now arrive, in the order of their sending."""
        for message in tuple(self.waiting):
            self.deliver(message, coin)

    def time_out_all(self, coin: str = "") -> None:
        """Every node that is awake now has its timeout."""
        for node in self.awake():
            self.timeout(node, coin)

    def round(self, coin: str = "") -> None:
        """All messages in flight arrive; then every node that is awake has its timeout."""
        self.deliver_all(coin)
        self.time_out_all(coin)

    def take(self, node: str, taken: Input, coin: str = "") -> Outcome:
        """`node` takes an input; of equal messages the earliest. Raises ValueError for a message that is
        not in flight.
        """
        match taken:
            case Received(message):
                return self.deliver_to(node, message, coin)
            case Commanded(what):
                return self.command(node, what, coin)
        return self.timeout(node, coin)

    def _take(self, node: str, taken: Input, took: Any, coin: str) -> Outcome:
        outcome, tossed = outcome_of(self.protocol, node, self.states[node], taken, coin)
        self.states[node] = outcome.local
        sent = {self._given + index: (send.target, send.message) for index, send in enumerate(outcome.sends)}
        self._given += len(sent)
        self.waiting |= sent
        self.senders |= dict.fromkeys(sent, node)
        if self._written:
            self._write(node, took, outcome, sent, tossed)
        return outcome

    def _write(
        self, node: str, took: Any, outcome: Outcome, sent: dict[int, tuple[str, Any]], coin: str | None
    ) -> None:
        sends = [{"id": number, "to": target, "message": message} for number, (target, message) in sent.items()]
        line = {"node": node, "took": took, "state": outcome.local, "sent": sends}
        line |= {"delivered": list(outcome.delivered)} if outcome.delivered else {}
        line |= {} if coin is None else {"coin": coin}
        self.lines.append(msgspec.to_builtins(line))

    def trace(self) -> bytes:
        """The trace in the form of a file."""
        return encoded(self.lines)
