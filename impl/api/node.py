"""A node as an application sees it.

No call blocks, except for iteration over deliveries; time, randomness and names are arguments.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from gomboc.impl.api.layers.hosts import NEEDS_NO_CONTACT, hosts
from gomboc.impl.api.lookups import Answered, Waiting
from gomboc.impl.api.lower_layers import crashed_responder
from gomboc.impl.api.overlays import Overlay
from gomboc.impl.core.automaton import Refused
from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.reasons import Reason, RefusedError
from gomboc.impl.core.refusals import Refusal, Refusals
from gomboc.impl.core.vocabulary import Delivery
from gomboc.impl.publishing.backlog import StoreBacklog
from gomboc.impl.publishing.confirmations import Confirmations
from gomboc.impl.publishing.deliveries import Counted, Counters, Deliveries, Opened, Queueing
from gomboc.impl.publishing.port import Command
from gomboc.impl.publishing.publication import Numbers, Publication, PublicationId, handed_over, held
from gomboc.impl.runtime.host import HostConfig, NodeContext
from gomboc.impl.runtime.topics import is_topic

PATIENCE = 20.0
"""Periods for which a node that leaves a topic waits for another member to hold all that it holds."""

MOST_TOPICS = 10_000
"""The most topics of a node at which a message may still begin another one that leads through it."""

Left = Callable[[tuple[PublicationId, ...]], None]
"""Takes the publications that no other member was known to hold when the node left."""


class _Leaving:
    """A topic that the application has left, but the node has not yet."""

    def __init__(self, forget: bool, left: Left | None) -> None:
        self.forget, self.left = forget, left


class Node:
    """A member of any number of topics. `incarnation` has to be greater each time that the node starts anew.

    On an overlay without well-known nodes, `contact` is a node that belongs to the system already, or several of these;
    None for the first one. A node's own name among several is left out. Invalid requests of the application are refused
    with `RefusedError`, and counted.
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
    ) -> None:
        if overlay.port.content is not None:
            raise UsageError(f"{overlay.implementation.name} has filters and no topics: make a ContentNode.")
        wrong = overlay.wrong_name(name)
        if wrong is not None:
            raise RefusedError(Reason.BAD_NAME, wrong)
        self._queueing = Queueing() if queueing is None else queueing
        self._port = overlay.port
        self._parameters = overlay.parameters
        needed = overlay.port.publishing_needs
        self._publishes = overlay.port.publish is not None and needed in (None, *overlay.parameters)
        self._waiting = Waiting()
        self._numbers = Numbers(incarnation)
        conduct = HostConfig(
            role=self._port.member,
            make=partial(overlay.blank, self._port.member, name, around.random),
            hand_over=self._hand_over,
            refusals=Refusals(Reason),
            refuses=self._refuses,
            opens=self._port.below is not None,
            began=self._began,
            crashed_responder=crashed_responder(overlay, around),
            held_elsewhere=self._confirm,
            contacts=overlay.port.contacts,
        )
        self._clock = around.clock
        self._host, self._beneath = hosts(name, overlay, conduct, around, contact)
        self._subscribed: set[str] = set()
        self._confirmations: dict[str, Confirmations] = {}
        self._leaving: dict[str, _Leaving] = {}
        self._opened: dict[str, Opened[Publication]] = {}

    @property
    def name(self) -> str:
        """The node's name."""
        return self._host.name

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
        self._require_topic(topic)
        join = self._join(topic, via)
        if topic not in self._subscribed:
            self._leaving.pop(topic, None)
            self._host.want(topic)
            self._subscribed.add(topic)
            self._host.command(topic, join)
            if self._beneath is not None:
                self._beneath.join(topic)

    def unsubscribe(
        self, topic: str, *, forget: bool = False, patience: float = PATIENCE, left: Left | None = None
    ) -> tuple[PublicationId, ...]:
        """Leave the topic: deliveries end. With `forget`, history is dropped too.

        Returns the publications that no other member is known to hold. If there are any, the node leaves as soon as
        there are none, and after `patience` periods in any case, unless it has subscribed again before. Then
        `left(lost)` is called with the publications that no other member is known to hold.

        Refused: not_subscribed.
        """
        self._require_subscribed(topic)
        self._subscribed.remove(topic)
        self._waiting.forget(topic)
        if topic in self._opened:
            self._opened[topic].end()
        leaving = self._leaving[topic] = _Leaving(forget, left)
        unconfirmed = self._unconfirmed(topic)
        if unconfirmed and patience > 0:
            self._clock.call_at(self._clock.now() + patience, partial(self._leave, topic, leaving))
        else:
            self._leave(topic, leaving)
        return unconfirmed

    def _leave(self, topic: str, leaving: _Leaving) -> None:
        """Leave the topic for good, if the node has neither done so already nor subscribed again."""
        if self._host.stopped or self._leaving.get(topic) is not leaving:
            return
        del self._leaving[topic]
        lost = self._unconfirmed(topic)
        if self._beneath is not None:
            self._beneath.leave(topic)
        self._host.instances.release(topic)
        self._host.command(topic, self._port.leave(leaving.forget))
        self._confirmations.pop(topic, None)
        if leaving.left is not None:
            leaving.left(lost)

    def _unconfirmed(self, topic: str) -> tuple[PublicationId, ...]:
        """The publications held here and, as far as this node knows, at no other member."""
        if topic not in self._confirmations or not self._confirmations[topic]:
            return ()
        return self._confirmations[topic].open(self._held_by_key(topic))

    def _confirm(self, topic: str, prefix: str) -> None:
        """Record that another member holds all publications that this node holds under keys with this prefix."""
        if topic not in self._confirmations:
            return
        self._confirmations[topic].confirm(prefix)
        leaving = self._leaving.get(topic)
        if leaving is not None and not self._unconfirmed(topic):
            self._leave(topic, leaving)

    def add_peer(self, contact: str) -> None:
        """Add a node of the system as a contact, for instance if the first contact did not help.

        `UsageError` if the overlay has well-known nodes. Refused: stopped, bad_contact.
        """
        if self._beneath is None:
            raise UsageError(NEEDS_NO_CONTACT)
        self._require_running()
        self._beneath.add_peer(contact)

    def publish(
        self, topic: str, payload: str, confirmed: Callable[[PublicationId], None] | None = None
    ) -> PublicationId:
        """Publish text, and return the publication's id; it is delivered here too.

        `confirmed(id)` is called once another member is known to hold it, so that it is not lost with this node.
        `UsageError` if the overlay never reports that.

        Refused: not_subscribed, cannot_publish, bad_payload, out_of_numbers, and the protocol's own reasons, such as
        too_large.
        """
        self._require_publisher(topic)
        publish = self._port.publish
        if publish is None or not self._publishes:
            raise self._without_publications(topic)
        if confirmed is not None and not self._port.tells_holders:
            raise UsageError("This overlay does not say which member holds a publication: ask for no confirmation.")
        self._require_text(topic, payload)
        number = self._numbers.next()
        if number is None:
            says = "This incarnation has given out all its numbers; start the node anew with a greater one."
            raise self._refusal(topic, Reason.OUT_OF_NUMBERS, says)
        if topic not in self._host.instances:
            self._host.want(topic)
            self._began(topic)
        outputs = self._host.command(topic, publish(number, payload))
        for output in outputs:
            if isinstance(output, Refused):
                raise RefusedError(Reason(output.reason), f"The protocol refuses the publication: {output.reason}.")
        id_ = PublicationId(self.name, number)
        if confirmed is not None:
            self._confirmations.setdefault(topic, Confirmations()).expect(id_, confirmed)
        return id_

    def look_up(self, topic: str, key: str, answered: Answered) -> None:
        """Find the owner of a key, and call `answered(key, owner)` with it; repeat the call if no answer comes.

        The callback may run before this returns, and never runs if the question, or its answer, is lost with a node.

        Refused: not_subscribed, cannot_look_up, bad_payload.
        """
        self._require_subscribed(topic)
        lookups = self._port.lookups
        if lookups is None:
            raise self._refusal(topic, Reason.CANNOT_LOOK_UP, "No key has an owner on this overlay.")
        self._require_text(topic, key)
        position = lookups.place(self._parameters, key)
        self._waiting.add(topic, position, key, answered)
        self._host.command(topic, lookups.ask(position))

    def stop(self) -> None:
        """Stop and end all deliveries: to all other nodes this one has crashed. To leave, unsubscribe first."""
        self._host.crash()
        if self._beneath is not None:
            self._beneath.crash()
        for opened in self._opened.values():
            opened.end()

    def deliveries(self, topic: str) -> Deliveries[Publication]:
        """All publications that are held now, then all later ones, each once; close it unless it is read to its end.

        Refused: not_subscribed, cannot_publish.
        """
        self._require_subscribed(topic)
        self._require_publications(topic)
        backlog = StoreBacklog(partial(self._held_by_key, topic), self._queueing.capacity)
        opened = Deliveries(self._queueing, self._held(topic), backlog)
        return self._opened.setdefault(topic, Opened()).add(opened)

    def history(self, topic: str, *, publisher: str | None = None, last: int | None = None) -> tuple[Publication, ...]:
        """The publications held, by number and then publisher: of one publisher or all, all or the `last` ones.

        Refused: not_subscribed, unless the topic was left and its history kept; cannot_publish; beyond_history, if less
        is held.
        """
        if topic not in self._host.instances:
            self._require_subscribed(topic)
        self._require_publications(topic)
        publications = tuple(
            publication for publication in self._held(topic) if publisher in (None, publication.publisher)
        )
        if last is None:
            return publications
        if not 0 <= last <= len(publications):
            says = f"The last {last} publications were asked for, and {len(publications)} are held."
            raise self._refusal(topic, Reason.BEYOND_HISTORY, says)
        return publications[len(publications) - last :]

    def counters(self, topic: str | None = None) -> Counters:
        """Counts of one topic; without one, of all topics, with refusals before the topic is known."""
        if topic is not None:
            return Counters(self._counted(topic), self._host.refusals.of(topic))
        counted = sum((opened.counted for opened in self._opened.values()), Counted())
        return Counters(counted, self._host.refusals.of_all())

    def refused_peers(self) -> Mapping[Refusal, int]:
        """The number of refused messages by peer, topic and reason; of at most 1,024 of these, the rest by reason.

        The peer is the sender by the transport; there is no topic where the node has no part in the message's.
        """
        return self._host.refusals.of_peers()

    def _counted(self, topic: str) -> Counted:
        return self._opened[topic].counted if topic in self._opened else Counted()

    def _join(self, topic: str, via: str | None) -> Command:
        join_via = self._port.join_via
        if join_via is None:
            if via is not None:
                raise self._refusal(topic, Reason.BAD_CONTACT, "Nodes do not join through a member here: name none.")
            return self._port.join
        if via is None:
            raise self._refusal(topic, Reason.BAD_CONTACT, "This overlay is joined through a member: name one.")
        return join_via(via)

    def _hand_over(self, topic: str, content: object) -> None:
        lookups = self._port.lookups
        answer = None if lookups is None else lookups.answer(content)
        if answer is not None:
            self._waiting.answer(topic, *answer)
        elif isinstance(content, Delivery):
            if self._beneath is not None:
                self._beneath.hand_down(topic, content)
        elif self._port.publish is not None:
            self._hand_over_publication(topic, content)

    def _hand_over_publication(self, topic: str, content: object) -> None:
        publication = handed_over(content)
        if self._port.tells_holders:
            self._confirmations.setdefault(topic, Confirmations()).add(publication)
        if topic in self._opened:
            self._opened[topic].put(publication)

    def _held(self, topic: str) -> tuple[Publication, ...]:
        # A node that has left and forgotten has no instance, and waiting deliveries may still read from it.
        return held(self._host.instances.snapshot(topic)) if topic in self._host.instances else ()

    def _held_by_key(self, topic: str) -> dict[str, Publication]:
        return {publication.key: publication for publication in self._held(topic)}

    def _refuses(self, sender: str) -> Reason | None:
        """Reason to refuse a message of an unknown topic: contacts may know of a membership, and routes lead through.

        A topic that only leads through this node keeps an instance here.
        """
        if self._port.below is not None:
            return None if len(self._host.instances) < MOST_TOPICS else Reason.TOO_MANY_TOPICS
        return None if sender in self._port.contacts else Reason.UNKNOWN_TOPIC

    def _began(self, topic: str) -> None:
        """A message has begun an instance: find the way of its topic."""
        if self._beneath is not None:
            self._beneath.join(topic)

    def _require_running(self) -> None:
        if self._host.stopped:
            raise self._refusal(None, Reason.STOPPED, f"{self.name} has stopped; start it anew.")

    def _require_topic(self, topic: str) -> None:
        self._require_running()
        if not is_topic(topic):
            says = f"A topic's name is 1 to 64 characters out of letters, digits and _ . : -; {topic!r} is not."
            raise self._refusal(None, Reason.BAD_TOPIC, says)
        wrong = None if self._beneath is None else self._beneath.fault(topic)
        if wrong is not None:
            raise self._refusal(None, Reason.BAD_TOPIC, wrong)

    def _require_subscribed(self, topic: str) -> None:
        self._require_topic(topic)
        if topic not in self._subscribed:
            says = f"{self.name} is not subscribed to {topic}; subscribe to it first."
            raise self._refusal(topic, Reason.NOT_SUBSCRIBED, says)

    def _require_publisher(self, topic: str) -> None:
        """Where publications find their way to a topic, a node outside may publish as well."""
        if self._port.below is None:
            self._require_subscribed(topic)
        else:
            self._require_topic(topic)

    def _require_publications(self, topic: str) -> None:
        if not self._publishes:
            raise self._without_publications(topic)

    def _without_publications(self, topic: str) -> RefusedError:
        needed = self._port.publishing_needs
        lacks = "" if self._port.publish is None else f" without the parameter {needed}: give the overlay one"
        return self._refusal(topic, Reason.CANNOT_PUBLISH, f"Nothing is published on this overlay{lacks}.")

    def _require_text(self, topic: str, payload: object) -> None:
        if not isinstance(payload, str):
            says = f"A payload has to be text, and this is of the type {type(payload).__name__}."
            raise self._refusal(topic, Reason.BAD_PAYLOAD, says)
        try:
            payload.encode("utf-8")
        except UnicodeEncodeError as error:
            says = f"A payload has to be text that UTF-8 can write, and this is not: {error}."
            raise self._refusal(topic, Reason.BAD_PAYLOAD, says) from error

    def _refusal(self, topic: str | None, reason: Reason, sentence: str) -> RefusedError:
        self._host.refusals.count(topic, reason)
        return RefusedError(reason, sentence)
