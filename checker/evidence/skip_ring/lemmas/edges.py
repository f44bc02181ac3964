"""How many edges SR(n) has. One more subscriber brings two more upward pointers, so the count is by induction on n.

A pointer is a node, a step, and a side: on that side, the node is joined to the one that far away. Downward pointers
are upward ones, seen from the other end.
"""

from collections.abc import Iterator
from functools import partial
from random import Random

import z3

from gomboc.checker.evidence.skip_ring.encodings.circle import (
    HALF,
    constant,
    grain,
    is_member,
    is_multiple,
    is_step,
    next_last,
    number,
    place,
)
from gomboc.checker.evidence.skip_ring.encodings.rings import (
    any_label,
    any_size,
    directed_edges,
    levels,
    pointers,
    reached,
    undirected_edges,
)
from gomboc.checker.evidence.skip_ring.lemmas.chain import nearest
from gomboc.checker.evidence.skip_ring.lemmas.partners import ring
from gomboc.checker.prove.evaluate import truth
from gomboc.checker.prove.lemma import Lemma, Model, Obligation, Replayed, Sample, Statement, Term, Values
from gomboc.spec.protocols.skip_ring.labels import CIRCLE, clockwise, label_of, position, shortcut_chain
from gomboc.spec.protocols.skip_ring.subscriber import references

AT, STEP, LAST, OTHER, LONGER = map(place, ("at", "step", "last", "other", "longer"))
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
    last = LAST != 0
    consecutive = (OTHER != AT, is_member(AT, LAST), is_member(OTHER, LAST), *nearest(AT, OTHER, LAST, True))
    yield Obligation("ring neighbours have a pointer", is_pointer(AT, OTHER - AT, LAST), (last, *consecutive))
    pointer = is_pointer(AT, STEP, LAST)
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
    yield Obligation("the next subscriber brings the pointers to and from it", same, goes_on)
    fresh = z3.And(z3.Not(z3.And(new, is_pointer(AT, STEP, LAST))), after != after - grain(after))
    yield Obligation("these two are new", fresh, goes_on)
    first = is_pointer(AT, STEP, constant(HALF)) == z3.And(STEP == HALF, z3.Or(AT == 0, AT == HALF))
    yield Obligation("SR(2) has two", first)


def _joined() -> Iterator[Obligation]:
    twice = is_pointer(AT, STEP, LAST), is_pointer(AT + STEP, LONGER, LAST), STEP + LONGER == 0
    across = z3.And(STEP == HALF, z3.Or(AT == 0, AT == HALF))
    yield Obligation("only the two across half the circle are one edge", across, (LAST != 0, *twice))


def _recurrence(nodes: Term) -> tuple[Term, ...]:
    """The sum of `_growth` and `_joined`: SR(1) has no edge, SR(2) one, and each further subscriber brings two."""
    grows = z3.Implies(nodes >= 2, EDGES(nodes + 1) == EDGES(nodes) + 2)
    return EDGES(1) == 0, EDGES(2) == 1, grows


def _size(nodes: int, _model: Model) -> Values:
    return {"nodes": nodes}


def _count_from(fewest: int) -> Iterator[Obligation]:
    first = z3.IntVal(fewest)
    yield Obligation(f"n = {fewest}", EDGES(first) == 2 * first - 3, _recurrence(first), partial(_size, fewest))
    premises = *_recurrence(N), N >= 2, EDGES(N) == 2 * N - 3
    yield Obligation("from n to n + 1", EDGES(N + 1) == 2 * (N + 1) - 3, premises)


def _statement() -> Iterator[Obligation]:
    yield from _definition()
    yield from _growth()
    yield from _joined()
    yield from _count_from(2)
    yield from _pointers()


def _from_one() -> Iterator[Obligation]:
    return _count_from(1)


def _printed() -> Iterator[Obligation]:
    premises: tuple[Term, ...] = ()
    for nodes in range(2, 17):
        premises += _recurrence(z3.IntVal(nodes - 1))
        claim = 2 * EDGES(nodes) == 4 * nodes - 4
        yield Obligation(f"n = {nodes}", claim, premises, partial(_size, nodes))


