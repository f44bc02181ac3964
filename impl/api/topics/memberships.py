"""The memberships of a node in topics: their parts work together here, and a host hands to them what it delivers."""

from collections.abc import Sequence
from enum import StrEnum
from functools import partial

from msgspec import Struct

from gomboc.impl.api.layers.hosts import hosts
from gomboc.impl.api.layers.routed import RoutedLayers
from gomboc.impl.api.lower_layers import crashed_responder
from gomboc.impl.api.overlays import Overlay
from gomboc.impl.api.topics.disputes import Disputes
from gomboc.impl.api.topics.leaving import Leaving, Left
from gomboc.impl.api.topics.lookups import Lookups
from gomboc.impl.api.topics.publisher import Publisher
from gomboc.impl.api.topics.reading import Reading
from gomboc.impl.api.topics.requests import Requests
from gomboc.impl.core.failed import Failures, each
from gomboc.impl.core.reasons import Reason
from gomboc.impl.core.refusals import Refusals
from gomboc.impl.core.vocabulary import Delivery
from gomboc.impl.publishing.authenticator import IDEAL
from gomboc.impl.publishing.deliveries import Counters, Queueing
from gomboc.impl.publishing.numbers import Numbers
from gomboc.impl.publishing.port import Command
from gomboc.impl.publishing.publication import Publication, PublicationId, handed_over
from gomboc.impl.publishing.trie import Trie
from gomboc.impl.runtime.configuration import HostConfig, NodeContext, Terms
from gomboc.impl.runtime.leavers import Leavers

MOST_TOPICS = 10_000
"""The most topics of a node at which a message may still begin another one that leads through it."""

MOST_BY_PEER = 5_000
"""The most of these that messages of one peer may begin."""


class Membership(StrEnum):
    """What a node is in a topic."""

    OUTSIDE = "outside"
    """The application has not subscribed."""
    JOINING = "joining"
    """The application has subscribed, and the overlay has not let the node in yet."""
    JOINED = "joined"
    """The node takes part."""
    LEAVING = "leaving"
    """The application has left, and the node stays until another member holds all that it holds."""
    STOPPED = "stopped"
    """The node has stopped."""


class Status(Struct, frozen=True):
    """A topic at one node: its membership, how many publications no other member is known to hold, and counts.

    `failed` counts, of all layers and topics of the node, the outputs that raised an exception.
    """

    topic: str
    membership: Membership
    unconfirmed: int
    counters: Counters
    failed: int


