"""The layer below one that publishes along routes: an overlay that delivers the next hop towards each watched key.

All nodes take part in one instance of it. Every topic has a key, and the owner of the key is the root of the topic.
Topics may share a key: each has a tree of its own along the same routes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import msgspec
from msgspec import Struct

from gomboc.impl.api.joining import JoiningLayers
from gomboc.impl.api.layers.beside import BesideLayer
from gomboc.impl.api.layers.multiplexer import Multiplexer
from gomboc.impl.api.lower_layers import lower_host
from gomboc.impl.api.overlays import Layers
from gomboc.impl.core.errors import UsageError, needed
from gomboc.impl.core.failed import each
from gomboc.impl.core.reasons import Reason
from gomboc.impl.core.routing import Routed, StillRouted
from gomboc.impl.publishing.port import Command, Port
from gomboc.impl.runtime.configuration import NodeContext
from gomboc.impl.runtime.host import Host

ROUTES = ":routes:"
"""The topic of the instance below. Its key is watched, too: so the node hears of the layer below in each period."""


@dataclass(slots=True)
class WatchedKey:
    """The topics here with one key, and the route towards it as it was told last; None if it was not yet.

    It is watched as long as it has topics, and for ever if it `stays`.
    """

    topics: dict[str, None] = field(default_factory=dict)
    told: Routed | StillRouted | None = None
    stays: bool = False


class RoutedLayers(JoiningLayers):
    """The host of one node below `upper`, the host that publishes; refusals are counted in `upper`.

    `contacts` are nodes that belong to the system already; empty for the first node.
    """

    def __init__(
        self,
        upper: Host,
        upper_port: Port,
        layers: Layers,
        around: NodeContext,
        shared: Multiplexer,
        contacts: Sequence[str],
    ) -> None:
        super().__init__(upper.refusals, contacts, self._ask_contact, ROUTES)
        self._upper, self._overlay = upper, layers.neighbours
        says = f"{self._overlay.implementation.name} does not say how a layer stands on its routes."
        port = self._overlay.port
        self._routing, self._lookups = needed(port.routing, says), needed(port.lookups, says)
        self._join = needed(port.join_via, says)
        self._watched: dict[str, WatchedKey] = {}
        self._joined: set[str] = set()
        self._spare, self._clock = upper_port.spare, around.clock
        self._neighbours: tuple[str, ...] = ()
        self._host = lower_host(upper, self._overlay, around, shared, self._hear, self._miss)
        self._host.want(ROUTES)
        self._hosts = [self._host]
        self._beside = None
        if layers.beside is not None and upper_port.beside is not None:
            passing = self._pass_peers, self._offer
            self._beside = BesideLayer(upper, upper_port.beside, layers.beside, around, shared, *passing)
            self._hosts.append(self._beside.host)
        else:
            self._pass_peers(tuple(sorted(contacts)))
        self._join_via(contacts[0] if contacts else upper.name)
        self._own_key = self._key(ROUTES)
        self._watched[self._own_key] = WatchedKey(stays=True)
        self._command(self._routing.watch(self._own_key))

    def _command(self, command: object) -> None:
        self._host.command(ROUTES, command)

    def _pass_peers(self, names: tuple[str, ...]) -> None:
        """Pass the nodes of the system on; a name that no node has on this overlay is refused: peers make them up."""
        try:
            self._command(self._routing.peers(names))
        except UsageError:
            self._upper.refusals.count(None, Reason.BAD_MESSAGE)
            fitting = tuple(name for name in names if self._overlay.wrong_name(name) is None)
            self._command(self._routing.peers(fitting))

    def _ask_contact(self, contact: str) -> None:
        beside = () if self._beside is None else (partial(self._beside.join_via, contact),)
        each(partial(self._command, self._join(contact)), *beside)

    def join(self, topic: str) -> None:
        """Have the application take part in the topic; the way of the topic is known by now."""
        self._joined.add(topic)

    def begin(self, topic: str) -> None:
        """Watch the topic's key: from now on its next hop is passed to the instance above.

        Where another topic with this key is here already, the instance is told the present hop at once.
        """
        key = self._key(topic)
        watched = self._watched.get(key)
        if watched is None:
            self._watched[key] = WatchedKey({topic: None})
            self._command(self._routing.watch(key))
        elif topic not in watched.topics:
            watched.topics[topic] = None
            if watched.told is not None:
                self._pass_route(topic, Routed(watched.told.next))

    def _key(self, topic: str) -> str:
        return self._lookups.place(self._overlay.parameters, topic)

    def _pass_route(self, topic: str, route: Struct) -> None:
        if topic in self._upper.instances:
            self._upper.command(topic, msgspec.to_builtins(route))

    def _offer(self, topic: str, command: Command) -> None:
        """Pass what was broadcast to the topic's instance, which begins at the owner of the key if that is known."""
        watched = self._watched.get(self._key(topic))
        is_owner = watched is not None and watched.told is not None and watched.told.next == self._upper.name
        if is_owner and topic not in self._upper.instances:
            each(partial(self._upper.want, topic), partial(self.begin, topic))
        self._upper.offer(topic, command)

    def leave(self, topic: str) -> None:
        """Keep the instance as long as it is needed: the node may be on another's route to the root of the topic."""
        self._joined.discard(topic)

    def _drop_spare(self) -> None:
        """Drop the instances that nothing needs: they are made anew, as they are now, when a message comes."""
        if self._host.stopped or self._spare is None:
            return
        for key, watched in tuple(self._watched.items()):
            spare = [topic for topic in watched.topics if self._is_spare(topic)]
            for topic in spare:
                self._upper.instances.release(topic)
            # The instances are told that they have no next hop any more; with that they are blank.
            if len(spare) == len(watched.topics) and not watched.stays:
                self._command(self._routing.unwatch(key))
                del self._watched[key]
                continue
            for topic in spare:
                self._pass_route(topic, Routed(None))
                del watched.topics[topic]

    def _is_spare(self, topic: str) -> bool:
        instances = self._upper.instances
        if topic in self._joined or self._spare is None:
            return False
        return topic not in instances or self._spare(instances.core(topic))

    def hand_down(self, topic: str, content: object) -> None:
        """Have the layer beside broadcast, if that is what the upper layer delivers."""
        if self._beside is not None:
            self._beside.spread(topic, content)

    def _hear(self, topic: str, content: object) -> None:
        """Pass a route to the instance above as a command."""
        del topic
        neighbours = self._routing.neighbours(content)
        if neighbours is not None:
            self._neighbours = neighbours
            return
        told = self._routing.told(content)
        if told is None:
            return
        watched = self._watched.get(told.key)
        if watched is not None:
            watched.told = told.command
            each(*(partial(self._pass_route, topic, told.command) for topic in tuple(watched.topics)))
        if told.key == self._own_key and told.is_period:
            self.joining.end_period(self._neighbours)
            # After all that the step hands over.
            self._clock.call_at(self._clock.now(), self._drop_spare)
