"""Spreading of publications: comparison of tries with a neighbour, and flooding."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from gomboc.impl.core.automaton import Delivered, Output, RandomSource, Refused
from gomboc.impl.core.reasons import Reason
from gomboc.impl.protocols.skip_ring.messages import EXCHANGE, CheckAndPublish, CheckTrie, PublishNew, RemoveConnections
from gomboc.impl.protocols.skip_ring.outbox import Outbox
from gomboc.impl.protocols.skip_ring.variables import Variables
from gomboc.impl.publishing import comparison
from gomboc.impl.publishing.comparison import Publish
from gomboc.impl.publishing.publication import Publication
from gomboc.impl.publishing.store import Store


class Publishing:
    """The rules that change or send a subscriber's publications; `u` are its variables."""

    __slots__ = ("_outbox", "_store", "_u")

    def __init__(self, u: Variables, store: Store, outbox: Outbox) -> None:
        self._u = u
        self._store = store
        self._outbox = outbox

    def receive(self, message: Struct, random: RandomSource) -> None:
        """Take a message that is about publications."""
        match message:
            case CheckTrie():
                self._check_trie(message)
            case CheckAndPublish():
                self._check_and_publish(message, random)
            case Publish(publications):
                self._publish(publications)
            case PublishNew(sender, publication):
                self._publish_new(sender, publication)

    def audit(self) -> None:
        """Rebuild a trie that may be corrupted, whether or not this node has a label."""
        self._store.audit()

    def begin_session(self, random: RandomSource) -> str | None:
        """Send a random neighbour on the ring the root of the trie; return the neighbour, or None if there is none.

        Source: Algorithm 5, lines 1-4
        """
        chosen = comparison.partner(self._others(slot.node for slot in self._u.slots()), random)
        if chosen is not None:
            self._outbox.tell(chosen, CheckTrie(self._u.me, (self._store.root(),)))
        return chosen

    def issue(self, number: int, payload: str) -> None:
        """Store a publication of this node's own, and send it to all neighbours. Source: Section 4.3."""
        u, store = self._u, self._store
        if not u.wants:
            return
        if store.is_too_large(payload):
            self._outbox.outputs.append(Refused(Reason.TOO_LARGE))
            return
        publication = store.sign(u.me, number, payload)
        if publication.key in store.trie:
            self._outbox.outputs.append(Refused(Reason.KEY_TAKEN))
            return
        self._spread(publication, u.me)

    def _check_trie(self, message: CheckTrie) -> None:
        """Compare hashes, and go on where they differ. Source: Algorithm 5, lines 11-23."""
        if self._answers(message.sender):
            self._outbox.outputs += self._compared(message)

    def _check_and_publish(self, message: CheckAndPublish, random: RandomSource) -> None:
        """Compare hashes, and send publications that the sender lacks, even if this node is about to leave.

        Source: Algorithm 5, lines 25-28
        """
        if self._answers(message.sender):
            self._outbox.outputs += self._compared(message)
            self._outbox.outputs += comparison.handed_over(self._store, message.sender, message.prefix, random)

    def _compared(self, message: CheckTrie | CheckAndPublish) -> Iterator[Output]:
        return EXCHANGE.compared(self._u.me, self._store, message, fetches=self._u.wants)

    def _answers(self, sender: str) -> bool:
        """Whether a sender is another subscriber, and this one has a label; a node without one asks to be left."""
        if sender in (self._u.me, self._u.supervisor):
            return False
        if self._u.own is None:
            self._outbox.tell(sender, RemoveConnections(self._u.me))
        return self._u.own is not None

    def _publish(self, publications: Sequence[Publication]) -> None:
        """Store the publications that were missing here. Source: Algorithm 5, lines 6-9."""
        if self._u.wants:
            self._outbox.outputs += comparison.taken_over(self._store, publications)

    def _publish_new(self, sender: str, publication: Publication) -> None:
        """Store a new publication and pass it on, not back to the sender.

        Source: Algorithm 5, lines 30-34; Section 4.3
        """
        if self._u.wants:
            self._spread(publication, sender)

    def _spread(self, publication: Publication, sender: str) -> None:
        """Deliver and flood a publication, unless it is refused or there already."""
        accepted, reasons = self._store.sifted((publication,))
        self._outbox.outputs += map(Refused, reasons)
        if not accepted or publication.key in self._store.trie:
            return
        self._outbox.outputs += map(Delivered, self._store.add(accepted))
        for node in self._others(self._u.nodes()):
            if node != sender:
                self._outbox.tell(node, PublishNew(self._u.me, publication))

    def _others(self, nodes: Iterator[str] | Sequence[str]) -> list[str]:
        """Each of these nodes once, without oneself, in order."""
        return [node for node in dict.fromkeys(nodes) if node != self._u.me]
