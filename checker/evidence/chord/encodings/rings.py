"""A whole ring: nodes at the places 0, 1, 2, ..., which of them live, and the list of each, dead or alive."""

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise, permutations

import msgspec
import z3

from gomboc.checker.evidence.chord.encodings.circle import between
from gomboc.checker.prove.evaluate import value
from gomboc.checker.prove.lemma import Model, Term, Values


class Ring(msgspec.Struct, frozen=True, dict=True):
    """The live nodes, and the lists: r entries for each node; only the first `length` count."""

    live: Sequence[Term]
    lists: Sequence[Sequence[Term]]
    length: Sequence[Term]

    @property
    def nodes(self) -> range:
        """The places of all nodes."""
        return range(len(self.live))

    def counts(self, node: int, index: int) -> Term:
        """Whether a list has an entry at that place."""
        return self.length[node] > index

    def alive(self, position: Term) -> Term:
        """Whether the node at a place lives."""
        return z3.Or([z3.And(position == node, self.live[node]) for node in self.nodes])

    def has_live_entry(self, node: int) -> Term:
        """Whether a list names a live node."""
        listed = enumerate(self.lists[node])
        return z3.Or([z3.And(self.counts(node, index), self.alive(entry)) for index, entry in listed])

    def is_principal(self, member: int) -> Term:
        """Whether a member lives and no list of a member skips it.

        Source: Zave 2017, principal
        """
        skipped = [
            z3.And(self.live[node], self.counts(node, index), between(low, z3.IntVal(member), high))
            for node in self.nodes
            for index, (low, high) in enumerate(pairwise((z3.IntVal(node), *self.lists[node])))
        ]
        return z3.And(self.live[member], z3.Not(z3.Or(skipped)))

    def best(self, node: int) -> Term:
        """The first live entry of a list; the number of nodes if there is none."""
        term: Term = z3.IntVal(len(self.live))
        for index, entry in reversed(list(enumerate(self.lists[node]))):
            term = z3.If(z3.And(self.counts(node, index), self.alive(entry)), entry, term)
        return term

    @cached_property
    def after(self) -> Sequence[Sequence[Term]]:
        """Where k + 1 best successors lead from each node; without a live entry, to the number of nodes for ever."""
        direct = [self.best(node) for node in self.nodes]
        after = [direct]
        for _ in self.nodes[1:]:
            after.append([_at(direct, reached) for reached in after[-1]])
        return after

    @cached_property
    def in_ring(self) -> Sequence[Term]:
        """Whether best successors lead from each member back to it."""
        return [z3.And(self.live[node], self.reaches(node, node)) for node in self.nodes]

    def reaches(self, node: int, other: int) -> Term:
        """Whether best successors lead from a node to another."""
        return z3.Or([reached[node] == other for reached in self.after])


def _at(terms: Sequence[Term], index: Term) -> Term:
    """The term at that index; the number of terms if the index is that or more."""
    term: Term = z3.IntVal(len(terms))
    for position, following in enumerate(terms):
        term = z3.If(index == position, following, term)
    return term


def variables(nodes: int, r: int) -> Ring:
    """A ring that ranges over everything."""
    return Ring(
        [z3.Bool(f"live_{node}") for node in range(nodes)],
        [[z3.Int(f"entry_{node}_{index}") for index in range(r)] for node in range(nodes)],
        [z3.Int(f"length_{node}") for node in range(nodes)],
    )


def constants(live: Sequence[bool], lists: Sequence[Sequence[int]], r: int) -> Ring:
    """A ring that is known."""
    filled = [[*listed, *([0] * r)][:r] for listed in lists]
    return Ring(
        [z3.BoolVal(lives) for lives in live],
        [[z3.IntVal(entry) for entry in listed] for listed in filled],
        [z3.IntVal(len(listed)) for listed in lists],
    )


def read(model: Model, *, ring: Ring, name: str) -> Values:
    """The live nodes and the lists in an assignment, and the name of a conjunct."""
    lists = [[value(model, entry) for entry in listed] for listed in ring.lists]
    return {
        "live": [value(model, lives) for lives in ring.live],
        "lists": [listed[: value(model, length)] for listed, length in zip(lists, ring.length, strict=True)],
        "name": name,
    }


def well_formed(ring: Ring) -> Term:
    """Each list has one entry or more, names no node twice, and not its own node."""
    nodes = len(ring.live)
    parts: list[Term] = []
    for node, listed in enumerate(ring.lists):
        parts += [ring.length[node] >= 1, ring.length[node] <= len(listed)]
        parts += [z3.And(entry >= 0, entry < nodes, entry != node) for entry in listed]
        parts += [one != two for at, one in enumerate(listed) for two in listed[at + 1 :]]
    return z3.And(parts)


def principals(ring: Ring) -> Term:
    """How many principals there are."""
    return z3.Sum([z3.If(ring.is_principal(member), 1, 0) for member in ring.nodes])


def ordered_lists(ring: Ring) -> Term:
    """Every list of a member goes around once at most."""
    parts = []
    for node, listed in enumerate(ring.lists):
        for index, (low, high) in enumerate(pairwise(listed), 1):
            counts = z3.And(ring.live[node], ring.counts(node, index))
            parts.append(z3.Implies(counts, between(z3.IntVal(node), low, high)))
    return z3.And(parts)


def principals_in_ring(ring: Ring) -> Term:
    """Every principal is in a ring."""
    return z3.And([z3.Implies(ring.is_principal(member), ring.in_ring[member]) for member in ring.nodes])


def at_least_one_ring(ring: Ring) -> Term:
    """At least one node is in a ring."""
    return z3.Or(list(ring.in_ring))


def at_most_one_ring(ring: Ring) -> Term:
    """A node in a ring reaches every other node that is in one."""
    return z3.And(
        [
            z3.Implies(z3.And(ring.in_ring[node], ring.in_ring[other]), ring.reaches(node, other))
            for node, other in permutations(ring.nodes, 2)
        ]
    )


def ordered_ring(ring: Ring) -> Term:
    """No node in a ring lies between another node of the same ring and its best successor."""
    return z3.And(
        [
            z3.Implies(
                z3.And(ring.in_ring[node], ring.reaches(node, other)),
                z3.Not(between(z3.IntVal(node), z3.IntVal(other), ring.after[0][node])),
            )
            for node, other in permutations(ring.nodes, 2)
        ]
    )


def connected_appendages(ring: Ring) -> Term:
    """Every member reaches one that is in a ring."""

    def leads(node: int) -> Term:
        on_way = [z3.And(reached[node] == other, ring.in_ring[other]) for reached in ring.after for other in ring.nodes]
        return z3.Implies(ring.live[node], z3.Or(ring.in_ring[node], *on_way))

    return z3.And([leads(node) for node in ring.nodes])


CONSEQUENCES: tuple[Callable[[Ring], Term], ...] = (
    ordered_lists,
    principals_in_ring,
    at_least_one_ring,
    at_most_one_ring,
    ordered_ring,
    connected_appendages,
)
NAMES = tuple(conjunct.__name__ for conjunct in CONSEQUENCES)
"""The names of the consequences, which are also those of the specification's conjuncts."""
