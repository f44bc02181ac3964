"""Runs of a protocol as traces: the same acts in unbounded channels, written line by line."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from checker.simulate.plan import header_of
from spec.channels import Envelope
from spec.instance import is_idle
from spec.model import Commanded, Received, Timeout
from spec.network import Act, World
from spec.protocol import Discipline, Protocol, Start

Waiting = tuple[int, str, Any, str]
"""A message in flight: its id, its target, itself, and who has sent it (nobody, if it was there at first)."""

Lines = list[dict[str, Any]]


class Recording:
    """A trace that is being written: its lines so far, every node's state, and what is in flight, the oldest first."""

    def __init__(self, protocol: Protocol, world: World, named: Mapping[str, str] = MappingProxyType({})) -> None:
        """Begin at that world. `named` has the roles of nodes; those left out are what the types of states say."""
        self._protocol = protocol
        self.states = world.states()
        in_flight = tuple((envelope.target, envelope.message) for envelope in world.channels.in_flight)
        self.waiting: list[Waiting] = [(number, *sent, "") for number, sent in enumerate(in_flight)]
        self._given = len(in_flight)
        roles = tuple((node, named.get(node) or role_of(protocol, local)) for node, local in world.locals)
        self.lines: Lines = [header_of(protocol, Start(roles, world.locals, in_flight))]

    def take(self, act: Act) -> None:
        """Take a step. Raises ValueError if it delivers what is not in flight."""
        local = self.states[act.node]
        took = self._taken(act)
        outcome = self._protocol.react(act.node, local, act.input, act.choice)
        sent = [(self._given + place, send.target, send.message) for place, send in enumerate(outcome.sends)]
        self._given += len(sent)
        self.waiting += [(*each, act.node) for each in sent]
        self.states[act.node] = outcome.local
        line = {"node": act.node, "took": took, "state": outcome.local, "sent": [_sent(*each) for each in sent]}
        line |= {"delivered": list(outcome.delivered)} if outcome.delivered else {}
        tossed = len(self._protocol.choices(act.node, local, act.input)) > 1
        self.lines.append(msgspec.to_builtins(line | ({"coin": act.choice.name} if tossed else {})))

    def _taken(self, act: Act) -> Any:
        match act.input:
            case Timeout():
                return "timeout"
            case Commanded(command):
                return command
            case Received(message):
                # Only under FIFO does it matter who has sent it, and only there does an envelope say so.
                source = "" if act.envelope is None else act.envelope.source
                fits = [to == act.node and what == message and source in ("", who) for _, to, what, who in self.waiting]
                return self.waiting.pop(fits.index(True))[0]

    def take_cycle(self, acts: Iterable[Act]) -> None:
        """Take the steps of a cycle, and each timeout that is missing in it at a place where it changes nothing."""
        acts = tuple(acts)
        acting = {act.node for act in acts if isinstance(act.input, Timeout)}
        missing = [node for node in self._awake() if node not in acting]
        for act in acts:
            for node in [node for node in missing if self._is_idle(node)]:
                missing.remove(node)
                self.take(self._timeout(node))
            self.take(act)

    def take_round(self) -> None:
        """Let every node that is awake time out, and deliver everything that is in flight then.

        In synchronous rounds everything arrives before anybody times out.
        """
        if self._protocol.discipline is Discipline.ROUNDS:
            self._deliver_all()
        for node in self._awake():
            self.take(self._timeout(node))
        if self._protocol.discipline is not Discipline.ROUNDS:
            self._deliver_all()

    def _awake(self) -> list[str]:
        return [node for node, local in self.states.items() if not self._protocol.asleep(local)]

    def _deliver_all(self) -> None:
        for _, target, message, source in tuple(self.waiting):
            taken = Received(message)
            choice = self._protocol.choices(target, self.states[target], taken)[0]
            self.take(Act(target, taken, choice, Envelope(target, message, source)))

    def _is_idle(self, node: str) -> bool:
        return is_idle(self._protocol, node, self.states[node], Timeout())

    def _timeout(self, node: str) -> Act:
        return Act(node, Timeout(), self._protocol.choices(node, self.states[node], Timeout())[0])


def role_of(protocol: Protocol, local: Any) -> str:
    """The role of a node with that local state."""
    return next(role for role, kind in protocol.roles.items() if isinstance(local, kind))


def _sent(number: int, target: str, message: Any) -> dict[str, Any]:
    return {"id": number, "to": target, "message": message}
