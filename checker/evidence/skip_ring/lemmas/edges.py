"""The edges of SR(n) for every n at once: which there are, and how many.

The chain of shortcuts is shown for one node, at `at`, on one side: its neighbour in K_i is 2**-i away from it, for
every i from the length of its label to the last level but one; the ring neighbour is one of the last two such steps
away; and the chain doubles the step.

Edges are counted by pointers: a node, a step, and a side, on which the node is joined to the one that far away.
Downward pointers are upward ones, seen from the other end. One more subscriber brings two more upward pointers, so the
count is by induction on n.
"""

from collections.abc import Iterator
from functools import partial
from random import Random

import z3

from gomboc.checker.evidence.skip_ring.encodings.circle import (
    HALF,
    beyond,
    constant,
    gap,
    grain,
    is_longer,
    is_member,
    is_multiple,
    is_step,
    label,
    last_of,
    nearest,
    next_last,
    place,
    place_of,
    side,
    size,
    two_members,
)
from gomboc.checker.evidence.skip_ring.encodings.rings import (
    any_label,
    any_size,
    directed_edges,
    levels,
    neighbours_in_levels,
    pointers,
    reached,
    undirected_edges,
)
from gomboc.checker.evidence.skip_ring.experiments.ring import members
from gomboc.checker.prove.evaluate import number, truth
from gomboc.checker.prove.lemma import Model, Obligation, Replayed, Sample, Term, Values
from gomboc.checker.prove.wording import Attempt, Proof
from gomboc.spec.protocols.skip_ring.labels import CIRCLE, clockwise, label_at, label_of, position, shortcut_chain
from gomboc.spec.protocols.skip_ring.subscriber import references

AT, NEIGHBOUR, LAST, STEP, OTHER, LONGER = map(place, ("at", "neighbour", "last", "step", "other", "longer"))
FEW = constant(1 << 58)
"""The grain of rings of at most 64, which counterexamples are looked for in."""
FEW_ENOUGH = 70
"""Rings up to this size are written down."""


def _start(upwards: bool, *premises: Term) -> Obligation:
    step = gap(AT, NEIGHBOUR, upwards)
    one_of_two = z3.Or(step == grain(LAST), step == 2 * grain(LAST))
    claim = z3.And(is_step(step), z3.ULE(step, grain(AT)), one_of_two)

    def read(model: Model) -> Values:
        names = {"label": label(model, AT), "neighbour": label(model, NEIGHBOUR)}
        return {"nodes": size(model, LAST), **names, "side": side(upwards)}

    title = f"the ring neighbour {side(upwards)} is one step away"
    return Obligation(title, claim, (*two_members(AT, NEIGHBOUR, LAST), *premises), read)


def _walk(upwards: bool) -> Iterator[Obligation]:
    reached = beyond(AT, STEP, upwards)
    on_the_way = is_step(STEP), z3.ULE(STEP, grain(AT))
    doubled = z3.And(2 * reached - AT == beyond(AT, 2 * STEP, upwards), is_step(2 * STEP), z3.ULE(2 * STEP, grain(AT)))
    goes_on = z3.And(is_longer(reached, AT), doubled)
    yield Obligation("before its end, the chain doubles the step", goes_on, (*on_the_way, grain(AT) != STEP))
    ends = z3.Not(is_longer(reached, AT))
    yield Obligation("the chain ends at the neighbour in one's own K_i", ends, (*on_the_way, grain(AT) == STEP))
    in_level = *on_the_way, LAST != 0, is_member(AT, LAST), z3.UGE(STEP, 2 * grain(LAST)), 2 * grain(LAST) != 0
    apart = z3.Implies(z3.And(is_multiple(OTHER, STEP), OTHER != AT), z3.UGE(gap(AT, OTHER, upwards), STEP))
    neighbour = z3.And(is_member(reached, LAST), is_multiple(AT, STEP), is_multiple(reached, STEP), apart)
    yield Obligation("one step away is the neighbour in K_i", neighbour, in_level)


def _chain() -> Iterator[Obligation]:
    for upwards in (False, True):
        yield _start(upwards, *nearest(AT, NEIGHBOUR, LAST, upwards))
        yield from _walk(upwards)


def _any_neighbour() -> Iterator[Obligation]:
    yield _start(True, z3.UGE(grain(LAST), FEW))


