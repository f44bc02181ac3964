"""A node as an application sees it.

No call blocks, except for iteration over deliveries; time, randomness and names are arguments.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Literal, overload

from msgspec.structs import replace

from gomboc.impl.api.layers.hosts import NEEDS_NO_CONTACT, Below
from gomboc.impl.api.overlays import Overlay
from gomboc.impl.api.topics.leaving import PATIENCE, Left
from gomboc.impl.api.topics.lookups import Answered
from gomboc.impl.api.topics.memberships import Memberships, Status
from gomboc.impl.api.topics.ordered import OrderedDeliveries
from gomboc.impl.api.topics.publisher import Published
from gomboc.impl.api.topics.topic import Topic
from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.failed import each
from gomboc.impl.core.reasons import Reason, RefusedError
from gomboc.impl.core.refusals import Refusal
from gomboc.impl.publishing.deliveries import Counters, Deliveries, Queueing
from gomboc.impl.publishing.publication import Publication, PublicationId
from gomboc.impl.runtime.configuration import NodeContext
from gomboc.impl.runtime.detection.detector import Timing
from gomboc.impl.runtime.detection.heartbeats import detecting
from gomboc.impl.runtime.host import Host
from gomboc.impl.runtime.transport import Gate


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
        gate = Gate(around.transport)
        line = detecting(gate, name, around.clock, detector, self.suspect, self.trust)
        queues = Queueing() if queueing is None else queueing
        self._memberships = Memberships(name, overlay, replace(around, transport=line), incarnation, queues, contact)
        self._host, self._beneath = self._memberships.host, self._memberships.beneath
        self._requests, self._reading = self._memberships.requests, self._memberships.reading
        self._subscribe_first(topics if isinstance(topics, Mapping) else dict.fromkeys(topics))
        self._host.failures.is_starting = False
        gate.open()

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
        return self._memberships.publisher.numbers.incarnation

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics to which the application has subscribed, in the order of their names."""
        return tuple(sorted(self._memberships.subscribed))

    @property
    def ready(self) -> bool:
        """Whether the node takes part in the system: it is the first one, or has found others and kept them.

        On an overlay with well-known nodes it does so as soon as it has started.
        """
        return self._memberships.ready

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
        self._memberships.begin(topic, via)

    def topic(self, name: str, *, via: str | None = None) -> Topic:
        """One topic, for coroutines; as a context it is subscribed to, and left at the end. Refused: bad_topic."""
        self._requests.require_topic(name)
        return Topic(name, via, self._memberships)

    def status(self, topic: str) -> Status:
        """What the node is in a topic, how many publications only it is known to hold, and counts. Refused: none."""
        return self._memberships.status(topic)

    @property
    def failed(self) -> Mapping[str, int]:
        """The outputs that transport, observers or application have not taken without an exception, by layer.

        All others were carried out. An exception that passes through several layers counts in each.
        """
        return dict(self._host.failures.by_layer)

    def unsubscribe(
        self, topic: str, *, forget: bool = False, patience: float = PATIENCE, left: Left | None = None
    ) -> tuple[PublicationId, ...]:
        """Leave the topic: deliveries end. With `forget`, history is dropped too.

        Returns the publications that no other member is known to hold. The node leaves when members that stay hold all
        that it holds, and after `patience` periods in any case, unless it has subscribed again before. Then
        `left(lost)` is called with the publications that no such member is known to hold.

        Refused: not_subscribed, bad_number.
        """
        return self._memberships.end(topic, forget, patience, left)

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
        publisher, leaving = self._memberships.publisher, self._memberships.leaving

        def expect(published: Published) -> None:
            if confirmed is not None:
                leaving.expect(topic, published.id, publisher.key(published), confirmed)

        return publisher.publish(topic, payload, content_type, expect).id

    def look_up(self, topic: str, key: str, answered: Answered) -> None:
        """Find the owner of a key, and call `answered(key, owner)` with it; repeat the call if no answer comes.

        The callback may run before this returns, and never runs if the question, or its answer, is lost with a node.

        Refused: not_subscribed, cannot_look_up, bad_payload.
        """
        self._requests.require_subscribed(topic)
        self._memberships.lookups.ask(topic, key, answered)

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
    def deliveries(self, topic: str, *, ordered: Literal[False] = False) -> Deliveries[Publication]: ...

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
