"""The skip ring as bit vectors: places on the circle in units of 2**-64, for every number of subscribers at once.

SR(n) is named by the place of its youngest label l(n - 1), called `last`: a label belongs to it if and only if it is
shorter, or as long and not beyond. So one variable of 64 bits ranges over every n from 2 to 2**64.
"""

import z3

from gomboc.checker.prove.evaluate import value
from gomboc.checker.prove.lemma import Model, Term
from gomboc.spec.protocols.skip_ring.labels import LONGEST, index_of, label_at, label_of, position

HALF = 1 << (LONGEST - 1)
"""Half the circle: the place of label 1."""


def place(name: str) -> Term:
    """A variable that ranges over all places."""
    return z3.BitVec(name, LONGEST)


def constant(value: int) -> Term:
    """A place that is known."""
    return z3.BitVecVal(value, LONGEST)


def place_of(name: str) -> Term:
    """The place of a label."""
    return constant(position(name))


def last_of(nodes: int) -> Term:
    """The place of the youngest label of SR(nodes)."""
    return place_of(label_of(nodes - 1))


def is_step(step: Term) -> Term:
    """Whether `step` is a power of two, as the distances along rings of one level are."""
    return z3.And(step != 0, step & (step - 1) == 0)


def grain(at: Term) -> Term:
    """2**-|label| for the label at a place: its lowest bit; labels 0 and 1 have one bit."""
    return z3.If(at == 0, constant(HALF), at & -at)


def is_longer(at: Term, other: Term) -> Term:
    """Whether the label at one place has more bits than that at another."""
    return z3.ULT(grain(at), grain(other))


def is_multiple(at: Term, step: Term) -> Term:
    """Whether the label at a place is in K_i, with its members `step` = 2**-i apart."""
    return at & (step - 1) == 0


def is_member(at: Term, last: Term) -> Term:
    """Whether the label at a place belongs to the ring with its youngest label at `last`. Source: Definition 2."""
    finest = grain(last)
    return z3.Or(is_multiple(at, 2 * finest), z3.And(is_multiple(at, finest), z3.ULE(at, last)))


def gap(start: Term, end: Term, upwards: bool) -> Term:
    """How far it is from one place to another on that side, through 1 = 0 where need be."""
    return end - start if upwards else start - end


def beyond(start: Term, step: Term, upwards: bool) -> Term:
    """The place that far away on that side."""
    return start + step if upwards else start - step


def nearest(at: Term, neighbour: Term, last: Term, upwards: bool) -> tuple[Term, ...]:
    """No member lies nearer on that side than the ring neighbour; said of the two that matter."""
    near = (beyond(at, step, upwards) for step in (grain(last), 2 * grain(last)))
    here = gap(at, neighbour, upwards)
    return tuple(
        z3.Implies(z3.And(is_member(other, last), other != at), z3.ULE(here, gap(at, other, upwards))) for other in near
    )


def two_members(at: Term, other: Term, last: Term) -> tuple[Term, ...]:
    """That two places are those of different members of a ring of two or more."""
    return last != 0, is_member(at, last), is_member(other, last), at != other


def side(upwards: bool) -> str:
    """The name of a side of a node."""
    return "after" if upwards else "before"


def next_last(last: Term) -> Term:
    """The place of the label that is given out after the one at `last`. Source: Section 2.1."""
    finest = grain(last)
    return z3.If(last + finest == 0, z3.LShR(finest, 1), last + 2 * finest)


def label(model: Model, at: Term) -> str:
    """The label at a place, in an assignment."""
    return label_at(value(model, at))


def size(model: Model, last: Term) -> int:
    """The number n of subscribers of the ring with its youngest label at `last`, in an assignment."""
    return index_of(label(model, last)) + 1