def _replay_chain(values: Values) -> Replayed:
    chain = (values["neighbour"], *shortcut_chain(values["label"], values["neighbour"]))
    return Replayed(neighbours_in_levels(values["nodes"], values["label"], values["side"] == side(True)), chain)


def chain_of(at: Term, neighbour: Term, upwards: bool) -> tuple[str, ...]:
    """The ring neighbour and the points 2, 4, 8, ... times as far, up to 2**-|label|, as the lemma has it."""
    step, reached = gap(at, neighbour, upwards), []
    while truth(z3.And(is_step(step), z3.ULE(step, grain(at)))):
        reached.append(label_at(number(beyond(at, step, upwards))))
        step = z3.simplify(2 * step)
    return tuple(reached)


def _chains_agree(random: Random) -> Sample:
    nodes, upwards = any_size(random), random.random() < 0.5
    name = any_label(random, nodes)
    labels = reached(nodes, name, upwards)
    levels = neighbours_in_levels(nodes, name, upwards) if nodes <= FEW_ENOUGH else labels
    index = random.randrange(min(2 * nodes, CIRCLE))
    encoded = chain_of(place_of(name), place_of(labels[0]), upwards)
    belongs = truth(is_member(place_of(label_of(index)), last_of(nodes)))
    specified = (labels[0], *shortcut_chain(name, labels[0]))
    return Sample((nodes, name, upwards, index), (encoded, levels, belongs), (specified, specified, index < nodes))


N = z3.Int("n")
EDGES = z3.Function("edges", z3.IntSort(), z3.IntSort())
"""How many undirected edges SR(n) has."""


def is_pointer(at: Term, step: Term, last: Term) -> Term:
    """Whether the node at a place is joined to the one a step above it: on a shorter level, or as ring neighbours.

    Source: Definition 2
    """
    finest = grain(last)
    on_ring = z3.And(step == finest, is_member(at, last), is_member(at + step, last))
    return z3.And(is_step(step), is_multiple(at, step), z3.Or(z3.UGT(step, finest), on_ring))


def _definition() -> Iterator[Obligation]:
    last, pointer = LAST != 0, is_pointer(AT, STEP, LAST)
    consecutive = *two_members(AT, OTHER, LAST), *nearest(AT, OTHER, LAST, True)
    yield Obligation("ring neighbours have a pointer", is_pointer(AT, OTHER - AT, LAST), consecutive)
    both = z3.And(is_member(AT, LAST), is_member(AT + STEP, LAST))
    yield Obligation("a pointer joins two members", both, (last, pointer))
    between = z3.ULT(OTHER - AT, STEP), OTHER != AT, is_member(OTHER, LAST)
    on_level = z3.And(z3.UGT(STEP, grain(LAST)), z3.Not(is_multiple(OTHER, STEP)))
    yield Obligation("between them is no member of that level", on_level, (last, pointer, *between))


def _growth() -> Iterator[Obligation]:
    after = next_last(LAST)
    goes_on = LAST != 0, after != 0
    new = z3.And(grain(after) == STEP, z3.Or(after == AT, after == AT + STEP))
    same = is_pointer(AT, STEP, after) == z3.Or(is_pointer(AT, STEP, LAST), new)
    brings, levelled = "the next subscriber brings the pointers to and from it", grain(after) == grain(LAST)
    yield Obligation(f"{brings}, on the level of the one before", same, (*goes_on, levelled))
    yield Obligation(f"{brings}, as the first on its level", same, (*goes_on, z3.Not(levelled)))
    fresh = z3.And(z3.Not(z3.And(new, is_pointer(AT, STEP, LAST))), after != after - grain(after))
    yield Obligation("these two are new", fresh, goes_on)
    across = z3.And(STEP == HALF, z3.Or(AT == 0, AT == HALF))
    yield Obligation("SR(2) has two", is_pointer(AT, STEP, constant(HALF)) == across)
    twice = is_pointer(AT, STEP, LAST), is_pointer(AT + STEP, LONGER, LAST), STEP + LONGER == 0
    yield Obligation("only the two across half the circle are one edge", across, (LAST != 0, *twice))


def _recurrence(nodes: Term) -> tuple[Term, ...]:
    """The sum of `_growth`: SR(1) has no edge, SR(2) one, and each further subscriber brings two."""
    grows = z3.Implies(nodes >= 2, EDGES(nodes + 1) == EDGES(nodes) + 2)
    return EDGES(1) == 0, EDGES(2) == 1, grows


