"""The supervisor: it gives out labels and tells every subscriber its neighbours, one after the other."""

from msgspec import Raw, Struct

from impl.automaton import Commanded, Input, Output, Received, Send, SetTimer, Timeout
from impl.errors import UsageError
from impl.skip_ring import labels
from impl.skip_ring.database import UNRECORDED, Database
from impl.skip_ring.messages import TO_SUPERVISOR, GetConfiguration, Subscribe, Unsubscribe
from impl.skip_ring.states import SupervisorState


class Supervisor:
    """The automaton of the supervisor."""

    __slots__ = ("_database", "_next")

    def __init__(self, state: SupervisorState) -> None:
        self._database = Database({labels.from_text(label): node for label, node in state.database})
        self._next = state.next

    def handle(self, now: float, given: Input) -> list[Output]:
        """Take one step."""
        match given:
            case Timeout():
                return [*self._timeout(), SetTimer(now + 1.0)]
            case Received(message):
                return self._receive(message)
            case Commanded():
                raise UsageError("The supervisor of the skip ring takes no commands.")

    def snapshot(self) -> Raw:
        """The database and `next`, as JSON."""
        return Raw(b'{"database":%b,"next":%d}' % (self._database.written(), self._next))

    def _timeout(self) -> list[Output]:
        """Send the next subscriber in turn its configuration.

        Source: Algorithm 3, lines 1-5
        """
        self._database.repair()
        if not len(self._database):
            return []
        self._next = (self._next + 1) % len(self._database)
        return [self._configure(self._database.node_at(self._next))]

    def _receive(self, message: Struct) -> list[Output]:
        if not isinstance(message, TO_SUPERVISOR):
            return []
        self._database.repair()
        match message:
            case Subscribe(subscriber):
                return self._subscribe(subscriber)
            case Unsubscribe(subscriber):
                return self._unsubscribe(subscriber)
            case GetConfiguration(subscriber):
                return [self._configure(subscriber)]

    def _subscribe(self, node: str) -> list[Output]:
        """Record the node if it is unknown, and send it its configuration.

        Source: Algorithm 3, lines 6-12; Section 4.1, subscribe
        """
        if node not in self._database:
            self._database.add(node)
        return [self._configure(node)]

    def _unsubscribe(self, node: str) -> list[Output]:
        """Drop the node, tell whoever takes over its label, and let the node delete its connections.

        Source: Algorithm 3, lines 13-23; Section 4.1, unsubscribe
        """
        moved = self._database.remove(node) if node in self._database else None
        permission: list[Output] = [Send(node, UNRECORDED)]
        return permission if moved is None else [self._configure(moved), *permission]

    def _configure(self, node: str) -> Send:
        """The node's configuration, on its way to it.

        Source: Algorithm 3, lines 24-30
        """
        return Send(node, self._database.configuration(node))
