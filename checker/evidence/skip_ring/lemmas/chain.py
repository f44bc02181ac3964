"""The chain of shortcuts that starts at a ring neighbour gives the neighbours in every K_i, for every n at once.

Shown for one node, at `at`, on one side: its neighbour in K_i is 2**-i away from it, for every i from the length of
its label to the last level but one; the ring neighbour is one of the last two such steps away; and the chain doubles
the step.
"""

from collections.abc import Iterator
from functools import partial
from random import Random

import z3

from gomboc.checker.evidence.skip_ring.encodings.circle import (
    beyond,
    constant,
    gap,
    grain,
    is_longer,
    is_member,
    is_multiple,
    is_step,
    label,
    number,
    place,
    size,
)
from gomboc.checker.evidence.skip_ring.encodings.rings import any_label, any_size, neighbours_in_levels, reached
from gomboc.checker.prove.evaluate import truth
from gomboc.checker.prove.lemma import Lemma, Model, Obligation, Replayed, Sample, Statement, Term, Values
from gomboc.spec.protocols.skip_ring.labels import CIRCLE, label_at, label_of, position, shortcut_chain

AT, NEIGHBOUR, LAST, STEP, OTHER = map(place, ("at", "neighbour", "last", "step", "other"))
FEW = constant(1 << 58)
"""The grain of rings of at most 64, which counterexamples are looked for in."""
FEW_ENOUGH = 70
"""Rings up to this size are written down."""


def nearest(at: Term, neighbour: Term, last: Term, upwards: bool) -> tuple[Term, ...]:
    """No member lies nearer on that side than the ring neighbour; said of the two that matter."""
    near = (beyond(at, step, upwards) for step in (grain(last), 2 * grain(last)))
    here = gap(at, neighbour, upwards)
    return tuple(
        z3.Implies(z3.And(is_member(other, last), other != at), z3.ULE(here, gap(at, other, upwards))) for other in near
    )


def _read(upwards: bool) -> partial[Values]:
    def read(upwards: bool, model: Model) -> Values:
        return {
            "nodes": size(model, LAST),
            "label": label(model, AT),
            "neighbour": label(model, NEIGHBOUR),
            "side": "after" if upwards else "before",
        }

    return partial(read, upwards)


def _start(upwards: bool, *premises: Term) -> Obligation:
    step = gap(AT, NEIGHBOUR, upwards)
    one_of_two = z3.Or(step == grain(LAST), step == 2 * grain(LAST))
    claim = z3.And(is_step(step), z3.ULE(step, grain(AT)), one_of_two)
    members = LAST != 0, is_member(AT, LAST), is_member(NEIGHBOUR, LAST), AT != NEIGHBOUR
    side = "after" if upwards else "before"
    return Obligation(f"the ring neighbour {side} is one step away", claim, (*members, *premises), _read(upwards))


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


def _statement() -> Iterator[Obligation]:
    for upwards in (False, True):
        yield _start(upwards, *nearest(AT, NEIGHBOUR, LAST, upwards))
        yield from _walk(upwards)


def _any_neighbour() -> Iterator[Obligation]:
    yield _start(True, z3.UGE(grain(LAST), FEW))


def _replay(values: Values) -> Replayed:
    chain = (values["neighbour"], *shortcut_chain(values["label"], values["neighbour"]))
    return Replayed(neighbours_in_levels(values["nodes"], values["label"], values["side"] == "after"), chain)


def chain_of(at: Term, neighbour: Term, upwards: bool) -> tuple[str, ...]:
    """The ring neighbour and the points 2, 4, 8, ... times as far, up to 2**-|label|, as the lemma has it."""
    step, reached = gap(at, neighbour, upwards), []
    while truth(z3.And(is_step(step), z3.ULE(step, grain(at)))):
        reached.append(label_at(number(beyond(at, step, upwards))))
        step = z3.simplify(2 * step)
    return tuple(reached)


def _agrees(random: Random) -> Sample:
    nodes, upwards = any_size(random), random.random() < 0.5
    name = any_label(random, nodes)
    labels = reached(nodes, name, upwards)
    levels = neighbours_in_levels(nodes, name, upwards) if nodes <= FEW_ENOUGH else labels
    index = random.randrange(min(2 * nodes, CIRCLE))
    at, last = (constant(position(known)) for known in (name, label_of(nodes - 1)))
    encoded = chain_of(at, constant(position(labels[0])), upwards)
    belongs = truth(is_member(constant(position(label_of(index))), last))
    specified = (labels[0], *shortcut_chain(name, labels[0]))
    return Sample((nodes, name, upwards, index), (encoded, levels, belongs), (specified, specified, index < nodes))


LEMMAS = (
    Lemma(
        name="chain_gives_neighbours_in_levels",
        statement=Statement(
            "On each side, the ring neighbour and the chain of shortcuts that starts at it are exactly the neighbours "
            "in every K_i that the node belongs to, also through 1 = 0.",
            _statement,
        ),
        source="Section 3.2.2; Definition 2",
        ranges_over="SR(n) for every n from 2 to 2^64, all nodes, both sides",
        contrasts=(
            Statement(
                "... that starts at any member, not the ring neighbour", _any_neighbour, holds=False, replay=_replay
            ),
        ),
        by_hand="the induction along the chain, from the ring neighbour to the last step",
        leaves_out="whether nodes come to have these shortcuts: it is about the labels of a right ring",
        agrees_with_spec=_agrees,
        tied_to=(shortcut_chain, label_at, position, label_of),
    ),
)
