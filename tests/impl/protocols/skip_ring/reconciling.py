"""Two neighbours that reconcile their tries, and nothing else: sessions of messages until there are no more."""

from collections import deque
from typing import Any

from gomboc.impl.core.automaton import Delivered, Send
from gomboc.impl.protocols.skip_ring.outbox import Outbox
from gomboc.impl.protocols.skip_ring.publishing import Publishing
from gomboc.impl.protocols.skip_ring.states import SubscriberState
from gomboc.impl.protocols.skip_ring.variables import Variables
from gomboc.impl.publishing.authenticator import IDEAL
from gomboc.impl.publishing.limits import Limits
from gomboc.impl.publishing.store import Store
from tests.impl.protocols.skip_ring.cores import LoadedCoin

THREE_BITS = Limits(key_bits=3)
LABELS = {"u": "0", "v": "1"}
COIN = LoadedCoin(0.0)


class Side:
    """One of two neighbours, called u and v, with the part of a subscriber's rules that it needs."""

    def __init__(
        self, me: str, publications: Any, parameters: Limits = THREE_BITS, hashes: tuple[Any, ...] = ()
    ) -> None:
        (other,) = LABELS.keys() - {me}
        neighbour = (LABELS[other], other)
        self.store = Store(parameters, IDEAL, publications, hashes)
        state = SubscriberState(LABELS[me], None, neighbour, None, (), True)
        self._outbox = Outbox("supervisor")
        self._rules = Publishing(Variables(me, state, self.store, "supervisor"), self.store, self._outbox)

    def begin(self) -> Any:
        self._rules.audit()
        self._rules.begin_session(COIN)
        return self._outbox.drain()

    def hear(self, message: Any) -> Any:
        self._rules.receive(message, COIN)
        return self._outbox.drain()

    def keys(self) -> list[Any]:
        return [publication.key for publication in self.store.trie.items()]


def session(sides: Any, initiator: Any) -> tuple[Any, ...]:
    """Let one begin, and deliver all messages in turn; return the deliveries to the application, and all messages."""
    waiting, said, delivered = deque(sides[initiator].begin()), [], []
    while waiting:
        output = waiting.popleft()
        if isinstance(output, Send):
            said.append(output)
            waiting += sides[output.to].hear(output.message)
        elif isinstance(output, Delivered):
            delivered.append(output.content)
    return delivered, said
