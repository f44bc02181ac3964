"""One instance for all topics: an overlay that brings every publication to every node; topics are told apart here.

It takes the place of the host that publishes, and of the layers below it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import msgspec
from msgspec import Raw

from gomboc.impl.api.joining import JoiningLayers
from gomboc.impl.api.overlays import Overlay
from gomboc.impl.core.automaton import Core, HeldElsewhere, Output, Refused
from gomboc.impl.core.failed import Failed, each
from gomboc.impl.core.reasons import Reason
from gomboc.impl.publishing.authenticator import IDEAL
from gomboc.impl.publishing.port import Command, Spreading, ToSpread
from gomboc.impl.publishing.store import Store
from gomboc.impl.runtime.configuration import HostConfig, NodeContext
from gomboc.impl.runtime.host import Host

EVERYWHERE = ":everywhere:"
"""The topic of the instance."""


class Everywhere(JoiningLayers):
    """The host of one node. Its instances are the topics to which the application has subscribed.

    `contacts` are nodes that belong to the system already; empty for the first node.
    """

    def __init__(
        self,
        name: str,
        overlay: Overlay,
        spreading: Spreading,
        conduct: HostConfig,
        around: NodeContext,
        contacts: Sequence[str],
    ) -> None:
        super().__init__(conduct.refusals, contacts, self._ask_contact)
        self.name, self._conduct, self._spreading = name, conduct, spreading
        self._layer = overlay.implementation.name
        self._topics: dict[str, None] = {}
        assert overlay.limits is not None, "what spreads has limits"
        self._limits, self._authenticator = overlay.limits, overlay.authenticator or IDEAL
        own = replace(conduct, hand_over=self._hear, missing=self._miss, held_elsewhere=self._confirm)
        self._host = Host(name, own, overlay.implementation, overlay.agreement, around)
        self._host.want(EVERYWHERE)
        self._hosts, self.failures = [self._host], conduct.failures
        self._is_member = not contacts
        self._clock = around.clock
        self._join_via(contacts[0] if contacts else name)
        self._clock.call_at(self._clock.now() + 1.0, self._try_again)

    def _try_again(self) -> None:
        """Join through the next contact, once in a period until the node is in the system: a gone one is forgotten."""
        if not self._is_member and not self.stopped:
            self._clock.call_at(self._clock.now() + 1.0, self._try_again)
            self.joining.end_period(())

    @property
    def stopped(self) -> bool:
        """Whether the node has stopped."""
        return self._host.stopped

    @property
    def instances(self) -> "Everywhere":
        """The topics, each as an instance."""
        return self

    def __contains__(self, topic: object) -> bool:
        """Whether the application has subscribed to this topic."""
        return topic in self._topics

    def __iter__(self) -> Iterator[str]:
        """The topics of the application."""
        return iter(tuple(self._topics))

    def __len__(self) -> int:
        """The number of these topics."""
        return len(self._topics)

    def snapshot(self, topic: str) -> Raw:
        """The publications of a topic, as the state of a member in one topic has them."""
        return Raw(msgspec.json.encode({"publications": self.store(topic).in_order()}))

    def store(self, topic: str) -> Store:
        """The publications of a topic, for reading."""
        return self._spreading.store(self._host.instances.core(EVERYWHERE), topic)

    def core(self, topic: str) -> Core:
        """The one instance."""
        del topic
        return self._host.instances.core(EVERYWHERE)

    def opened_by(self, peer: str) -> int:
        """The number of topics that a message of this peer has begun: none, as there is one instance for all."""
        del peer
        return 0

    def release(self, topic: str) -> None:
        """Deliver no more of this topic."""
        self._topics.pop(topic, None)

    def want(self, topic: str) -> None:
        """Deliver the publications of this topic."""
        self._topics[topic] = None

    def command(self, topic: str, command: Command) -> list[Output]:
        """Publish in a topic, and return the outputs; all other commands of applications change nothing here."""
        failed = Failed(self.failures, self._layer)
        outputs = self.attempt(topic, command, failed)
        failed.raise_first()
        return outputs

    def attempt(self, topic: str, command: Command, failed: Failed) -> list[Output]:
        """The same, with the exceptions of what could not be carried out in `failed`."""
        if not isinstance(command, ToSpread):
            return []
        if not self._is_member:
            return self._refuse(topic, Reason.NOT_JOINED)
        signing = Store(self._limits, self._authenticator.of_topic(topic))
        if signing.is_too_large(command.payload):
            return self._refuse(topic, Reason.TOO_LARGE)
        signed = signing.sign(self.name, command.number, command.payload)
        return self._host.attempt(EVERYWHERE, self._spreading.spread(topic, signed), failed)

    def _refuse(self, topic: str, reason: Reason) -> list[Output]:
        self.refusals.count(topic, reason)
        return [Refused(reason)]

    def _ask_contact(self, contact: str) -> None:
        self._host.command(EVERYWHERE, self._spreading.join_via(contact))

    def _hear(self, _everywhere: str, content: object) -> None:
        """Hand publications of the application's topics over, and take the peers at the end of each period."""
        peers, heard = self._spreading.peers(content), self._spreading.heard(content)
        if peers is not None:
            self._is_member = True
            self.joining.end_period(peers)
        elif heard is not None and heard[0] in self._topics:
            self._conduct.hand_over(*heard)

    def _confirm(self, _everywhere: str, held: HeldElsewhere) -> None:
        """Pass on what another node holds, to the topics of which it names something."""
        named = dict.fromkeys(topic for topic, _, _ in held.ids if topic in self._topics)
        if self._conduct.held_elsewhere is not None:
            each(*(partial(self._conduct.held_elsewhere, topic, held) for topic in named))
