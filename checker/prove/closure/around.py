"""Nodes in a cyclic order, as many as there are: those that belong, and the next and the last one around from each."""

from collections.abc import Callable
from typing import Any

import z3

from gomboc.checker.prove.closure.paths import Path, all_quietly
from gomboc.checker.prove.lemma import Term


@all_quietly
class Around:
    """Nodes that belong, and others, each at a place; those that belong stand in the order of their places.

    Axioms are added for the nodes that occur: the next one belongs, and none that belongs lies in between.
    """

    def __init__(self, path: Path, place: Callable[[Term], Term] | None = None) -> None:
        self.path, self._place = path, place
        self.belongs = z3.Function("belongs", z3.IntSort(), z3.BoolSort())
        self.any = z3.Bool("any")
        self._after = z3.Function("after", z3.IntSort(), z3.IntSort())
        self._before = z3.Function("before", z3.IntSort(), z3.IntSort())
        self._owner = z3.Function("owner", z3.IntSort(), z3.IntSort())
        self._nodes: dict[int, Term] = {}
        self._gaps: dict[tuple[int, int], tuple[Term, Term, Term]] = {}
        self._owned: dict[int, tuple[Term, Term]] = {}

    def knows(self, node: Term) -> None:
        """Add what is so of each node that occurs; once for each."""
        if node.get_id() in self._nodes:
            return
        if self.path.is_new:
            self.path.add(z3.Implies(self.belongs(node), self.any))
            if self._place is not None:
                self.path.add(
                    *[z3.Implies(self.place(one) == self.place(node), one == node) for one in self._nodes.values()]
                )
            self.path.add(*[self._empty(*gap, node) for gap in self._gaps.values()])
            self.path.add(*[self._nearest(*owned, node) for owned in self._owned.values()])
        self._nodes[node.get_id()] = node

    def members(self, model: Any) -> tuple[int, ...]:
        """The nodes that belong in an assignment, of those that occur."""
        found = {
            model.eval(node, model_completion=True).as_long()
            for node in self._nodes.values()
            if z3.is_true(model.eval(self.belongs(node), model_completion=True))
        }
        return tuple(sorted(found))

    def others(self, model: Any) -> tuple[int, ...]:
        """The nodes that occur, and do not belong."""
        every = {model.eval(node, model_completion=True).as_long() for node in self._nodes.values()}
        return tuple(sorted(every - set(self.members(model))))

    def known(self) -> tuple[Term, ...]:
        """The nodes that occur."""
        return tuple(self._nodes.values())

    def place(self, node: Term) -> Term:
        """The place of a node: by default it is the node itself."""
        return node if self._place is None else self._place(node)

    def next(self, node: Term) -> Term:
        """The next one around; the node itself if it is alone. Meant for one that belongs."""
        return self._beside(node, self._after, self._before, lambda other: (node, other))

    def last(self, node: Term) -> Term:
        """The one before."""
        return self._beside(node, self._before, self._after, lambda other: (other, node))

    def owner(self, position: Term) -> Term:
        """The one at a position, or else the next one around, if any node belongs."""
        owner = self._owner(position)
        if position.get_id() not in self._owned:
            self.knows(owner)
            self._owned[position.get_id()] = position, owner
            if self.path.is_new:
                self.path.add(z3.Implies(self.any, self.belongs(owner)))
                self.path.add(*[self._nearest(position, owner, node) for node in self._nodes.values()])
        return owner

    def _beside(self, node: Term, way: Any, back: Any, gap: Callable[[Term], tuple[Term, Term]]) -> Term:
        self.knows(node)
        other = way(node)
        low, high = gap(other)
        if (low.get_id(), high.get_id()) not in self._gaps:
            self.knows(other)
            belongs = self.belongs(node)
            self._gaps[low.get_id(), high.get_id()] = low, high, belongs
            if self.path.is_new:
                self.path.add(z3.Implies(belongs, z3.And(self.belongs(other), back(other) == node)))
                self.path.add(*[self._empty(low, high, belongs, one) for one in self._nodes.values()])
        return other

    def _empty(self, low: Term, high: Term, belongs: Term, node: Term) -> Term:
        lies = between(self.place(low), self.place(node), self.place(high))
        return z3.Implies(z3.And(belongs, self.belongs(node)), z3.Not(lies))

    def _nearest(self, position: Term, owner: Term, node: Term) -> Term:
        """No node that belongs lies at the position, or after it and before its owner."""
        place, end = self.place(node), self.place(owner)
        lies = z3.Or(place == position, between(position, place, end))
        away = z3.And(self.any, self.belongs(node), end != position, node != owner)
        return z3.Implies(away, z3.Not(lies))


def between(low: Term, place: Term, high: Term) -> Term:
    """Whether a place lies strictly between two others, clockwise; from one once around to itself, all others do."""
    return z3.If(low < high, z3.And(low < place, place < high), z3.Or(place > low, place < high))