class Memberships:
    """The memberships of one node, with its hosts; the application has `subscribed` to some topics."""

    def __init__(
        self,
        name: str,
        overlay: Overlay,
        around: NodeContext,
        incarnation: int,
        queueing: Queueing,
        contact: str | Sequence[str] | None,
    ) -> None:
        self._overlay, self._port = overlay, overlay.port
        self.subscribed, self.clock = set[str](), around.clock
        conduct = self._conduct(name, overlay, around)
        self.host, self.beneath = hosts(name, overlay, conduct, around, contact)
        fault = (lambda _topic: None) if self.beneath is None else self.beneath.fault
        self.requests = Requests(self.host, overlay, self.subscribed, fault)
        self.publisher = Publisher(self.host, overlay, self.requests, Numbers(incarnation), self._began)
        self.lookups = Lookups(self.host, overlay, self.requests)
        self.reading = Reading(self.host, overlay, self.requests, queueing, self.clock)
        self.leaving = Leaving(self.host, self.beneath, self._port, self.clock, self.reading, conduct.leavers)

    def _conduct(self, name: str, overlay: Overlay, around: NodeContext) -> HostConfig:
        """How the node's host makes, refuses and hands over; it is starting until `Failures` says otherwise."""
        return HostConfig(
            role=self._port.member,
            make=partial(overlay.blank, self._port.member, name, around.random),
            hand_over=self._hand_over,
            refusals=Refusals(Reason),
            failures=Failures(is_starting=True),
            leavers=Leavers(None if self._port.manner.exchange is None else self.subscribed),
            disputes=Disputes(
                overlay.limits,
                overlay.authenticator or IDEAL,
                self._port.manner,
                lambda topic, key: self.reading.holds(topic, self.subscribed, key),
                self._trie,
                lambda topic, held: self.leaving.confirm(topic, held),
            ),
            refuses=self._refuses,
            opens=self._port.below is not None,
            began=self._began,
            crashed_responder=crashed_responder(overlay, around),
            held_elsewhere=lambda topic, held: self.leaving.confirm(topic, held),
            holders=self._port.holders,
            contacts=overlay.port.contacts,
            topics={topic: Terms(own.agreement, own.port.contacts) for topic, own in overlay.topics.items()},
            # Topics that have led through a node for a while are as unknown again as those that never did.
            remembers=self._port.below is None,
        )

    @property
    def ready(self) -> bool:
        """Whether the node takes part in the system."""
        return not self.host.stopped and (self.beneath is None or self.beneath.joining.ready)

    def of(self, topic: str) -> Membership:
        """What the node is in the topic."""
        if self.host.stopped:
            return Membership.STOPPED
        if topic not in self.subscribed:
            return Membership.LEAVING if topic in self.leaving else Membership.OUTSIDE
        return Membership.JOINED if self.ready and self._has_joined(topic) else Membership.JOINING

    def status(self, topic: str) -> Status:
        """As `Node.status`."""
        unconfirmed, failed = len(self.leaving.unconfirmed(topic)), sum(self.host.failures.by_layer.values())
        return Status(topic, self.of(topic), unconfirmed, self.reading.counters(topic), failed)

    def _has_joined(self, topic: str) -> bool:
        joined = self._port.joined
        return joined is None or joined(self.host.instances.core(topic))

    def _trie(self, topic: str) -> Trie[Publication] | None:
        """The publications of a topic in which the node takes part; None if they are in no trie."""
        takes_part = topic in self.subscribed and topic in self.host.instances and self._has_joined(topic)
        return self.reading.trie(topic) if takes_part else None

    def begin(self, topic: str, via: str | None) -> None:
        """Take part in the topic, as by `Node.subscribe`."""
        self.requests.require_topic(topic)
        join = self._join(topic, via)
        if topic not in self.subscribed:
            self.leaving.stay(topic)
            self.subscribed.add(topic)
            below = () if self.beneath is None else (partial(self.beneath.join, topic),)
            # The way of the topic is known before the topic is wanted there.
            each(
                partial(self.host.want, topic),
                partial(self._began, topic),
                partial(self.host.command, topic, join),
                *below,
            )

    def _join(self, topic: str, via: str | None) -> Command:
        join_via = self._port.join_via
        if join_via is None:
            if via is not None:
                says = "Nodes do not join through a member here: name none."
                raise self.requests.refusal(topic, Reason.BAD_CONTACT, says)
            return self._port.join
        if via is None:
            says = "This overlay is joined through a member: name one."
            raise self.requests.refusal(topic, Reason.BAD_CONTACT, says)
        return join_via(via)

    def end(self, topic: str, forget: bool, patience: float, left: Left | None) -> tuple[PublicationId, ...]:
        """Leave the topic, as by `Node.unsubscribe`."""
        self.requests.require_subscribed(topic)
        self.requests.require_periods(patience, ends=True)
        self.subscribed.remove(topic)
        self.lookups.forget(topic)
        self.reading.end(topic)
        return self.leaving.begin(topic, forget, patience, left)

    def _hand_over(self, topic: str, content: object) -> None:
        if self.lookups.take(topic, content):
            return
        if isinstance(content, Delivery):
            if self.beneath is not None:
                self.beneath.hand_down(topic, content)
        elif self._port.publish is not None:
            publication = handed_over(content)
            self.publisher.see(topic, publication.publisher, publication.number)
            self.leaving.add(topic, publication)
            self.reading.put(topic, publication)

    def _refuses(self, topic: str, sender: str) -> Reason | None:
        """Reason to refuse a message of an unknown topic: contacts may know of a membership, and routes lead through.

        A topic that only leads through this node keeps an instance here.
        """
        if self._port.below is not None:
            instances = self.host.instances
            full = len(instances) >= MOST_TOPICS or instances.opened_by(sender) >= MOST_BY_PEER
            return Reason.TOO_MANY_TOPICS if full else None
        return None if sender in self._overlay.of_topic(topic).port.contacts else Reason.UNKNOWN_TOPIC

    def _began(self, topic: str) -> None:
        """An instance begins, by the application or by a message: find the way of its topic."""
        if isinstance(self.beneath, RoutedLayers):
            self.beneath.begin(topic)
