"""A whole ring: nodes at the places 0, 1, 2, ..., which of them live, and the list of each, dead or alive."""

from collections.abc import Sequence
from itertools import pairwise

import msgspec
import z3

from gomboc.checker.evidence.chord.encodings.circle import between
from gomboc.checker.prove.lemma import Model, Term, Values


class Ring(msgspec.Struct, frozen=True):
    """The live nodes, and the lists: r entries for each node; only the first `length` count."""

    live: Sequence[Term]
    lists: Sequence[Sequence[Term]]
    length: Sequence[Term]

    def nodes(self) -> range:
        """The places of all nodes."""
        return range(len(self.live))

    def counts(self, node: int, index: int) -> Term:
        """Whether a list has an entry at that place."""
        return self.length[node] > index


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
        [z3.BoolVal(value) for value in live],
        [[z3.IntVal(value) for value in listed] for listed in filled],
        [z3.IntVal(len(listed)) for listed in lists],
    )


def read(model: Model, ring: Ring) -> Values:
    """The live nodes and the lists in an assignment."""
    lengths = [model.eval(term, model_completion=True).as_long() for term in ring.length]
    lists = [[model.eval(term, model_completion=True).as_long() for term in listed] for listed in ring.lists]
    return {
        "live": [z3.is_true(model.eval(term, model_completion=True)) for term in ring.live],
        "lists": [listed[:length] for listed, length in zip(lists, lengths, strict=True)],
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


def alive(ring: Ring, position: Term) -> Term:
    """Whether the node at a place lives."""
    return z3.Or([z3.And(position == node, ring.live[node]) for node in ring.nodes()])


def has_live_entry(ring: Ring, node: int) -> Term:
    """Whether a list names a live node."""
    return z3.Or([z3.And(ring.counts(node, index), alive(ring, entry)) for index, entry in enumerate(ring.lists[node])])


def is_principal(ring: Ring, member: int) -> Term:
    """Whether a member lives and no list of a member skips it.

    Source: Zave 2017, principal
    """
    skipped = [
        z3.And(ring.live[node], ring.counts(node, index), between(low, z3.IntVal(member), high))
        for node in ring.nodes()
        for index, (low, high) in enumerate(pairwise((z3.IntVal(node), *ring.lists[node])))
    ]
    return z3.And(ring.live[member], z3.Not(z3.Or(skipped)))


def principals(ring: Ring) -> Term:
    """How many principals there are."""
    return z3.Sum([z3.If(is_principal(ring, member), 1, 0) for member in ring.nodes()])


def best(ring: Ring, node: int) -> Term:
    """The first live entry of a list; the number of nodes if there is none."""
    term: Term = z3.IntVal(len(ring.live))
    for index, entry in reversed(list(enumerate(ring.lists[node]))):
        term = z3.If(z3.And(ring.counts(node, index), alive(ring, entry)), entry, term)
    return term


class Ways(msgspec.Struct, frozen=True):
    """Where best successors lead: `after[k][node]` after k + 1 of them; and the nodes in a ring."""

    after: Sequence[Sequence[Term]]
    in_ring: Sequence[Term]


def ways(ring: Ring) -> Ways:
    """Where best successors lead from each member; without a live entry, to the number of nodes for ever."""
    nodes = ring.nodes()
    direct = [best(ring, node) for node in nodes]
    after = [direct]
    for _ in nodes[1:]:
        after.append([_follow(direct, at) for at in after[-1]])
    in_ring = [z3.And(ring.live[node], z3.Or([reached[node] == node for reached in after])) for node in nodes]
    return Ways(after, in_ring)


def _follow(direct: Sequence[Term], at: Term) -> Term:
    term: Term = z3.IntVal(len(direct))
    for node, following in enumerate(direct):
        term = z3.If(at == node, following, term)
    return term


def ordered_lists(ring: Ring, paths: Ways) -> Term:
    """Every list of a member goes around once at most."""
    del paths
    parts = []
    for node, listed in enumerate(ring.lists):
        for index in range(1, len(listed)):
            nearer = between(z3.IntVal(node), listed[index - 1], listed[index])
            parts.append(z3.Implies(z3.And(ring.live[node], ring.counts(node, index)), nearer))
    return z3.And(parts)


def principals_in_ring(ring: Ring, paths: Ways) -> Term:
    """Every principal is in a ring."""
    return z3.And([z3.Implies(is_principal(ring, member), paths.in_ring[member]) for member in ring.nodes()])


def at_least_one_ring(ring: Ring, paths: Ways) -> Term:
    """At least one node is in a ring."""
    del ring
    return z3.Or(list(paths.in_ring))


def at_most_one_ring(ring: Ring, paths: Ways) -> Term:
    """A node in a ring reaches every other node that is in one."""
    return z3.And(
        [
            z3.Implies(
                z3.And(paths.in_ring[node], paths.in_ring[other]),
                z3.Or([reached[node] == other for reached in paths.after]),
            )
            for node in ring.nodes()
            for other in ring.nodes()
            if node != other
        ]
    )


def ordered_ring(ring: Ring, paths: Ways) -> Term:
    """No node in a ring lies between another node of the same ring and its best successor."""
    return z3.And(
        [
            z3.Implies(
                z3.And(paths.in_ring[node], z3.Or([reached[node] == other for reached in paths.after])),
                z3.Not(between(z3.IntVal(node), z3.IntVal(other), paths.after[0][node])),
            )
            for node in ring.nodes()
            for other in ring.nodes()
            if node != other
        ]
    )


def connected_appendages(ring: Ring, paths: Ways) -> Term:
    """Every member reaches one that is in a ring."""
    return z3.And(
        [
            z3.Implies(
                ring.live[node],
                z3.Or(
                    paths.in_ring[node],
                    *(
                        z3.And(reached[node] == other, paths.in_ring[other])
                        for reached in paths.after
                        for other in ring.nodes()
                    ),
                ),
            )
            for node in ring.nodes()
        ]
    )


CONSEQUENCES = (
    ordered_lists,
    principals_in_ring,
    at_least_one_ring,
    at_most_one_ring,
    ordered_ring,
    connected_appendages,
)
