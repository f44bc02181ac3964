"""Layers below one that publishes: the overlay that maintains the neighbours, and a directory of topics.

The directory stands on the same overlay, in one topic of its own in which every node takes part.
"""

from collections.abc import Callable, Sequence
from functools import partial

import msgspec

from gomboc.impl.api.joining import JoiningLayers
from gomboc.impl.api.layers.multiplexer import Multiplexer
from gomboc.impl.api.overlays import Layers, Overlay
from gomboc.impl.core.automaton import Core
from gomboc.impl.core.errors import UsageError, needed
from gomboc.impl.core.failed import each
from gomboc.impl.core.neighbourhood import Told
from gomboc.impl.core.reasons import Reason
from gomboc.impl.publishing.port import Met
from gomboc.impl.runtime.configuration import HostConfig, NodeContext
from gomboc.impl.runtime.host import Host

HandOver = Callable[[str, object], None]

DIRECTORY = ":directory:"
"""The topic of the directory."""


class LowerLayers(JoiningLayers):
    """The hosts of one node below `upper`, the host that publishes; refusals are counted in `upper`.

    `contacts` are nodes that belong to the system already; empty for the first node.
    """

    def __init__(
        self, upper: Host, layers: Layers, around: NodeContext, shared: Multiplexer, contacts: Sequence[str]
    ) -> None:
        super().__init__(upper.refusals, contacts, self._ask_contact, DIRECTORY)
        self._upper, self._name = upper, upper.name
        says = f"{layers.neighbours.implementation.name} does not say how layers stand on it."
        self._port = layers.neighbours.port
        directory, self._above = needed(layers.directory, says), needed(self._port.above, says)
        self._announcing = needed(directory.port.announcing, says)
        self._has_smaller: dict[str, bool] = {}
        self._joined: set[str] = set()
        self._graph = lower_host(upper, layers.neighbours, around, shared, self._hear, self._miss)
        self._directory = lower_host(upper, directory, around, shared, self._meet, self._miss)
        self._hosts = [self._graph, self._directory]
        self._directory.want(DIRECTORY)
        self._directory.command(DIRECTORY, directory.port.join)
        self._graph.want(DIRECTORY)
        if not contacts:
            self._graph.command(DIRECTORY, self._port.join)
        for contact in contacts:
            self._join_via(contact)

    def _ask_contact(self, contact: str) -> None:
        self._graph.command(DIRECTORY, self._above.add_peer(contact))

    def join(self, topic: str) -> None:
        """Take part in the topic, alone at first, and announce it in the directory."""
        self._joined.add(topic)
        each(
            partial(self._graph.want, topic),
            partial(self._graph.command, topic, self._port.join),
            partial(self._directory.command, DIRECTORY, self._announcing.announce(topic)),
        )

    def leave(self, topic: str) -> None:
        """Take part in the topic no more."""
        self._joined.discard(topic)
        self._graph.instances.release(topic)
        each(
            partial(self._directory.command, DIRECTORY, self._announcing.retract(topic)),
            partial(self._graph.command, topic, self._port.leave(False)),
        )

    def _hear(self, topic: str, update: object) -> None:
        """Pass the neighbours that the overlay reports to the layer above it, as a command."""
        assert isinstance(update, Told), f"an overlay hands up its neighbours, and not {update!r}"
        self._has_smaller[topic] = any(neighbour < self._name for neighbour in update.neighbours)
        upper = self._directory if topic == DIRECTORY else self._upper
        calls: list[Callable[[], object]] = []
        if topic in upper.instances:
            calls.append(partial(upper.command, topic, msgspec.to_builtins(update)))
        if topic == DIRECTORY:
            calls.append(partial(self.joining.end_period, update.neighbours))
        each(*calls)

    def _meet(self, directory: str, met: object) -> None:
        """Join a topic through a contact that the directory names.

        Only a node that knows no smaller member joins, and only through a smaller one. So parts of a topic that do not
        know each other merge, and in a connected topic no node joins.
        """
        assert isinstance(met, Met), f"the {directory} hands over contacts, and not {met!r}"
        alone = not self._has_smaller.get(met.topic, False)
        if not (met.topic in self._joined and alone and met.contact < self._name):
            return
        try:
            self._graph.command(met.topic, self._above.add_peer(met.contact))
        except UsageError:
            # The directory takes any name, and this is none of a node of the overlay.
            self._upper.refusals.count(met.topic, Reason.BAD_MESSAGE)


def lower_host(
    upper: Host,
    overlay: Overlay,
    around: NodeContext,
    shared: Multiplexer,
    hand_over: HandOver,
    missing: Callable[[str], None] | None = None,
) -> Host:
    """The host of another layer at the node of `upper`, on the same connection; refusals are counted in `upper`."""
    member = overlay.port.member
    conduct = HostConfig(
        role=member,
        make=partial(overlay.blank, member, upper.name, around.random),
        hand_over=hand_over,
        # No message makes this node take part in a topic: it answers as a non-member.
        refusals=upper.refusals,
        failures=upper.failures,
        crashed_responder=crashed_responder(overlay, around),
        missing=missing,
    )
    line, witness = shared.line(overlay.agreement), around.beneath.get(overlay.implementation.name)
    lowered = msgspec.structs.replace(around, transport=line, witness=witness)
    return Host(upper.name, conduct, overlay.implementation, overlay.agreement, lowered)


def crashed_responder(overlay: Overlay, around: NodeContext) -> Callable[[str, str], Core] | None:
    """Function that makes the core of a node that does not exist; None if absent nodes give no answers."""
    port = overlay.port
    if port.absent_answers:
        return lambda name, topic: overlay.blank(port.member, name, around.random, topic)
    return partial(_crashed, overlay, around) if port.crashed_answers else None


def _crashed(overlay: Overlay, around: NodeContext, name: str, topic: str) -> Core:
    core = overlay.blank(overlay.port.member, name, around.random, topic)
    for command in overlay.port.crash:
        core.handle(around.clock.now(), overlay.implementation.commanded(command))
    return core
