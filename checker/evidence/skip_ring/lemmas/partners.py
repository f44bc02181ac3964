"""The nodes that a node introduces to each other, and whether every shortcut comes about by it.

A pair of neighbours in some K_i that are not ring neighbours on that side has a node midway. It is the one to
introduce them; only the pair 0 and 1 has two such nodes.
"""

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

import z3

from gomboc.checker.evidence.skip_ring.encodings import circle
from gomboc.checker.evidence.skip_ring.encodings.rings import any_size, levels, right_node, undirected_edges
from gomboc.checker.evidence.skip_ring.experiments.ring import members
from gomboc.checker.prove.evaluate import truth
from gomboc.checker.prove.lemma import Model, Obligation, Replayed, Sample, Term, Values
from gomboc.checker.prove.wording import Attempt, Proof
from gomboc.spec.protocols.skip_ring.errata import printed_partners
from gomboc.spec.protocols.skip_ring.labels import CIRCLE, index_of, label_at
from gomboc.spec.protocols.skip_ring.state import Claim, Subscriber
from gomboc.spec.protocols.skip_ring.subscriber import Side, partner, partners, sides

AT, STEP, LAST, OTHER = map(circle.place, ("at", "step", "last", "other"))
MOST = 16
"""Rings up to this size are searched for a shortcut that no node introduces."""

Introduces = Callable[[Term, Term], Term]
"""Whether the node at a place introduces its partners, in the ring with that youngest label."""

Partners = Callable[[Subscriber, Side, Side], tuple[Claim | None, Claim | None]]


def has_chain(at: Term, last: Term, upwards: bool) -> Term:
    """Whether a node has shortcuts on that side: its ring neighbour there is not yet the one in its own K_i."""
    near = circle.is_member(circle.beyond(at, circle.grain(last), upwards), last)
    return z3.ULT(z3.If(near, circle.grain(last), 2 * circle.grain(last)), circle.grain(at))


def as_printed(at: Term, last: Term) -> Term:
    """Two shortcuts on one's own level; the ring neighbours only if one's label is as long as the longest.

    Source: Section 3.2.2, "Note that for |v.label| = ceil(log n)"
    """
    return z3.Or(z3.And(has_chain(at, last, False), has_chain(at, last, True)), circle.grain(at) == circle.grain(last))


def as_seen_locally(at: Term, last: Term) -> Term:
    """The same, where a node takes its label for the longest if neither ring neighbour has a longer one."""
    return has_chain(at, last, False) == has_chain(at, last, True)


def always(_at: Term, _last: Term) -> Term:
    """Each node introduces its partners."""
    return z3.BoolVal(True)


def is_served(at: Term, step: Term, last: Term, introduces: Introduces) -> Term:
    """Whether some node introduces the one at a place to the one a step above it."""
    after, before = at + z3.LShR(step, 1), at - z3.LShR(step, 1)
    other_way = z3.And(step == circle.HALF, circle.is_member(before, last), introduces(before, last))
    return z3.Or(z3.And(circle.is_member(after, last), introduces(after, last)), other_way)


def _is_shortcut(last: Term) -> tuple[Term, ...]:
    apart = circle.is_step(STEP), STEP != 1, z3.UGT(STEP, circle.grain(last)), circle.is_multiple(AT, STEP)
    return *apart, circle.is_member(AT + z3.LShR(STEP, 1), last)


def _up_to_most(introduces: Introduces) -> Iterator[Obligation]:
    for nodes in range(3, MOST + 1):

        def read(model: Model, nodes: int = nodes) -> Values:
            return {"nodes": nodes, "one": circle.label(model, AT), "other": circle.label(model, AT + STEP)}

        last = circle.last_of(nodes)
        yield Obligation(f"n = {nodes}", is_served(AT, STEP, last, introduces), _is_shortcut(last), read)


def _ours() -> Iterator[Obligation]:
    for upwards in (False, True):
        step = circle.gap(AT, OTHER, upwards)
        reaches = z3.And(circle.is_step(step), z3.ULE(step, circle.grain(AT)))
        given = *circle.two_members(AT, OTHER, LAST), *circle.nearest(AT, OTHER, LAST, upwards)
        yield Obligation(f"a partner {circle.side(upwards)} is there", reaches, given)
    midway = circle.grain(AT + z3.LShR(STEP, 1)) == z3.LShR(STEP, 1)
    claim = z3.And(is_served(AT, STEP, LAST, always), midway)
    yield Obligation("the node midway introduces its partners", claim, (LAST != 0, *_is_shortcut(LAST)))


def strictly(nodes: int) -> Partners:
    """The partners as printed, by a node that knows the length of the longest label."""

    def chosen(u: Subscriber, before: Side, after: Side) -> tuple[Claim | None, Claim | None]:
        longest = len(u.label or "") == levels(nodes)[-1]
        return partners(u, before, after) if longest or (before.chain and after.chain) else (None, None)

    return chosen


def introduced(nodes: int, chosen: Partners) -> set[frozenset[str]]:
    """The pairs of labels that the nodes of a right ring introduce to each other."""
    pairs = (chosen(u, *sides(u)) for u in members(nodes).values())
    return {frozenset((one.label, other.label)) for one, other in pairs if one and other and one != other}


def _replay_partners(strict: bool, values: Values) -> Replayed:
    nodes, pair = values["nodes"], frozenset((values["one"], values["other"]))
    chosen = strictly(nodes) if strict else printed_partners
    return Replayed("introduced", "introduced" if pair in introduced(nodes, chosen) else "never introduced")


def _introduced_midway(nodes: int, at: int, step: int, chosen: Partners) -> bool:
    """Whether one of the nodes midway introduces the labels at `at` and `at + step` to each other."""
    around = [label_at(at + step // 2), *([label_at(at - step // 2)] if 2 * step == CIRCLE else [])]
    midway = [right_node(nodes, middle) for middle in around if index_of(middle) < nodes]
    pairs = [chosen(u, *sides(u)) for u in midway]
    return {label_at(at), label_at(at + step)} in [{claim.label for claim in pair if claim} for pair in pairs]


def _partners_agree(random: Random) -> Sample:
    nodes = any_size(random, 3)
    level = random.choice(levels(nodes)[:-1])
    step = CIRCLE >> level
    one = random.randrange(1 << level) * step
    rules = as_printed, as_seen_locally, always
    encoded = tuple(
        truth(is_served(circle.constant(one), circle.constant(step), circle.last_of(nodes), rule)) for rule in rules
    )
    ways = strictly(nodes), printed_partners, partners
    specified = tuple(_introduced_midway(nodes, one, step, chosen) for chosen in ways)
    pair = frozenset((label_at(one), label_at(one + step)))
    by_any_node = tuple(pair in introduced(nodes, chosen) for chosen in ways) if nodes <= MOST else specified
    few = random.randint(3, MOST)
    strays = introduced(few, partners) - {frozenset(edge) for edge in undirected_edges(few)}
    return Sample((nodes, *sorted(pair), few), (encoded, encoded, set()), (specified, by_any_node, strays))


PROOFS = {
    "printed_partners_reach_every_shortcut": Proof(
        (
            Attempt(partial(_up_to_most, as_printed), partial(_replay_partners, True)),
            Attempt(partial(_up_to_most, as_seen_locally), partial(_replay_partners, False)),
            Attempt(_ours),
        ),
        _partners_agree,
        (sides, partner, partners),
        {"most": MOST},
    )
}
