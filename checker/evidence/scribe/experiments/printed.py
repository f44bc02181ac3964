"""The report's pseudocode of Scribe for one topic, as printed and as it may be meant, over routes that are given.

Source: Section 2.4.3; Section 2.2.3, routeRequest and routeMessage
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

SUB, PUB = "SUB", "PUB"


@dataclass
class Manager:
    """A node's entry in `topicManagers`: its root, which is its parent as well, and its children."""

    root: str | None = None
    children: list[str | None] = field(default_factory=list)
    subscribed: bool = False


@dataclass
class Printed:
    """The nodes of one topic; `hops` has the next hop of each, the owner's is itself.

    `meant`: the owner adds the sender as a child, a forwarder's root is its next hop, a subscription is remembered, and
    publications go to the children, too.
    """

    hops: Mapping[str, str]
    meant: bool = False
    managers: dict[str, Manager] = field(default_factory=dict)
    crashed: set[str] = field(default_factory=set)
    delivered: list[str] = field(default_factory=list)
    routed: int = 0
    _in_flight: deque[tuple[str, str | None, str, bool]] = field(default_factory=deque)

    def subscribe(self, node: str) -> None:
        """DisseminateMessageRequest(SUB)."""
        if node in self.managers:
            self.managers[node].subscribed = True
        else:
            self.route_request(node, SUB)
        if self.meant:
            self.managers.setdefault(node, Manager()).subscribed = True
        self._run()

    def publish(self, node: str) -> None:
        """DisseminateMessageRequest(PUB); the message that is sent on is read as a PUB."""
        if node in self.managers:
            self._spread(node, None)
        else:
            self.route_request(node, PUB)
        self._run()

    def crash(self, node: str, hops: Mapping[str, str]) -> None:
        """The node is gone, and Chord has other routes. No rule of Scribe hears of it."""
        self.crashed.add(node)
        self.hops = hops

    def route_request(self, node: str, kind: str) -> None:
        """Send a message one hop on, and tell Scribe here. Source: Section 2.2.3, routeRequest."""
        if self.hops[node] == node:
            self._route_delivery(node, kind, True, None, None)
            return
        self.routed += 1
        self._in_flight.append((self.hops[node], node, kind, True))
        self._route_delivery(node, kind, False, self.hops[node], None)

    def _run(self) -> None:
        """Deliver all that is in flight, in order, to nodes that live."""
        while self._in_flight:
            node, sender, kind, routed = self._in_flight.popleft()
            if node in self.crashed:
                continue
            if routed:
                self._route_delivery(node, kind, self.hops[node] == node, None, sender)
            elif node in self.managers:
                self._spread(node, sender)

    def _route_delivery(self, node: str, kind: str, owner: bool, following: str | None, sender: str | None) -> None:
        """RouteDelivery(SUB) and RouteDelivery(PUB)."""
        if kind == PUB:
            self._publication_routed(node, owner, sender)
        elif owner:
            manager = self.managers.setdefault(node, Manager())
            manager.root = following
            if self.meant and sender is not None:
                self._add(manager, sender)
        elif node in self.managers:
            self._add(self.managers[node], sender)
        else:
            manager = self.managers[node] = Manager()
            if sender is None:
                manager.root = following
            else:
                self._add(manager, sender)
                manager.root = self.hops[node] if self.meant else None
            self.route_request(node, SUB)

    def _publication_routed(self, node: str, owner: bool, sender: str | None) -> None:
        if node in self.managers and (self.meant or not owner):
            self._spread(node, sender)
        elif owner and node in self.managers:
            self.managers[node].root = node
        elif not owner and sender is not None:
            self.route_request(node, PUB)

    def _add(self, manager: Manager, child: str | None) -> None:
        if child not in manager.children and not (self.meant and child is None):
            manager.children.append(child)

    def _spread(self, node: str, sender: str | None) -> None:
        """To the root, and once more to the root; as meant, to the children instead. Deliver to a subscriber."""
        manager = self.managers[node]
        targets = {manager.root, *(manager.children if self.meant else [])} - {sender, None, node}
        for target in sorted(name for name in targets if name is not None):
            self._in_flight.append((target, node, PUB, False))
        if manager.subscribed:
            self.delivered.append(node)
