"""A right Skip+ of any size, seen at three of its nodes, and at one that lies between two of them.

Every set of nodes is what it has of these. Which nodes take part, which are neighbours, and how many bits they have in
common, is asked of z3; what is so of neighbours in every system are the axioms, each of them a lemma.
"""

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

import msgspec
import z3
from msgspec.structs import replace

from gomboc.checker.prove.closure.cases import World
from gomboc.checker.prove.closure.paths import Path, all_quietly
from gomboc.checker.prove.closure.symbols import Number
from gomboc.checker.prove.closure.values import constant
from gomboc.checker.prove.lemma import Term
from gomboc.spec.protocols.skip_plus import legitimacy, names, ranges, skip_plus_with
from gomboc.spec.protocols.skip_plus.parameters import Parameters
from gomboc.spec.protocols.skip_plus.rules import Rules
from gomboc.spec.protocols.skip_plus.space import ROLE
from gomboc.spec.protocols.skip_plus.state import ABSENT, Node, ascending

ORDERS = ("mot", "omt", "otm", "mobt", "ombt", "obmt", "obtm")
"""Three nodes in the order of ids, `me`, one and another; and the same with a fourth between the two others."""


class Bits:
    """The string of a node: it has a length."""


class Told(msgspec.Struct, frozen=True):
    """The ranges of a node, at any number of levels: those among all nodes, or others."""

    of: str

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def concrete(self, model: Any) -> str:
        """Whose ranges these are."""
        del model
        return self.of


@all_quietly
class Seen:
    """The anchor: the nodes that take part; nodes are called by their order.

    Where two others are neighbours of `me`, and not of one another, with equally many bits in common with `me`, there
    is the fourth one, a neighbour with as many bits; unless no order has it.
    """

    def __init__(self, path: Path, orders: tuple[str, ...]) -> None:
        self.path = path
        order = orders[path.choose(len(orders))]
        self.nodes = tuple(map(str, range(len(order))))
        self.me, one, other = self.three = tuple(self.nodes[order.index(role)] for role in "mot")
        self.length, self.level = z3.Ints("length level")
        path.add(self.length >= 1, self.level >= 0, self.level < self.length)
        for node, near in combinations(self.nodes, 2):
            common = self.common(node, near)
            path.add(common >= 0, common <= self.length)
            path.add(z3.Implies(self.beside(node, near), z3.And(self.live(node), self.live(near))))
        common = self.common(self.me, one)
        near = z3.And(self.beside(self.me, one), self.beside(self.me, other))
        alike = z3.And(common < self.length, self.common(self.me, other) == common)
        apart = z3.And(near, alike, z3.Not(self.beside(one, other)))
        self.fourth = self.nodes[order.index("b")] if "b" in order else None
        self.speaks = self.me
        if any("b" in one for one in orders):
            path.require(apart if self.fourth else z3.Not(apart))
        if self.fourth:
            path.add(self.common(self.me, self.fourth) == common, self.beside(self.me, self.fourth))

    def live(self, node: str) -> Term:
        """Whether a node takes part."""
        return z3.Bool(f"live_{node}")

    def beside(self, one: str, other: str) -> Term:
        """Whether two nodes are neighbours, which is symmetric."""
        return z3.Bool(f"beside_{min(one, other)}_{max(one, other)}")

    def common(self, one: str, other: str) -> Term:
        """How many bits two nodes have in common."""
        return z3.Int(f"common_{min(one, other)}_{max(one, other)}")

    def __contains__(self, node: str) -> bool:
        return self.path.decide(self.live(node))

    def __iter__(self) -> Iterator[str]:
        return (node for node in self.nodes if node in self)

    def ranges(self, me: str, nodes: Any) -> Told:
        """Stands for `ranges.ranges`: among the neighbours of a node they are the same as among all nodes."""
        around = (node for node in self.nodes if node != me and self.path.decide(self.beside(me, node)))
        return Told(me if nodes is self or nodes == tuple(around) else "")

    def meets(self, me: str, bounds: Told, node: str) -> bool:
        """Stands for `ranges.meets`: the neighbours of a node are those that meet its own ranges."""
        return self.path.decide(self.beside(me, node) if bounds.of == me else z3.Bool(f"meets_{me}_{bounds.of}_{node}"))

    def prefix_length(self, one: str, other: str) -> Number:
        """Stands for `names.prefix_length`."""
        return Number(self.path, self.common(one, other))

    def size(self, value: Any) -> Any:
        """Stands for `len`: strings and ranges are equally long."""
        return Number(self.path, self.length) if isinstance(value, Bits | Told) else len(value)

    def levels(self, *ends: Any) -> Any:
        """Stands for `range`: any one level."""
        return (Number(self.path, self.level),) if isinstance(ends[-1], Number) else range(*ends)

    def pairs(self, members: list[str]) -> Iterator[tuple[str, str]]:
        """Stands for `pairwise`. A pair with the fourth node is looked at where that is one of the three."""
        return (pair for pair in pairwise(members) if self.fourth not in pair)

    def node(self, name: str) -> str:
        """Any of the three nodes."""
        return self.me if name == "me" else self.three[self.path.choose(3)]

    def sender(self, name: str) -> str:
        """Any of the three nodes, which sends a message."""
        self.speaks = self.node(name)
        return self.speaks

    def told(self, name: str) -> Told:
        """The ranges of the sender, or others."""
        del name
        return Told(("", self.speaks)[self.path.choose(2)])

    def some(self, name: str) -> tuple[str, ...]:
        """Any of the three nodes, or none."""
        del name
        return ((), *((node,) for node in self.three))[self.path.choose(4)]

    def state(self, me: str) -> Node:
        """The right state of a node, which may have itself as a neighbour; or one that lacks a conjunct."""
        anchor: Any = self
        if me not in self:
            return ABSENT
        right = legitimacy.right_state(anchor, me)
        others = tuple(node for node in self.nodes if node != me)
        states = (
            right,
            replace(right, neighbours=ascending((*right.neighbours, me))),
            replace(right, neighbours=()),
            replace(right, neighbours=others),
            replace(right, stable=others),
            replace(right, told=()),
            replace(right, gone=others[:1]),
        )
        different = tuple(dict.fromkeys(states))
        return different[self.path.choose(len(different))]


def seen(path: Path, own: Rules | None = None, orders: tuple[str, ...] = ORDERS) -> World:
    """A right Skip+ of any size with those rules, or ours, with the nodes in one of those orders."""
    anchor = Seen(path, orders)
    changed = replace(own or Rules(), ranges=anchor.ranges, neighbours=ranges.neighbours)
    return World(
        skip_plus_with(changed, Parameters()),
        anchor,
        lambda me, live: (me in anchor) == live,
        anchor.node,
        {
            "name": anchor.node,
            "Update.sender": anchor.sender,
            "Update.ranges": anchor.told,
            "Update.inserts": anchor.some,
            "Gone.inserts": anchor.some,
        },
        stand_ins={
            len: anchor.size,
            range: anchor.levels,
            names.string_of: constant(Bits()),
            names.is_name: constant(True),
            names.prefix_length: anchor.prefix_length,
            ranges.ranges: anchor.ranges,
            ranges.meets: anchor.meets,
            pairwise: anchor.pairs,
        },
        states={ROLE: anchor.state},
    )
