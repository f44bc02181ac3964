"""Where new labels lie: midway between older ones; by induction on their length, for whole numbers of any size.

With p = 2**d: the labels l(0), ..., l(p - 1) are at the multiples of 1/p, and l(p + y) is at (2y + 1) / 2p.
"""

from collections.abc import Iterator
from fractions import Fraction
from random import Random

import z3

from gomboc.checker.evidence.skip_ring.encodings.circle import number
from gomboc.checker.prove.lemma import Lemma, Model, Obligation, Replayed, Sample, Statement, Term, Values
from gomboc.spec.protocols.skip_ring.labels import CIRCLE, LONGEST, index_of, label_of, position

OLDER, YOUNGER, MULTIPLE = z3.Ints("p y m")
AT = z3.Function("at", z3.IntSort(), z3.IntSort())
WHOSE = z3.Function("whose", z3.IntSort(), z3.IntSort())
"""p times the place of label l(x), for x < p; and the x with its label at m / p."""


def place(older: Term, index: Term, at: Term) -> Term:
    """2p times the place of l(index) for index < 2p, where `at` is p times that place if index < p."""
    return z3.If(index < older, 2 * at, 2 * (index - older) + 1)


def whose(older: Term, multiple: Term, of_half: Term) -> Term:
    """The index of the label at multiple / 2p, where `of_half` is the index of that at (multiple / 2) / p."""
    return z3.If(multiple % 2 == 0, of_half, older + multiple / 2)


def _hypothesis(index: Term, multiple: Term) -> tuple[Term, ...]:
    """`AT` and `WHOSE` are inverse to each other below p, stated where the step needs it."""
    below = z3.Implies(index < OLDER, z3.And(AT(index) >= 0, AT(index) < OLDER, WHOSE(AT(index)) == index))
    back = z3.And(WHOSE(multiple / 2) >= 0, WHOSE(multiple / 2) < OLDER, AT(WHOSE(multiple / 2)) == multiple / 2)
    return below, back


def _all_multiples() -> Iterator[Obligation]:
    zero = z3.IntVal(0)
    yield Obligation("l(0) is at the only multiple of 1", z3.And(place(z3.IntVal(1), zero, zero) == 0))
    index = z3.Int("x")
    doubled = place(OLDER, index, AT(index))
    premises = OLDER >= 1, index >= 0, index < 2 * OLDER, MULTIPLE >= 0, MULTIPLE < 2 * OLDER
    inverse = whose(OLDER, doubled, WHOSE(doubled / 2)) == index
    yield Obligation(
        "every label of one bit more is at a multiple of its own",
        z3.And(doubled >= 0, doubled < 2 * OLDER, inverse),
        (*premises, *_hypothesis(index, MULTIPLE)),
    )
    owner = whose(OLDER, MULTIPLE, WHOSE(MULTIPLE / 2))
    claim = z3.And(owner >= 0, owner < 2 * OLDER, place(OLDER, owner, AT(owner)) == MULTIPLE)
    yield Obligation("every multiple has a label", claim, (*premises, *_hypothesis(owner, MULTIPLE)))


def _midway(*premises: Term) -> Iterator[Obligation]:
    new = place(OLDER, OLDER + YOUNGER, z3.IntVal(0))
    below, above = 2 * YOUNGER, 2 * (YOUNGER + 1)
    lies_midway = z3.And(new - below == above - new, new < 2 * OLDER)
    adjacent = z3.Not(z3.And(below < 2 * MULTIPLE, above > 2 * MULTIPLE))

    def read(model: Model) -> Values:
        older, younger = (model.eval(term, model_completion=True).as_long() for term in (OLDER, YOUNGER))
        return {"older": older, "index": older + younger}

    premises = OLDER >= 1, YOUNGER >= 0, *premises
    yield Obligation(
        "midway between two multiples of 1 / p, with none between them", z3.And(lies_midway, adjacent), premises, read
    )


def _statement() -> Iterator[Obligation]:
    yield from _all_multiples()
    yield from _midway(YOUNGER < OLDER)


def gaps(index: int, older: int) -> tuple[int, int]:
    """How far l(index) is from the nearest of l(0), ..., l(older - 1) on either side, by the specification."""
    here = position(label_of(index))
    others = [position(label_of(other)) for other in range(older)]
    return min((here - other) % CIRCLE for other in others), min((other - here) % CIRCLE for other in others)


def _replay(values: Values) -> Replayed:
    older, index = values["older"], values["index"]
    return Replayed((CIRCLE // older // 2,) * 2, gaps(index, older))


def _agrees(random: Random) -> Sample:
    older = 1 << random.randint(0, LONGEST - 1)
    index = random.randrange(2 * older)
    at = z3.IntVal(position(label_of(index)) * older // CIRCLE)
    encoded = Fraction(number(place(z3.IntVal(older), z3.IntVal(index), at)), 2 * older)
    half = random.randrange(2 * older)
    known = index_of(label_of(index)) if half % 2 else _owner(half // 2, older)
    owner = number(whose(z3.IntVal(older), z3.IntVal(half), z3.IntVal(known)))
    specified = Fraction(position(label_of(index)), CIRCLE), _owner(half, 2 * older)
    return Sample((older, index, half), (encoded, owner), specified)


def _owner(multiple: int, of: int) -> int:
    reduced = Fraction(multiple, of)
    bits = max(1, reduced.denominator.bit_length() - 1)
    return index_of(format(reduced.numerator, f"0{bits}b"))


LEMMAS = (
    Lemma(
        name="labels_lie_midway",
        statement=Statement(
            "The labels l(0) to l(2^d - 1) are at the multiples of 2^-d, and each of l(2^d) to l(2^(d+1) - 1) lies "
            "midway between two of them that are neighbours.",
            _statement,
        ),
        source="Section 2.1, after Definition 2",
        ranges_over="all d, by induction",
        contrasts=(Statement("... and so do the labels after l(2^(d+1) - 1)", _midway, holds=False, replay=_replay),),
        by_hand="the induction on d: z3 shows its base and its step, for the instances of the hypothesis that the "
        "step needs",
        leaves_out="labels of more than 64 bits, which the specification refuses",
        agrees_with_spec=_agrees,
        tied_to=(label_of, index_of, position),
    ),
)
