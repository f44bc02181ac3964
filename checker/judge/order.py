"""The order that a protocol's channels keep: which deliveries and timeouts the network's discipline forbids."""

from checker.judge.system import System
from checker.judge.trace import Step
from spec.protocol import Discipline


class Order:
    """Follows one run, and knows of each message in flight from whom it comes and in which round it was sent.

    A message in flight at the start comes from nobody, and keeps no order.
    """

    def __init__(self, discipline: Discipline, system: System) -> None:
        self._discipline = discipline
        self._system = system
        self._sender: dict[int, str] = {}
        self._sent_in: dict[int, int] = {}
        self._timeouts = dict.fromkeys(system.states, 0)

    @property
    def _round(self) -> int:
        """Rounds completed under ROUNDS: the timeouts that every node has had."""
        return min(self._timeouts.values())

    def forbids(self, step: Step) -> str | None:
        """Why the network may not let this step happen now; None if it may."""
        match self._discipline, step.took:
            case Discipline.FIFO, int(message):
                return self._overtakes(message, step.node)
            case Discipline.ROUNDS, int(message) if self._sent_in.get(message, -1) >= self._round:
                return f"message {message} was sent in this very round"
            case Discipline.ROUNDS, "timeout":
                return self._too_early(step.node)
        return None

    def _overtakes(self, message: int, node: str) -> str | None:
        sender = self._sender.get(message)
        for earlier, sent in self._system.in_flight.items():
            if earlier == message or sender is None:
                break
            if sent.to == node and self._sender.get(earlier) == sender:
                return f"message {message} overtakes message {earlier}, also from {sender!r} to {node!r}"
        return None

    def _too_early(self, node: str) -> str | None:
        if self._timeouts[node] > self._round:
            return f"{node!r} has had its timeout in this round"
        for message, sent in self._system.in_flight.items():
            if sent.to == node and self._sent_in.get(message, -1) < self._round:
                return f"message {message} to {node!r}, of an earlier round, is still in flight"
        return None

    def observe(self, step: Step) -> None:
        """Take note of a step that is about to be taken."""
        if self._discipline is Discipline.UNORDERED or step.node not in self._timeouts:
            return
        now = self._round
        for sent in step.sent:
            self._sender[sent.id] = step.node
            self._sent_in[sent.id] = now
        if step.took == "timeout":
            self._timeouts[step.node] += 1
