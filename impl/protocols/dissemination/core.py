"""The automaton of a node: new publications are broadcast; missed ones come by comparison with the next node."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Raw, Struct

from gomboc.impl.core.automaton import (
    Commanded,
    Input,
    Output,
    RandomSource,
    Received,
    Refused,
    Send,
    SetTimer,
    Timeout,
)
from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.name_order import parts
from gomboc.impl.core.neighbourhood import Moved, Stayed, nearest
from gomboc.impl.core.reasons import Reason
from gomboc.impl.core.vocabulary import Crash, encode
from gomboc.impl.protocols.dissemination.broadcasts import Broadcasts
from gomboc.impl.protocols.dissemination.commands import Issue, Subscribe, Unsubscribe
from gomboc.impl.protocols.dissemination.messages import EXCHANGE, Broadcast, CheckAndPublish, CheckTrie
from gomboc.impl.protocols.dissemination.states import State
from gomboc.impl.publishing import comparison
from gomboc.impl.publishing.comparison import Publish
from gomboc.impl.publishing.publication import Publication
from gomboc.impl.publishing.store import Store


class Member:
    """The automaton; `store` has its publications, and its neighbours are the last ones from the layer below."""

    __slots__ = ("_broadcasts", "_live", "_me", "_neighbours", "_outputs", "_random", "_store")

    def __init__(self, me: str, state: State, store: Store, broadcasts: Broadcasts, random: RandomSource) -> None:
        self._me = me
        self._broadcasts = broadcasts
        self._random = random
        self._live = state.live
        self._neighbours = state.neighbours
        self._store = store
        self._outputs: list[Output] = []

    @property
    def store(self) -> Store:
        """The publications, for reading."""
        return self._store

    def handle(self, now: float, event: Input) -> list[Output]:
        """Take one step; `UsageError` if the layer below names the node as its own neighbour."""
        match event:
            case Timeout():
                self._timeout()
                self._outputs.append(SetTimer(now + 1.0))
            case Received(message) if self._live:
                _RULES[type(message)](self, message)
            case Commanded(command):
                self._obey(command)
        outputs, self._outputs = self._outputs, []
        return outputs

    def snapshot(self) -> Raw:
        """The variables, as JSON."""
        live = b"true" if self._live else b"false"
        others = self._store.written() + self._broadcasts.written
        return Raw(b'{"live":%b,"neighbours":%b%b}' % (live, encode(self._neighbours), others))

    def _timeout(self) -> None:
        """Send the root of this node's trie to the nearest neighbour on either side.

        Source: Feldmann et al., Section 4.2
        """
        if self._live:
            self._store.audit()
            for node in nearest(self._me, self._neighbours):
                self._tell(node, CheckTrie(self._me, (self._store.root(),)))

    def _obey(self, command: Struct) -> None:
        match command:
            case Moved(neighbours) | Stayed(neighbours):
                if self._me in neighbours:
                    raise UsageError(
                        f"{self._me} cannot be its own neighbour: the layer below must not report it as one."
                    )
                self._neighbours = neighbours
            case Subscribe():
                self._live = True
            case Issue(number, payload):
                self._issue(number, payload)
            case Unsubscribe(forget):
                self._stop(forget=forget)
            case Crash():
                self._stop(forget=True)

    def _stop(self, *, forget: bool) -> None:
        self._live, self._neighbours = False, ()
        self._broadcasts.forget()
        if forget:
            self._store.forget()

    def _issue(self, number: int, payload: str) -> None:
        """Broadcast a publication of this node, unless another one has its key here."""
        if not self._live:
            return
        if self._store.is_too_large(payload):
            self._outputs.append(Refused(Reason.TOO_LARGE))
            return
        publication = self._store.sign(self._me, number, payload)
        if publication.key in self._store.trie:
            self._outputs.append(Refused(Reason.KEY_TAKEN))
            return
        self._spread(publication, None, None)

    def _check_trie(self, message: CheckTrie | CheckAndPublish) -> None:
        if message.sender != self._me:
            self._outputs += EXCHANGE.compared(self._me, self._store, message)

    def _check_and_publish(self, message: CheckAndPublish) -> None:
        self._check_trie(message)
        if message.sender != self._me:
            self._outputs += comparison.handed_over(self._store, message.sender, message.prefix, self._random)

    def _publish(self, message: Publish) -> None:
        self._outputs += comparison.taken_over(self._store, message.publications)

    def _broadcast(self, message: Broadcast) -> None:
        self._spread(message.publication, message.low, message.high)

    def _spread(self, publication: Publication, low: str | None, high: str | None) -> None:
        """Store a publication, and pass it on in this part, unless it is refused or was passed on there already.

        That it was here already is no reason: this node may be the one through which that part hears of it.
        """
        is_new = publication.key not in self._store.trie
        self._outputs += comparison.taken_over(self._store, (publication,))
        if not self._is_passed_on(publication):
            return
        if self._broadcasts.extend(publication.key, (low, high), is_new=is_new):
            for node, above, below in parts(self._me, self._neighbours, low, high):
                self._tell(node, Broadcast(publication, above, below))

    def _is_passed_on(self, publication: Publication) -> bool:
        return publication.key in self._store.trie and self._store.refusal(publication) is None

    def _tell(self, node: str, message: Struct) -> None:
        self._outputs.append(Send(node, message))


# By name, so that a method that is replaced in the class is replaced here as well.
_RULES: Mapping[type, Callable[[Member, Any], None]] = {
    CheckTrie: lambda self, message: self._check_trie(message),
    CheckAndPublish: lambda self, message: self._check_and_publish(message),
    Publish: lambda self, message: self._publish(message),
    Broadcast: lambda self, message: self._broadcast(message),
}
