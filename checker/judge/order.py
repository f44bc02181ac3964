"""Channel order: the deliveries and timeouts that the network's discipline forbids."""

from gomboc.checker.judge.system import System
from gomboc.checker.traces.trace import Step
from gomboc.spec.core.protocol import Discipline


class Order:
    """Follows one run of `system`, and tracks the sender and the sending time of each message in flight.

    A message in flight at the start has no sender, and keeps no order. Messages that are sent to a node that is asleep,
    or in flight to it when it falls asleep, are not waited for. Under FIFO they are lost, and the links of the node
    end: its messages may be lost from some point on, and its messages after it is awake again go by new links.
    """

    def __init__(self, discipline: Discipline, system: System) -> None:
        self._discipline = discipline
        self._system = system
        self._sender: dict[int, str] = {}
        self._round = 0
        self._sent_in: dict[int, int] = {}
        self._acted: set[str] = set()
        self._given_up: set[int] = set()
        self._give_up(*system.asleep)
        self._times_asleep = dict.fromkeys(system.states, 0)
        self._session: dict[int, int] = {}
        self._latest: dict[tuple[str, str], int] = {}

    def forbids(self, step: Step) -> str | None:
        """The reason why the network must not let this step happen now; None if it may.

        Steps of a node that is asleep have no effect, and keep no order.
        """
        asleep = step.node in self._system.asleep
        match self._discipline, step.took:
            case Discipline.FIFO, int(message) if not asleep:
                return self._out_of_order(message, step.node)
            case Discipline.ROUNDS, int(message) if self._sent_in.get(message, -1) >= self._round:
                return f"message {message} was sent in this very round"
            case Discipline.ROUNDS, "timeout" if not asleep:
                return self._too_early(step.node)
        return None

    def _out_of_order(self, message: int, node: str) -> str | None:
        if message in self._given_up:
            return f"message {message} was lost: {node!r} was asleep when it was on its way"
        sender = self._sender.get(message)
        if sender is None:
            return None
        if self._session[message] < self._latest.get((sender, node), 0):
            return f"message {message} was lost: the link from {sender!r} to {node!r} that it was on has ended"
        return self._overtakes(message, sender, node)

    def _overtakes(self, message: int, sender: str, node: str) -> str | None:
        link = sender, self._session[message]
        for earlier, sent in self._system.in_flight.items():
            if earlier == message:
                break
            if sent.to != node or earlier in self._given_up or earlier not in self._sender:
                continue
            if (self._sender[earlier], self._session[earlier]) == link:
                return f"message {message} overtakes message {earlier}, also from {sender!r} to {node!r}"
        return None

    def _too_early(self, node: str) -> str | None:
        if node in self._acted:
            return f"{node!r} has had its timeout in this round"
        for message, sent in self._system.in_flight.items():
            due = sent.to == node and self._sent_in.get(message, -1) < self._round
            if due and message not in self._given_up:
                return f"message {message} to {node!r}, of an earlier round, is still in flight"
        return None

    def observe(self, step: Step) -> None:
        """Record a step that the system has taken."""
        system = self._system
        if self._discipline is Discipline.UNORDERED or step.node not in system.states:
            return
        for sent in step.sent:
            self._sender[sent.id] = step.node
            self._sent_in[sent.id] = self._round
            self._session[sent.id] = self._times_asleep[step.node]
        if isinstance(step.took, int) and not system.was_asleep and step.took in self._sender:
            self._latest[self._sender[step.took], step.node] = self._session[step.took]
        if step.took == "timeout" and not system.was_asleep:
            self._acted.add(step.node)
        if system.fell_asleep(step):
            self._times_asleep[step.node] += 1
            self._give_up(step.node)
        self._given_up.update(sent.id for sent in step.sent if sent.to in system.asleep)
        if self._acted >= set(system.states) - system.asleep:
            self._round += 1
            self._acted.clear()

    def _give_up(self, *nodes: str) -> None:
        """Stop waiting for the messages in flight to those nodes."""
        self._given_up.update(id_ for id_, sent in self._system.in_flight.items() if sent.to in nodes)
