"""The legitimate states: one conjunct after another, against the tree of the network."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from gomboc.spec import Fault
from spanning_tree.spec.state import ROOT, Node, Write

SOURCE = "Dolev 2000, Section 2.5"


class Tree(Struct, frozen=True):
    """The distance of each node that the root reaches, and its parent, by name; ascending."""

    nodes: tuple[tuple[str, int, str | None], ...]

    def distances(self) -> dict[str, int]:
        """The distance of each node."""
        return {name: distance for name, distance, _ in self.nodes}

    def place(self, me: str) -> tuple[int, str | None] | None:
        """The distance and the parent of a node; None if the root does not reach it."""
        return next(((distance, parent) for name, distance, parent in self.nodes if name == me), None)


def neighbours(value: Any) -> tuple[str, ...] | None:
    """The neighbours of a node; None for a message."""
    return tuple(register.neighbour for register in value.registers) if isinstance(value, Node) else None


def anchor(links: Mapping[str, tuple[str, ...]]) -> Tree:
    """The first breadth-first tree of a network, from the neighbours of each node."""
    distances, layer = {ROOT: 0}, {ROOT}
    while layer:
        layer = {name for node in layer for name in links.get(node, ())} - distances.keys()
        distances |= dict.fromkeys(layer, max(distances.values()) + 1)
    return Tree(tuple((name, distances[name], _parent(name, links, distances)) for name in sorted(distances)))


def _parent(name: str, links: Mapping[str, tuple[str, ...]], distances: Mapping[str, int]) -> str | None:
    nearer = (other for other in links.get(name, ()) if distances.get(other) == distances[name] - 1)
    return next(nearer, None)


def node_faults(tree: Tree, me: str, local: Node) -> tuple[Fault, ...]:
    """`is_in_its_place`: distance and parent are those of the tree. `reads_right`: so are the registers."""
    distances, place = tree.distances(), (local.distance, local.parent)
    faults = [] if place == tree.place(me) else [Fault("is_in_its_place", me, tree.place(me), place, SOURCE)]
    for register in local.registers:
        right = distances.get(register.neighbour)
        if register.distance != right:
            faults.append(Fault("reads_right", me, right, register.distance, SOURCE))
    return tuple(faults)


def message_faults(tree: Tree, target: str, message: Write) -> tuple[Fault, ...]:
    """`writes_right`: a message in flight has the distance of its sender."""
    right = tree.distances().get(message.sender)
    return () if message.distance == right else (Fault("writes_right", target, right, message.distance, SOURCE),)