def sized(nodes: int, claim: Term, premises: tuple[Term, ...] = ()) -> Obligation:
    """The obligation of SR(nodes), which is its counterexample."""
    return Obligation(f"n = {nodes}", claim, premises, lambda _model: {"nodes": nodes})


def _count_from(fewest: int) -> Iterator[Obligation]:
    first = z3.IntVal(fewest)
    yield sized(fewest, EDGES(first) == 2 * first - 3, _recurrence(first))
    premises = *_recurrence(N), N >= 2, EDGES(N) == 2 * N - 3
    yield Obligation("from n to n + 1", EDGES(N + 1) == 2 * (N + 1) - 3, premises)


def _pointers() -> Iterator[Obligation]:
    """Upward pointers are 2n - 2 by induction on the result of `_growth`, and there are as many downward ones."""
    upward = z3.Int("upward")
    yield Obligation("n = 2", z3.IntVal(2) == 2 * N - 2, (N == 2,))
    yield Obligation("from n to n + 1", upward + 2 == 2 * (N + 1) - 2, (N >= 2, upward == 2 * N - 2))
    yield Obligation("both sides", 2 * upward == 4 * N - 4, (upward == 2 * N - 2,))


def _edges() -> Iterator[Obligation]:
    for part in (_definition(), _growth(), _count_from(2), _pointers()):
        yield from part


def _sum_of_lemma_3() -> Iterator[Obligation]:
    premises: tuple[Term, ...] = ()
    for nodes in range(2, 17):
        premises += _recurrence(z3.IntVal(nodes - 1))
        yield sized(nodes, 2 * EDGES(nodes) == 4 * nodes - 4, premises)


def _replay_edges(values: Values) -> Replayed:
    nodes = values["nodes"]
    return Replayed(2 * nodes - 3, len(undirected_edges(nodes)))


def _replay_sum(values: Values) -> Replayed:
    nodes = values["nodes"]
    return Replayed(4 * nodes - 4, len(directed_edges(nodes)))


def _stored(nodes: int) -> set[frozenset[str]]:
    """The references in the specification's right ring, as pairs of labels."""
    return {frozenset((u.label or "", claim.label)) for u in members(nodes).values() for claim in references(u)}


def _edges_agree(random: Random) -> Sample:
    nodes, few = any_size(random), random.randint(2, 40)
    name, last = any_label(random, nodes), last_of(nodes)
    step = CIRCLE >> random.randint(1, levels(nodes)[-1])
    encoded = truth(is_pointer(place_of(name), constant(step), last)), number(next_last(last))
    small, first = any_label(random, few), last_of(few)
    widths = [CIRCLE >> level for level in levels(few) if level]
    pointed = {width for width in widths if truth(is_pointer(place_of(small), constant(width), first))}
    counts = len(undirected_edges(few)), len(_stored(few)), len(pointers(few))
    specified = step in _steps_upwards(nodes, name), position(label_of(nodes)), *counts, _steps_upwards(few, small)
    numbers = 2 * few - 3, 2 * few - 3, 4 * few - 4
    return Sample((nodes, name, step, few, small), (*encoded, *numbers, pointed), specified)


def _steps_upwards(nodes: int, label: str) -> set[int]:
    """How far above a node of SR(nodes) its neighbours on that side are, by the specification's chain."""
    nearest_above = reached(nodes, label, True)[0]
    return {clockwise(label, other) for other in (nearest_above, *shortcut_chain(label, nearest_above))}


TIED_TO = label_of, position, clockwise, shortcut_chain
PROOFS = {
    "chain_gives_neighbours_in_levels": Proof(
        (Attempt(_chain), Attempt(_any_neighbour, _replay_chain)),
        _chains_agree,
        (shortcut_chain, label_at, position, label_of),
    ),
    "edges_of_the_ring": Proof(
        (Attempt(_edges), Attempt(partial(_count_from, 1), _replay_edges)), _edges_agree, TIED_TO
    ),
    "printed_number_of_edges": Proof(
        (Attempt(_sum_of_lemma_3, _replay_sum), Attempt(_pointers)), _edges_agree, TIED_TO
    ),
}
