"""The arbitrary start: lines, rings and stars with any distances, any parents, and any messages in flight."""

from itertools import pairwise
from typing import Any

from gomboc.spec import Bag, Domain, OneOf, Record, Size, Start, Union, optional, pair
from spanning_tree.spec.legitimacy import anchor
from spanning_tree.spec.state import ROOT, Node, Register, Write

Links = dict[str, tuple[str, ...]]
"""A network: the neighbours of each node, both in ascending order."""


def names(nodes: int) -> tuple[str, ...]:
    """The names of the nodes: the root, and so many others."""
    return (ROOT, *(f"v{number}" for number in range(1, nodes + 1)))


def roles(nodes: int) -> tuple[tuple[str, str], ...]:
    """The nodes of a system, each with its role."""
    return tuple((name, "root" if name == ROOT else "node") for name in names(nodes))


def network(*pairs: tuple[str, str]) -> Links:
    """The network with these links."""
    ends = sorted({*pairs, *((other, one) for one, other in pairs)})
    return {node: tuple(other for one, other in ends if one == node) for node, _ in ends}


def line(nodes: int) -> Links:
    """The root at one end."""
    return network(*pairwise(names(nodes)))


def ring(nodes: int) -> Links:
    """A line, and a link between its ends."""
    return network(*pairwise(names(nodes)), (names(nodes)[-1], ROOT))


def star(nodes: int) -> Links:
    """The node v1 in the middle."""
    return network(*((name, "v1") for name in names(nodes) if name != "v1"))


def networks(nodes: int) -> tuple[Links, ...]:
    """A line, a ring and a star of so many nodes and the root, each once."""
    every = (line(nodes), ring(nodes), star(nodes))
    return tuple(links for index, links in enumerate(every) if links not in every[:index])


def state(links: Links, name: str, own: Domain, registers: Domain) -> Domain:
    """Any state of a node, with its own distance and those of its registers from these domains."""
    others = links[name]

    def built(distance: int, parent: str | None, *read: int) -> Node:
        return Node(distance, parent, tuple(map(Register, others, read)))

    return Record(built, (own, optional(OneOf(others)), *(registers for _ in others)))


def messages(links: Links, distances: Domain) -> Domain:
    """Any message between any two nodes, as pairs (target, message)."""
    pairs = tuple((target, sender) for target in links for sender in links if target != sender)
    return pair(lambda ends, distance: (ends[0], Write(ends[1], distance)), OneOf(pairs), distances)


def space(size: Size) -> Domain:
    """Every start of these networks."""
    distances = OneOf(tuple(range(size.nodes + 2)))
    return Union(tuple(_starts(links, distances, size) for links in networks(size.nodes)))


def _starts(links: Links, distances: Domain, size: Size) -> Domain:
    def named(*states: Node) -> tuple[tuple[str, Node], ...]:
        return tuple(zip(links, states, strict=True))

    def started(locals_: Any, in_flight: Any) -> Start:
        return Start(roles(size.nodes), locals_, in_flight)

    states = Record(named, tuple(state(links, name, distances, distances) for name in links))
    return pair(started, states, Bag(messages(links, distances), size.messages))


def start(nodes: int) -> Start:
    """A legitimate start: a line."""
    links = line(nodes)
    tree = anchor(links)
    distances = tree.distances()
    locals_ = tuple(
        (name, Node(distance, parent, tuple(Register(other, distances[other]) for other in links[name])))
        for name, distance, parent in tree.nodes
    )
    return Start(roles(nodes), locals_)


def bound(nodes: int) -> int:
    """The number of rounds after which a run that has not become legitimate has diverged: a few for each hop."""
    return 3 * nodes + 4
