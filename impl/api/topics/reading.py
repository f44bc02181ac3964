"""Reading: the deliveries of topics, and their history."""

from collections.abc import Iterable, Sequence
from functools import partial

from gomboc.impl.api.layers.everywhere import Everywhere
from gomboc.impl.api.overlays import Overlay
from gomboc.impl.api.topics.ordered import OrderedDeliveries
from gomboc.impl.api.topics.requests import Requests
from gomboc.impl.core.reasons import Reason
from gomboc.impl.publishing.backlog import Held, StoreBacklog
from gomboc.impl.publishing.deliveries import Counted, Counters, Deliveries, Opened, Queueing
from gomboc.impl.publishing.ordering import Ordering
from gomboc.impl.publishing.publication import Publication, held
from gomboc.impl.publishing.store import Store
from gomboc.impl.publishing.trie import Trie
from gomboc.impl.runtime.clock import Clock
from gomboc.impl.runtime.host import Host


class Reading:
    """The open deliveries of one node, by topic, and what it holds."""

    def __init__(
        self, host: Host | Everywhere, overlay: Overlay, requests: Requests, queueing: Queueing, clock: Clock
    ) -> None:
        self._host, self._requests, self._queueing, self._clock = host, requests, queueing, clock
        self._keep = None if overlay.limits is None else overlay.limits.keep
        self._opened: dict[str, Opened[Publication]] = {}

    def put(self, topic: str, publication: Publication) -> None:
        """Deliver a publication."""
        if topic in self._opened:
            self._opened[topic].put(publication)

    def end(self, topic: str) -> None:
        """End the deliveries of a topic."""
        if topic in self._opened:
            self._opened[topic].end()

    def end_all(self) -> None:
        """End all deliveries."""
        for topic in self._opened:
            self.end(topic)

    def deliveries(self, topic: str) -> Deliveries[Publication]:
        """All publications that are held now, then all later ones. Refused: not_subscribed, cannot_publish."""
        self._requests.require_subscribed(topic)
        self._requests.require_publications(topic)
        backlog = StoreBacklog(partial(self.held_by_key, topic), self._queueing.capacity)
        opened = Deliveries(self._queueing, self.held(topic), backlog)
        return self._opened.setdefault(topic, Opened()).add(opened)

    def ordered(self, topic: str, patience: float | None) -> OrderedDeliveries:
        """The same, in each publisher's order; a gap is waited for so many periods, for ever if that is None."""
        self._requests.require_periods(patience)
        return OrderedDeliveries(self.deliveries(topic), Ordering(self._keep, patience), self._clock)

    def history(self, topic: str, publisher: str | None, last: int | None) -> tuple[Publication, ...]:
        """The publications held, of one publisher or all, all or the `last` ones.

        Refused: not_subscribed, cannot_publish, beyond_history.
        """
        if topic not in self._host.instances:
            self._requests.require_subscribed(topic)
        self._requests.require_publications(topic)
        publications = self.held(topic)
        if publisher is not None:
            publications = [one for one in publications if one.publisher == publisher]
        if last is None:
            return tuple(publications)
        if not 0 <= last <= len(publications):
            says = f"The last {last} publications were asked for, and {len(publications)} are held."
            raise self._requests.refusal(topic, Reason.BEYOND_HISTORY, says)
        return tuple(publications[len(publications) - last :])

    def held(self, topic: str) -> Sequence[Publication]:
        """The publications held, by number and then publisher."""
        # A node that has left and forgotten has no instance, and waiting deliveries may still read from it.
        if topic not in self._host.instances:
            return ()
        store = self._store(topic)
        return held(self._host.instances.snapshot(topic)) if store is None else store.in_order()

    def held_by_key(self, topic: str) -> Held:
        """The publications held, by their keys."""
        store = self._store(topic)
        return {publication.key: publication for publication in self.held(topic)} if store is None else store

    def _store(self, topic: str) -> Store | None:
        """The store of the topic's core; None if there is none."""
        instances = self._host.instances
        if isinstance(instances, Everywhere):
            return instances.store(topic) if topic in instances else None
        store = getattr(instances.core(topic), "store", None) if topic in instances else None
        return store if isinstance(store, Store) else None

    def holds(self, topic: str, subscribed: Iterable[str], key: str) -> bool:
        """Whether a publication with this key is held; in one of these topics if one instance has all."""
        topics = (topic,) if topic in self._host.instances else subscribed
        return any(key in self.held_by_key(own) for own in topics)

    def trie(self, topic: str) -> Trie[Publication] | None:
        """The trie of the publications held; None if they are in none."""
        store = self._store(topic)
        return None if store is None else store.trie

    def counters(self, topic: str | None) -> Counters:
        """Counts of one topic; without one, of all topics, with refusals before the topic is known."""
        if topic is not None:
            counted = self._opened[topic].counted if topic in self._opened else Counted()
            return Counters(counted, self._host.refusals.of(topic))
        counted = sum((opened.counted for opened in self._opened.values()), Counted())
        return Counters(counted, self._host.refusals.of_all())
