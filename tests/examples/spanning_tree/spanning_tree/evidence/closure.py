"""Closure for every network: the tree as the predicates see it, by the distances of a node's neighbours."""

from typing import Any

import z3

from gomboc.checker import Number, Path, Symbol, World
from spanning_tree.spec import PROTOCOL
from spanning_tree.spec.state import ROOT

FAR = z3.Function("far", z3.IntSort(), z3.IntSort())
REACHED = z3.Function("reached", z3.IntSort(), z3.BoolSort())


class Tree:
    """The anchor: the distance of each node that the root reaches, and the parent of the node that takes a step."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.links: tuple[Any, ...] | None = None

    def distances(self) -> "Tree":
        """The distances, as a table that only `get` reads."""
        return self

    def get(self, node: Any) -> Any:
        """The distance of a node, and None if the root does not reach it."""
        if node == ROOT:
            return 0
        if not self.path.decide(REACHED(node.term)):
            return None
        self.path.add(FAR(node.term) >= 1)
        return Number(self.path, FAR(node.term))

    def has(self, me: Any, links: tuple[Any, ...]) -> bool:
        """Whether the network gives the node these neighbours."""
        del me
        if self.links is None:
            self.links = links
        return self.links == links

    def place(self, me: Any) -> tuple[Any, Any] | None:
        """Distance and parent: one further than the first of the nearest neighbours; None if it is not reached."""
        if me == ROOT:
            return 0, None
        mine = self.get(me)
        nearest: Any = None
        least: Any = None
        for node in self.links or ():
            distance = self.get(node)
            if distance is not None and (least is None or distance < least):
                nearest, least = node, distance
        if mine is None or nearest is None:
            return None
        self.path.add(FAR(me.term) == (least.term if isinstance(least, Number) else least) + 1)
        return mine, nearest


def world(path: Path, protocol: Any = PROTOCOL) -> World:
    """A network of any size, in which a node has up to two neighbours."""
    tree = Tree(path)

    def name(said: str) -> Any:
        number = z3.Int(path.fresh(said))
        path.add(number >= 0)
        return Symbol(path, number, "v{}".format) if path.choose(2) else ROOT

    return World(protocol, tree, tree.has, builders={"name": name}, most={"Node.registers": 2})