def _pointers() -> Iterator[Obligation]:
    """Upward pointers are 2n - 2 by induction on the result of `_growth`, and there are as many downward ones."""
    upward = z3.Int("upward")
    yield Obligation("n = 2", z3.IntVal(2) == 2 * N - 2, (N == 2,))
    yield Obligation("from n to n + 1", upward + 2 == 2 * (N + 1) - 2, (N >= 2, upward == 2 * N - 2))
    yield Obligation("both sides", 2 * upward == 4 * N - 4, (upward == 2 * N - 2,))


def _replay(values: Values) -> Replayed:
    nodes = values["nodes"]
    return Replayed(2 * nodes - 3, len(undirected_edges(nodes)))


def _replay_printed(values: Values) -> Replayed:
    nodes = values["nodes"]
    return Replayed(4 * nodes - 4, len(directed_edges(nodes)))


def _stored(nodes: int) -> set[frozenset[str]]:
    """The references in the specification's right ring, as pairs of labels."""
    return {frozenset((u.label or "", claim.label)) for u in ring(nodes).nodes.values() for claim in references(u)}


def _agrees(random: Random) -> Sample:
    nodes, few = any_size(random), random.randint(2, 40)
    name, last = any_label(random, nodes), constant(position(label_of(nodes - 1)))
    step = CIRCLE >> random.randint(1, levels(nodes)[-1])
    steps = _steps_upwards(nodes, name)
    encoded = truth(is_pointer(constant(position(name)), constant(step), last)), number(next_last(last))
    small, first = any_label(random, few), constant(position(label_of(few - 1)))
    widths = [CIRCLE >> level for level in levels(few) if level]
    pointed = {width for width in widths if truth(is_pointer(constant(position(small)), constant(width), first))}
    counts = len(undirected_edges(few)), len(_stored(few)), len(pointers(few))
    specified = step in steps, position(label_of(nodes)), *counts, _steps_upwards(few, small)
    numbers = 2 * few - 3, 2 * few - 3, 4 * few - 4
    return Sample((nodes, name, step, few, small), (*encoded, *numbers, pointed), specified)


def _steps_upwards(nodes: int, label: str) -> set[int]:
    """How far above a node of SR(nodes) its neighbours on that side are, by the specification's chain."""
    nearest_above = reached(nodes, label, True)[0]
    return {clockwise(label, other) for other in (nearest_above, *shortcut_chain(label, nearest_above))}


TIED_TO = label_of, position, clockwise, shortcut_chain
LEMMAS = (
    Lemma(
        name="edges_of_the_ring",
        statement=Statement(
            "SR(n) has exactly 2n - 3 edges, or 4n - 6 with both directions counted; and 4n - 4 pointers, one for each "
            "node, side, and neighbour there.",
            _statement,
        ),
        source="Definition 2; Lemma 3",
        ranges_over="every n from 2 to 2^64, by induction",
        contrasts=(Statement("... also for n = 1", _from_one, holds=False, replay=_replay),),
        by_hand="the counting: z3 shows which pointers the next subscriber brings and which two pointers are one edge, "
        "and adds up; that sets with such elements have so many is by hand",
        leaves_out="how many edges a ring has that is not right",
        agrees_with_spec=_agrees,
        tied_to=TIED_TO,
    ),
    Lemma(
        name="printed_number_of_edges",
        statement=Statement(
            "The set of directed edges of SR(n), E_R and E_S together, has 4n - 4 elements.",
            _printed,
            holds=False,
            replay=_replay_printed,
        ),
        source="Lemma 3, proof",
        ranges_over="n from 2 to 16",
        contrasts=(
            Statement(
                "4n - 4 counts pointers: one for each node, side, and neighbour there. The nodes labelled 0 and 1 are "
                "each other's neighbour on both sides. For every n from 2 to 2^64, as "
                "edges_of_the_ring shows, not for powers of two only.",
                _pointers,
            ),
        ),
        by_hand="the counting, as in edges_of_the_ring, on whose obligations the sums rest",
        leaves_out="sizes from 17 on, for which nothing is refuted",
        agrees_with_spec=_agrees,
        tied_to=TIED_TO,
    ),
)
