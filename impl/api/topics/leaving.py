"""Leaving a topic: a node does so when members that stay are known to hold all that it holds, or its patience ends."""

from collections.abc import Callable
from functools import partial

from gomboc.impl.api.layers.everywhere import Everywhere
from gomboc.impl.api.layers.hosts import Below
from gomboc.impl.api.topics.reading import Reading
from gomboc.impl.core.automaton import HeldElsewhere
from gomboc.impl.core.failed import each
from gomboc.impl.publishing.confirmations import Confirmations, Confirmed, Copies
from gomboc.impl.publishing.port import Port
from gomboc.impl.publishing.publication import Publication, PublicationId
from gomboc.impl.runtime.clock import Clock
from gomboc.impl.runtime.host import Host
from gomboc.impl.runtime.leavers import Leavers

PATIENCE = 20.0
"""Periods for which a node that leaves a topic waits for another member to hold all that it holds."""

Left = Callable[[tuple[PublicationId, ...]], None]
"""Takes the publications that no other member was known to hold when the node left."""


class _Leaving:
    """A topic that the application has left, but the node has not yet."""

    def __init__(self, forget: bool, left: Left | None) -> None:
        self.forget, self.left = forget, left


class Leaving:
    """The topics of a node that it is about to leave, and what other members hold of each topic."""

    def __init__(
        self,
        host: Host | Everywhere,
        below: Below | None,
        port: Port,
        clock: Clock,
        reading: Reading,
        leavers: Leavers,
    ) -> None:
        self._host, self._below, self._port, self._clock = host, below, port, clock
        self._reading, self._held, self._leavers = reading, reading.held_by_key, leavers
        self._confirmations: dict[str, Confirmations] = {}
        self._leaving: dict[str, _Leaving] = {}

    def __contains__(self, topic: str) -> bool:
        """Whether the node is about to leave this topic."""
        return topic in self._leaving

    def begin(self, topic: str, forget: bool, patience: float, left: Left | None) -> tuple[PublicationId, ...]:
        """Leave the topic now or later; return the publications that no other member is known to hold."""
        leaving = self._leaving[topic] = _Leaving(forget, left)
        unconfirmed = self.unconfirmed(topic)
        if patience > 0 and self._leavers.leaves(topic):
            # Who has confirmed something before may have left or crashed since.
            for publication in self._reading.held(topic):
                self.add(topic, publication)
        if self.unconfirmed(topic) and patience > 0:
            self._clock.call_at(self._clock.now() + patience, partial(self._leave, topic, leaving))
        else:
            self._leave(topic, leaving)
        return unconfirmed

    def stay(self, topic: str) -> None:
        """Leave the topic no more."""
        self._leaving.pop(topic, None)

    def add(self, topic: str, publication: Publication) -> None:
        """Record that this node holds a publication."""
        if self._port.tells_holders:
            self._confirmations_of(topic).add(publication, partial(self._held, topic))

    def expect(self, topic: str, published: PublicationId, key: str, confirmed: Confirmed) -> None:
        """Call `confirmed` when another member holds a publication, which has this key."""
        self._confirmations_of(topic).expect(published, key, confirmed)

    def watch(self, topic: str, published: PublicationId, key: str) -> Copies:
        """Count the members that hold a publication, which has this key, until that is released."""
        return self._confirmations_of(topic).watch(published, key)

    def release(self, topic: str, copies: Copies) -> None:
        """Count them no more."""
        if topic in self._confirmations:
            self._confirmations[topic].release(copies)

    def _confirmations_of(self, topic: str) -> Confirmations:
        if topic not in self._confirmations:
            self._confirmations[topic] = Confirmations(topic)
        return self._confirmations[topic]

    def confirm(self, topic: str, held: HeldElsewhere) -> None:
        """Record that another member holds publications that this node holds."""
        if topic not in self._confirmations or not self._leavers.counts(topic, held.node):
            return
        self._confirmations[topic].confirm(held)
        leaving = self._leaving.get(topic)
        if leaving is not None and not self.unconfirmed(topic):
            self._leave(topic, leaving)

    def unconfirmed(self, topic: str) -> tuple[PublicationId, ...]:
        """The publications held here and, as far as this node knows, at no other member."""
        if topic not in self._confirmations or not self._confirmations[topic]:
            return ()
        return self._confirmations[topic].open(self._held(topic))

    def _leave(self, topic: str, leaving: _Leaving) -> None:
        """Leave the topic for good, if the node has neither done so already nor subscribed again."""
        if self._host.stopped or self._leaving.get(topic) is not leaving:
            return
        del self._leaving[topic]
        lost = self.unconfirmed(topic)
        self._confirmations.pop(topic, None)
        below = () if self._below is None else (partial(self._below.leave, topic),)
        leave = partial(self._host.command, topic, self._port.leave(leaving.forget))
        left = () if leaving.left is None else (partial(leaving.left, lost),)
        each(*below, partial(self._host.instances.release, topic), leave, *left)
