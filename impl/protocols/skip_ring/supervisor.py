"""The supervisor: it assigns labels and sends each subscriber its neighbours, one after the other."""

from collections.abc import Iterable

from msgspec import Raw, Struct

from gomboc.impl.core.automaton import Commanded, Input, Output, Received, Send, SetTimer, Timeout
from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.vocabulary import Suspect, Trust, encode
from gomboc.impl.protocols.skip_ring import labels, messages
from gomboc.impl.protocols.skip_ring.commands import Restore
from gomboc.impl.protocols.skip_ring.database import UNRECORDED, Database
from gomboc.impl.protocols.skip_ring.labels import WrittenEntry
from gomboc.impl.protocols.skip_ring.states import SupervisorState


class Supervisor:
    """The automaton of the supervisor."""

    __slots__ = ("_as_written", "_database", "_me", "_next", "_suspects", "_suspects_written", "_written")

    def __init__(self, state: SupervisorState, me: str = messages.SUPERVISOR) -> None:
        self._me = me
        self._database = _loaded(state.database)
        self._next = state.next
        self._suspects: frozenset[str] = frozenset()
        self._suspects_written = b""
        self._as_written: tuple[bytes, int, bytes] | None = None
        self._written = Raw()
        self._let_suspects_be(frozenset(state.suspects))

    def handle(self, now: float, event: Input) -> list[Output]:
        """Take one step; `UsageError` for a command that is not for the supervisor."""
        match event:
            case Timeout():
                return [*self._timeout(), SetTimer(now + 1.0)]
            case Received(message):
                return self._receive(message)
            case Commanded(command):
                return self._obey(command)

    def snapshot(self) -> Raw:
        """The database, `next` and the suspects, as JSON: the same object for as long as they are the same."""
        values = self._database.written(), self._next, self._suspects_written
        if values != self._as_written:
            self._written = Raw(b'{"database":%b,"next":%d%b}' % values)
            self._as_written = values
        return self._written

    def _obey(self, command: Struct) -> list[Output]:
        match command:
            case Suspect(node) | Trust(node) if node == self._me:
                pass
            case Suspect(node):
                return self._suspect(node)
            case Trust(node):
                self._let_suspects_be(self._suspects - {node})
            case Restore(database):
                self._database, self._next = _loaded(database), 0
            case _:
                raise UsageError(f"The supervisor of the skip ring takes no command {command.__struct_config__.tag!r}.")
        return []

    def _suspect(self, node: str) -> list[Output]:
        """Drop a node that the failure detector holds to be crashed.

        Source: Section 1.1, "a failure detector that is eventually correct"
        """
        self._repair()
        self._let_suspects_be(self._suspects | {node})
        return self._unsubscribe(node)

    def _let_suspects_be(self, suspects: frozenset[str]) -> None:
        self._suspects = suspects
        self._suspects_written = b',"suspects":' + encode(sorted(suspects)) if suspects else b""

    def _repair(self) -> None:
        self._database.repair((self._me, *self._suspects))

    def _timeout(self) -> list[Output]:
        """Send the next subscriber in turn its configuration. Source: Algorithm 3, lines 1-5."""
        self._repair()
        if not len(self._database):
            return []
        self._next = (self._next + 1) % len(self._database)
        return [self._configure(self._database.node_at(self._next))]

    def _receive(self, message: Struct) -> list[Output]:
        if not isinstance(message, messages.TO_SUPERVISOR) or message.subscriber == self._me:
            return []
        self._repair()
        match message:
            case messages.Subscribe(subscriber):
                return self._subscribe(subscriber)
            case messages.Unsubscribe(subscriber):
                return self._unsubscribe(subscriber)
            case messages.GetConfiguration(subscriber):
                return self._get_configuration(subscriber)

    def _subscribe(self, node: str) -> list[Output]:
        """Record the node if it is unknown and not suspected, and send it its configuration.

        Source: Algorithm 3, lines 6-12; Section 4.1, subscribe
        """
        if node not in self._database and node not in self._suspects:
            self._database.add(node)
        return [self._configure(node)]

    def _get_configuration(self, node: str) -> list[Output]:
        """Send the node its configuration; if it is suspected, ask all subscribers to forget it, since it cannot do so.

        Source: Algorithm 3, lines 24-30
        """
        configuration: list[Output] = [self._configure(node)]
        if node not in self._suspects:
            return configuration
        return configuration + [
            Send(subscriber, messages.RemoveConnections(node)) for subscriber in self._database.nodes()
        ]

    def _unsubscribe(self, node: str) -> list[Output]:
        """Drop the node, configure the node that takes over its label, and let the dropped one delete its connections.

        Source: Algorithm 3, lines 13-23; Section 4.1, unsubscribe
        """
        moved = self._database.remove(node) if node in self._database else None
        permission: list[Output] = [Send(node, UNRECORDED)]
        return permission if moved is None else [self._configure(moved), *permission]

    def _configure(self, node: str) -> Send:
        """The node's configuration, on its way to it. Source: Algorithm 3, lines 24-30."""
        return Send(node, self._database.configuration(node))


def _loaded(entries: Iterable[WrittenEntry]) -> Database:
    return Database({labels.from_text(label): node for label, node in entries})
