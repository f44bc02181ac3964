"""A node as an application sees it.

No call blocks, except for iteration over deliveries; time, randomness and names are arguments.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Literal, overload

from msgspec.structs import replace

from gomboc.impl.api.layers.hosts import NEEDS_NO_CONTACT, Below, hosts
from gomboc.impl.api.layers.routed import RoutedLayers
from gomboc.impl.api.lower_layers import crashed_responder
from gomboc.impl.api.overlays import Overlay
from gomboc.impl.api.topics.disputes import Disputes
from gomboc.impl.api.topics.leaving import PATIENCE, Leaving, Left
from gomboc.impl.api.topics.lookups import Answered, Lookups
from gomboc.impl.api.topics.ordered import OrderedDeliveries
from gomboc.impl.api.topics.publisher import Published, Publisher
from gomboc.impl.api.topics.reading import Reading
from gomboc.impl.api.topics.requests import Requests
from gomboc.impl.api.topics.topic import Membership, Status, Topic
from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.failed import Failures, each
from gomboc.impl.core.reasons import Reason, RefusedError
from gomboc.impl.core.refusals import Refusal, Refusals
from gomboc.impl.core.vocabulary import Delivery
from gomboc.impl.publishing.authenticator import IDEAL
from gomboc.impl.publishing.deliveries import Counters, Deliveries, Queueing
from gomboc.impl.publishing.numbers import Numbers
from gomboc.impl.publishing.port import Command
from gomboc.impl.publishing.publication import Publication, PublicationId, handed_over
from gomboc.impl.publishing.trie import Trie
from gomboc.impl.runtime.configuration import HostConfig, NodeContext, Terms
from gomboc.impl.runtime.detection.detector import Timing
from gomboc.impl.runtime.detection.heartbeats import detecting
from gomboc.impl.runtime.host import Host
from gomboc.impl.runtime.leavers import Leavers
from gomboc.impl.runtime.transport import Gate

MOST_TOPICS = 10_000
"""The most topics of a node at which a message may still begin another one that leads through it."""

MOST_BY_PEER = 5_000
"""The most of these that messages of one peer may begin."""


class Node:
    """A member of any number of topics. `incarnation` has to be greater each time that the node starts anew.

    On an overlay without well-known nodes, `contact` is a node that belongs to the system already, or several of these;
    None for the first one. A node's own name among several is left out. Invalid requests of the application are refused
    with `RefusedError`, and counted.

    It subscribes to `topics` before anything can arrive; a mapping gives each topic the member that it is joined `via`.
    A node that was recorded in a topic before a crash, and subscribes later, may be taken out and let in again.

    With a `detector` it suspects and trusts nodes by itself, by what arrives from them.
    """

    def __init__(
        self,
        name: str,
        overlay: Overlay,
        around: NodeContext,
        *,
        incarnation: int,
        queueing: Queueing | None = None,
        contact: str | Sequence[str] | None = None,
        topics: Iterable[str] | Mapping[str, str | None] = (),
        detector: Timing | None = None,
    ) -> None:
        if isinstance(topics, str):
            raise UsageError(f"The topics of a node are a sequence or a mapping: write [{topics!r}].")
        if overlay.port.content is not None:
            raise UsageError(f"{overlay.implementation.name} has filters and no topics: make a ContentNode.")
        if (wrong := overlay.wrong_name(name)) is not None:
            raise RefusedError(Reason.BAD_NAME, wrong)
        self._port, self._overlay = overlay.port, overlay
        self._subscribed, self._clock = set[str](), around.clock
        conduct = self._conduct(name, overlay, around)
        gate = Gate(around.transport)
        line = detecting(gate, name, around.clock, detector, self.suspect, self.trust)
        self._host, self._beneath = hosts(name, overlay, conduct, replace(around, transport=line), contact)
        self._requests = Requests(self._host, overlay, self._subscribed, self._fault)
        self._publisher = Publisher(self._host, overlay, self._requests, Numbers(incarnation), self._began)
        self._lookups = Lookups(self._host, overlay, self._requests)
        queues = Queueing() if queueing is None else queueing
        self._reading = Reading(self._host, overlay, self._requests, queues, around.clock)
        self._leaving = Leaving(self._host, self._beneath, self._port, around.clock, self._reading, conduct.leavers)
        self._subscribe_first(topics if isinstance(topics, Mapping) else dict.fromkeys(topics))
        conduct.failures.is_starting = False
        gate.open()

    def _conduct(self, name: str, overlay: Overlay, around: NodeContext) -> HostConfig:
        """How the node's host makes, refuses and hands over; it is starting until `Failures` says otherwise."""
        return HostConfig(
            role=self._port.member,
            make=partial(overlay.blank, self._port.member, name, around.random),
            hand_over=self._hand_over,
            refusals=Refusals(Reason),
            failures=Failures(is_starting=True),
            leavers=Leavers(None if self._port.manner.exchange is None else self._subscribed),
            disputes=Disputes(
                overlay.limits,
                overlay.authenticator or IDEAL,
                self._port.manner,
                lambda topic, key: self._reading.holds(topic, self._subscribed, key),
                self._trie,
                lambda topic, held: self._leaving.confirm(topic, held),
            ),
            refuses=self._refuses,
            opens=self._port.below is not None,
            began=self._began,
            crashed_responder=crashed_responder(overlay, around),
            held_elsewhere=lambda topic, held: self._leaving.confirm(topic, held),
            holders=self._port.holders,
            contacts=overlay.port.contacts,
            topics={topic: Terms(own.agreement, own.port.contacts) for topic, own in overlay.topics.items()},
            # Topics that have led through a node for a while are as unknown again as those that never did.
            remembers=self._port.below is None,
        )

    def _subscribe_first(self, topics: Mapping[str, str | None]) -> None:
        try:
            for topic, via in topics.items():
                self.subscribe(topic, via=via)
        except RefusedError:
            self.stop()
            raise

    @property
    def name(self) -> str:
        """The node's name."""
        return self._host.name

    @property
    def incarnation(self) -> int:
        """The incarnation of the node: the given one, or one above that of a later life of it that it has heard of."""
        return self._publisher.numbers.incarnation

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics to which the application has subscribed, in the order of their names."""
        return tuple(sorted(self._subscribed))

    @property
    def ready(self) -> bool:
        """Whether the node takes part in the system: it is the first one, or has found others and kept them.

        On an overlay with well-known nodes it does so as soon as it has started.
        """
        return not self._host.stopped and (self._beneath is None or self._beneath.joining.ready)

    @property
    def alone(self) -> bool:
        """Whether the node knows no other node of the system; as long as that is so, it tries its contacts again."""
        return self._beneath is not None and self._beneath.joining.alone

    @property
    def instances(self) -> tuple[str, ...]:
        """The topics with an instance here: those subscribed to, being left, or with history kept."""
        return tuple(sorted(self._host.instances))

    def subscribe(self, topic: str, *, via: str | None = None) -> None:
        """Take part in the topic, if the node does not yet: the overlay hears of it within a period.

        Where a topic is joined `via` a member of it, the first one joins through itself.

        Refused: bad_topic, bad_contact.
        """
        self._requests.require_topic(topic)
        join = self._join(topic, via)
        if topic not in self._subscribed:
            self._leaving.stay(topic)
            self._subscribed.add(topic)
            below = () if self._beneath is None else (partial(self._beneath.join, topic),)
            # The way of the topic is known before the topic is wanted there.
            each(
                partial(self._host.want, topic),
                partial(self._began, topic),
                partial(self._host.command, topic, join),
                *below,
            )

    def topic(self, name: str, *, via: str | None = None) -> Topic:
        """One topic, for coroutines; as a context it is subscribed to, and left at the end. Refused: bad_topic."""
        self._requests.require_topic(name)
        return Topic(name, via, self, self._requests, self._publisher, self._reading, self._leaving, self._clock)

    def status(self, topic: str) -> Status:
        """What the node is in a topic, how many publications only it is known to hold, and counts. Refused: none."""
        unconfirmed, failed = len(self._leaving.unconfirmed(topic)), sum(self.failed.values())
        return Status(topic, self._membership(topic), unconfirmed, self.counters(topic), failed)

    @property
    def failed(self) -> Mapping[str, int]:
        """The outputs that transport, observers or application have not taken without an exception, by layer.

        All others were carried out. An exception that passes through several layers counts in each.
        """
        return dict(self._host.failures.by_layer)

    def _trie(self, topic: str) -> Trie[Publication] | None:
        """The publications of a topic in which the node takes part; None if they are in no trie."""
        takes_part = topic in self._subscribed and topic in self._host.instances
        joined = self._port.joined
        if not takes_part or (joined is not None and not joined(self._host.instances.core(topic))):
            return None
        return self._reading.trie(topic)

    def _membership(self, topic: str) -> Membership:
        if self._host.stopped:
            return Membership.STOPPED
        if topic not in self._subscribed:
            return Membership.LEAVING if topic in self._leaving else Membership.OUTSIDE
        joined = self._port.joined
        is_in = self.ready and (joined is None or joined(self._host.instances.core(topic)))
        return Membership.JOINED if is_in else Membership.JOINING

    def unsubscribe(
        self, topic: str, *, forget: bool = False, patience: float = PATIENCE, left: Left | None = None
    ) -> tuple[PublicationId, ...]:
        """Leave the topic: deliveries end. With `forget`, history is dropped too.

        Returns the publications that no other member is known to hold. The node leaves when members that stay hold all
        that it holds, and after `patience` periods in any case, unless it has subscribed again before. Then
        `left(lost)` is called with the publications that no such member is known to hold.

        Refused: not_subscribed, bad_number.
        """
        self._requests.require_subscribed(topic)
        self._requests.require_periods(patience, ends=True)
        self._subscribed.remove(topic)
        self._lookups.forget(topic)
        self._reading.end(topic)
        return self._leaving.begin(topic, forget, patience, left)

    def add_peer(self, contact: str) -> None:
        """Add a node of the system as a contact, for instance if the first contact did not help.

        `UsageError` if the overlay has well-known nodes. Refused: stopped, bad_contact.
        """
        if self._beneath is None:
            raise UsageError(NEEDS_NO_CONTACT)
        self._requests.require_running()
        self._beneath.add_peer(contact)

    def publish(
        self,
        topic: str,
        payload: str | bytes,
        confirmed: Callable[[PublicationId], None] | None = None,
        *,
        content_type: str | None = None,
    ) -> PublicationId:
        """Publish text or bytes, and return the publication's id; it is delivered here too.

        `confirmed(id)` is called once another member is known to hold it, so that it is not lost with this node.
        `UsageError` if the overlay never reports that.

        Refused: not_subscribed, cannot_publish, not_joined, bad_payload, bad_content_type, out_of_numbers, and the
        protocol's own reasons, such as too_large.
        """
        self._requests.require_copies(0 if confirmed is None else 1)

        def expect(published: Published) -> None:
            if confirmed is not None:
                self._leaving.expect(topic, published.id, self._publisher.key(published), confirmed)

        return self._publisher.publish(topic, payload, content_type, expect).id

    def look_up(self, topic: str, key: str, answered: Answered) -> None:
        """Find the owner of a key, and call `answered(key, owner)` with it; repeat the call if no answer comes.

        The callback may run before this returns, and never runs if the question, or its answer, is lost with a node.

        Refused: not_subscribed, cannot_look_up, bad_payload.
        """
        self._requests.require_subscribed(topic)
        self._lookups.ask(topic, key, answered)

    def suspect(self, node: str) -> None:
        """Report that a node has crashed: to all topics and layers, and to topics that begin later.

        That stays so until the node is trusted. A false suspicion costs messages, and may cost references: the page of
        each overlay says what it promises then.

        Refused: stopped, bad_name.
        """
        self._requests.require_running()
        if node == self.name:
            raise self._requests.refusal(None, Reason.BAD_NAME, f"{node!r} is this node itself: suspect others.")
        try:
            each(*(partial(layer.suspect, node) for layer in self._layers))
        except UsageError as error:
            raise self._requests.refusal(None, Reason.BAD_NAME, f"No node is called {node!r}.") from error

    def trust(self, node: str) -> None:
        """Report that a node is there after all, or again. Refused: stopped."""
        self._requests.require_running()
        each(*(partial(layer.trust, node) for layer in self._layers))

    @property
    def _layers(self) -> Iterable[Host | Below]:
        return (self._host,) if self._beneath in (None, self._host) else (self._beneath, self._host)

    def stop(self) -> None:
        """Stop and end all deliveries: to all other nodes this one has crashed. To leave, unsubscribe first."""
        below = () if self._beneath is None else (self._beneath.crash,)
        each(self._host.crash, *below, self._reading.end_all)

    @overload
    def deliveries(self, topic: str) -> Deliveries[Publication]: ...

    @overload
    def deliveries(self, topic: str, *, ordered: Literal[False]) -> Deliveries[Publication]: ...

    @overload
    def deliveries(
        self, topic: str, *, ordered: Literal[True], patience: float | None = PATIENCE
    ) -> OrderedDeliveries: ...

    def deliveries(
        self, topic: str, *, ordered: bool = False, patience: float | None = PATIENCE
    ) -> Deliveries[Publication] | OrderedDeliveries:
        """All publications that are held now, then all later ones, each once; close it unless it is read to its end.

        If `ordered`, those of each publisher come in its order, and `Missing` in place of those that retention has
        dropped, that have not come for `patience` periods, or that come too late. With None, patience has no end.

        Refused: not_subscribed, cannot_publish.
        """
        return self._reading.ordered(topic, patience) if ordered else self._reading.deliveries(topic)

    def history(self, topic: str, *, publisher: str | None = None, last: int | None = None) -> tuple[Publication, ...]:
        """The publications held, by number and then publisher: of one publisher or all, all or the `last` ones.

        Refused: not_subscribed, unless the topic was left and its history kept; cannot_publish; beyond_history, if less
        is held.
        """
        return self._reading.history(topic, publisher, last)

    def counters(self, topic: str | None = None) -> Counters:
        """Counts of one topic; without one, of all topics, with refusals before the topic is known."""
        return self._reading.counters(topic)

    def refused_peers(self) -> Mapping[Refusal, int]:
        """The number of refused messages by peer, topic and reason; of at most 1,024 of these, the rest by reason.

        The peer is the sender by the transport; there is no topic where the node has no part in the message's.
        """
        return self._host.refusals.of_peers()

    def _join(self, topic: str, via: str | None) -> Command:
        join_via = self._port.join_via
        if join_via is None:
            if via is not None:
                says = "Nodes do not join through a member here: name none."
                raise self._requests.refusal(topic, Reason.BAD_CONTACT, says)
            return self._port.join
        if via is None:
            says = "This overlay is joined through a member: name one."
            raise self._requests.refusal(topic, Reason.BAD_CONTACT, says)
        return join_via(via)

    def _hand_over(self, topic: str, content: object) -> None:
        if self._lookups.take(topic, content):
            return
        if isinstance(content, Delivery):
            if self._beneath is not None:
                self._beneath.hand_down(topic, content)
        elif self._port.publish is not None:
            self._hand_over_publication(topic, content)

    def _hand_over_publication(self, topic: str, content: object) -> None:
        publication = handed_over(content)
        self._publisher.see(topic, publication.publisher, publication.number)
        self._leaving.add(topic, publication)
        self._reading.put(topic, publication)

    def _refuses(self, topic: str, sender: str) -> Reason | None:
        """Reason to refuse a message of an unknown topic: contacts may know of a membership, and routes lead through.

        A topic that only leads through this node keeps an instance here.
        """
        if self._port.below is not None:
            instances = self._host.instances
            full = len(instances) >= MOST_TOPICS or instances.opened_by(sender) >= MOST_BY_PEER
            return Reason.TOO_MANY_TOPICS if full else None
        return None if sender in self._overlay.of_topic(topic).port.contacts else Reason.UNKNOWN_TOPIC

    def _fault(self, topic: str) -> str | None:
        return None if self._beneath is None else self._beneath.fault(topic)

    def _began(self, topic: str) -> None:
        """An instance begins, by the application or by a message: find the way of its topic."""
        if isinstance(self._beneath, RoutedLayers):
            self._beneath.begin(topic)
