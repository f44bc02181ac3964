"""Scenes of the skip ring: SR(n) with other states and with messages in flight, then turns and rounds."""

from collections.abc import Mapping
from typing import ClassVar

from gomboc.checker.errata.played import Played
from gomboc.checker.evidence.skip_ring.experiments.ring import members, ring, unaware
from gomboc.spec.core.protocol import Protocol, Start
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, Message, Subscriber, Supervisor


class Ring(Played, frozen=True, kw_only=True):
    """SR(`nodes`), with those states in the place of right ones or beside them; in its turns no coin says ask."""

    ours: ClassVar[Protocol] = PROTOCOL

    nodes: int
    states: Mapping[str, Subscriber] = {}
    supervisor: Supervisor | None = None
    unknown: Mapping[str, tuple[str, ...]] = {}
    """Nodes that a node does not know over its shortcuts, which are otherwise right."""
    in_flight: tuple[tuple[str, Message], ...] = ()

    def start(self) -> Start:
        """The ring with those states and messages."""
        recorded = {} if self.supervisor is None else {SUPERVISOR: self.supervisor}
        less = {node: unaware(members(self.nodes)[node], others) for node, others in self.unknown.items()}
        return ring(self.nodes, *self.in_flight, **self.states, **less, **recorded)


played, scene = Ring.played, Ring.scene
