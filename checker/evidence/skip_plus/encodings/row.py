"""A system of any number of nodes with strings of any length: the order of their ids, and their common bits.

What is so of strings, and of the nearest node of a kind, is said of the nodes and levels that occur.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import msgspec
import z3

from gomboc.checker.prove.evaluate import value
from gomboc.checker.prove.lemma import Model, Term
from gomboc.spec.protocols.skip_plus.names import SEPARATOR
from gomboc.spec.protocols.skip_plus.space import Names

INT, BOOL = z3.IntSort(), z3.BoolSort()
COMMON = z3.Function("common", INT, INT, INT)
BIT = z3.Function("bit", INT, INT, BOOL)


class Among(msgspec.Struct, frozen=True):
    """A set of nodes, by its name."""

    name: str

    def has(self, node: Term) -> Term:
        """Whether a node belongs to it."""
        return z3.Function(self.name, INT, BOOL)(node)


LIVE, KNOWN = Among("live"), Among("known")
"""The nodes that take part, and those of them that one node knows."""


def everywhere(node: Term) -> Term:
    """That a node lies in a range without an end."""
    del node
    return z3.BoolVal(True)


class Row:
    """The nodes that occur, each at a place in the order of ids, and which node of a set is the nearest of its kind."""

    def __init__(self) -> None:
        self.length = z3.Int("length")
        self.nodes: list[Term] = []
        self.levels: list[Term] = []
        self._live: list[Term] = []
        self._rules: list[Callable[[Term], Term]] = []

    def live(self, *names: str) -> list[Term]:
        """Different nodes that take part."""
        nodes = [z3.Int(name) for name in names]
        self.nodes += nodes
        self._live += nodes
        return nodes

    def lies(self, me: Term, level: Term, node: Term, lacking: Callable[[Term], Term] = everywhere) -> Term:
        """Whether a node lies in the range of `me` at a level; `lacking(node)`: whether it does beyond a missing end.

        Source: Slide 15, range*
        """
        below = [z3.If(there, end <= node, lacking(node)) for there, end in self.ends(me, level, LIVE, False)]
        above = [z3.If(there, node <= end, lacking(node)) for there, end in self.ends(me, level, LIVE, True)]
        return z3.If(node < me, z3.Or(below), z3.Or(above))

    def ends(self, me: Term, level: Term, nodes: Among, upwards: bool) -> tuple[tuple[Term, Term], ...]:
        """For each bit, whether a node on that side has it next, and the nearest one.

        Source: Slide 15, pred* and succ*
        """
        return tuple(self.nearest(me, level, bit, nodes, upwards) for bit in (False, True))

    def nearest(self, me: Term, level: Term, bit: bool, nodes: Among, upwards: bool) -> tuple[Term, Term]:
        """Whether a node on one side shares the bits below the level and has that one next, and the nearest such."""
        kind = f"{nodes.name}_{'after' if upwards else 'before'}_{int(bit)}"
        there = z3.Function(f"is_{kind}", INT, INT, BOOL)(me, level)
        nearest_node = z3.Function(kind, INT, INT, INT)(me, level)
        if all(not nearest_node.eq(node) for node in self.nodes):
            self.nodes.append(nearest_node)
            if all(not level.eq(other) for other in self.levels):
                self.levels.append(level)

            def is_one(node: Term) -> Term:
                way = node > me if upwards else node < me
                return z3.And(nodes.has(node), way, COMMON(me, node) >= level, BIT(node, level) == bit)

            def rule(node: Term) -> Term:
                is_nearest = nearest_node <= node if upwards else node <= nearest_node
                return z3.And(
                    z3.Implies(is_one(node), z3.And(there, is_nearest)), z3.Implies(there, is_one(nearest_node))
                )

            self._rules.append(rule)
        return there, nearest_node

    def axioms(self) -> tuple[Term, ...]:
        """What is so of the nodes and levels that occur; to be asked last."""
        return (
            self.length >= 1,
            *map(LIVE.has, self._live),
            *[rule(node) for rule in self._rules for node in self.nodes],
            *[COMMON(node, node) == self.length for node in self.nodes],
            *[axiom for one, other in combinations(self.nodes, 2) for axiom in self._strings(one, other)],
            *[nested(*three) for three in combinations(self.nodes, 3)],
        )

    def _strings(self, one: Term, other: Term) -> Iterator[Term]:
        """What is so of two strings: equal bits up to the end of the common prefix, and then different ones."""
        common = COMMON(one, other)
        yield z3.And(common == COMMON(other, one), common >= 0, common <= self.length)
        yield z3.Implies(one == other, common == self.length)
        for level in self.levels:
            same = BIT(one, level) == BIT(other, level)
            yield z3.Implies(common > level, same)
            yield z3.Implies(z3.And(common == level, level < self.length), z3.Not(same))

    def names(self, model: Model, nodes: Among = LIVE) -> Names:
        """The nodes of a set in an assignment with strings of one bit, of those that occur."""
        places = [place for place in self.places(model) if value(model, nodes.has(z3.IntVal(place)))]
        return tuple(self.name(model, z3.IntVal(place)) for place in places)

    def name(self, model: Model, node: Term) -> str:
        """The name of a node: its rank, and its first bit."""
        rank = self.places(model).index(value(model, node))
        return f"{rank:02d}{SEPARATOR}{int(value(model, BIT(node, z3.IntVal(0))))}"

    def places(self, model: Model) -> Sequence[int]:
        """The places of the nodes that occur."""
        return sorted({value(model, node) for node in self.nodes})


def nested(*nodes: Term) -> Term:
    """Of the common prefixes of three strings, none is shorter than both others."""
    sides = [COMMON(one, other) for one, other in combinations(nodes, 2)]
    return z3.And([z3.Or(sides[at] >= sides[at - 1], sides[at] >= sides[at - 2]) for at in range(3)])
