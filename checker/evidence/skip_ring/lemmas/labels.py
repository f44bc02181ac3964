"""Labels: the function l, their order, and where new ones lie.

The label function is checked bit by bit, for each length. The order of canonical labels is shown by induction on their
bits: the rest of a label after its first bit is a tail, nothing or bits that end in 1. Where new labels lie is shown by
induction on their length, for whole numbers of any size: with p = 2**d, the labels l(0), ..., l(p - 1) are at the
multiples of 1/p, and l(p + y) is at (2y + 1) / 2p.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from random import Random
from typing import NamedTuple

import z3

from gomboc.checker.prove.evaluate import number, truth, value
from gomboc.checker.prove.lemma import Model, Obligation, Replayed, Sample, Term, Values
from gomboc.checker.prove.wording import Attempt, Proof
from gomboc.spec.protocols.skip_ring.labels import CIRCLE, LONGEST, index_of, label_of, position


def label_bits(index: Term) -> Term:
    """l(index) for an index of as many bits as the vector has: its leading bit goes to the units place."""
    return _turned(index, index.size() - 1)


def index_bits(bits: Term) -> Term:
    """The inverse of `label_bits`."""
    return _turned(bits, 1)


def _turned(bits: Term, low: int) -> Term:
    """The vector with its lowest `low` bits before the others: z3 writes its own rotations in no standard operation."""
    if low in (0, bits.size()):
        return bits
    return z3.Concat(z3.Extract(low - 1, 0, bits), z3.Extract(bits.size() - 1, low, bits))


def is_minimal(index: Term) -> Term:
    """Whether an index needs all its bits: it leads with 1, or it is 0 or 1."""
    return z3.BoolVal(True) if index.size() == 1 else z3.Extract(index.size() - 1, index.size() - 1, index) == 1


def is_canonical(bits: Term) -> Term:
    """Whether a label ends in 1, or is 0."""
    return z3.BoolVal(True) if bits.size() == 1 else z3.Extract(0, 0, bits) == 1


def _there_and_back() -> Iterator[Obligation]:
    for length in range(1, LONGEST + 1):
        index = z3.BitVec("index", length)
        claim = z3.And(is_canonical(label_bits(index)), index_bits(label_bits(index)) == index)
        yield Obligation(f"indices of {length} bits", claim, (is_minimal(index),))
        yield _back_and_there(length, (is_canonical(z3.BitVec("label", length)),))


def _back_and_there(length: int, premises: tuple[Term, ...]) -> Obligation:
    bits = z3.BitVec("label", length)
    claim = z3.And(is_minimal(index_bits(bits)), label_bits(index_bits(bits)) == bits)
    return Obligation(
        f"labels of {length} bits", claim, premises, lambda model: {"label": f"{value(model, bits):0{length}b}"}
    )


def _any_bits() -> Iterator[Obligation]:
    return (_back_and_there(length, ()) for length in range(1, LONGEST + 1))


def _replay_bits(values: Values) -> Replayed:
    return Replayed(values["label"], label_of(index_of(values["label"])))


def _bits_agree(random: Random) -> Sample:
    length = random.randint(1, LONGEST)
    index = random.randrange(1 << length - 1, 1 << length) if length > 1 else random.randrange(2)
    bits = label_bits(z3.BitVecVal(index, length))
    encoded = format(number(bits), f"0{length}b"), number(index_bits(bits))
    return Sample(index, encoded, (label_of(index), index_of(label_of(index))))


class Pair(NamedTuple):
    """Two bit strings: their numbers r, and whether the first comes before the second as a string."""

    one: Term
    other: Term
    before: Term


def prepend(bit: Term, other_bit: Term, tails: Pair) -> Pair:
    """The two strings with one more bit each in front. Source: Section 2.1, r."""
    before = z3.Or(bit < other_bit, z3.And(bit == other_bit, tails.before))
    return Pair((bit + tails.one) / 2, (other_bit + tails.other) / 2, before)


def _ordered(canonical: bool) -> Iterator[Obligation]:
    bit, other_bit = z3.Ints("bit other_bit")
    is_bit, is_other_bit = (z3.And(term >= 0, term <= 1) for term in (bit, other_bit))
    one, other = z3.Reals("one other")
    tails = Pair(one, other, z3.Bool("before"))
    empty = z3.Bool("empty")
    longer = (bit + one) / 2
    is_tail = z3.And(one >= 0, one < 1, empty == (one == 0) if canonical else z3.Implies(empty, one == 0))
    ends_in_1 = z3.Not(z3.And(empty, bit == 0)) if canonical else z3.BoolVal(True)

    def read(model: Model) -> Values:
        shorter = str(value(model, bit))
        return {"one": shorter, "other": shorter + "0"}

    title = "a tail that is not empty is above 0, and so behind the empty one"
    yield Obligation(title, z3.And(longer > 0, longer < 1), (is_bit, is_tail, ends_in_1), read)
    premises = is_bit, is_other_bit, one >= 0, one < 1, other >= 0, other < 1, tails.before == (one < other)
    both = prepend(bit, other_bit, tails)
    yield Obligation("one more bit in front of both", both.before == (both.one < both.other), premises)


def _replay_order(values: Values) -> Replayed:
    one, other = values["one"], values["other"]
    return Replayed(one < other, position(one) < position(other))


def pair(one: str, other: str) -> Pair:
    """Two strings as the encoding sees them, bit by bit from their ends."""
    if one and other:
        return prepend(z3.IntVal(int(one[0])), z3.IntVal(int(other[0])), pair(one[1:], other[1:]))
    first, second = (z3.Q(int(bits, 2), 1 << len(bits)) if bits else z3.RealVal(0) for bits in (one, other))
    return Pair(first, second, z3.BoolVal(len(one) < len(other)))


def _orders_agree(random: Random) -> Sample:
    one, other = (label_of(random.randrange(1 << random.randint(1, LONGEST))) for _ in range(2))
    if random.random() < 0.5:
        # Two that differ in their last bits only.
        same = random.randrange(LONGEST - 1)
        one, other = one[:same] + label_of(random.randrange(4))[-1:] + "1", one[:same] + "1"
    encoded = pair(one, other)
    specified = one < other, position(one) < position(other)
    return Sample((one, other), (truth(encoded.before), truth(encoded.one < encoded.other)), specified)


OLDER, YOUNGER, MULTIPLE, INDEX = z3.Ints("p y m x")
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
    in_range = OLDER >= 1, INDEX >= 0, INDEX < 2 * OLDER, MULTIPLE >= 0, MULTIPLE < 2 * OLDER
    return *in_range, below, back


def _all_multiples() -> Iterator[Obligation]:
    zero = z3.IntVal(0)
    yield Obligation("l(0) is at the only multiple of 1", z3.And(place(z3.IntVal(1), zero, zero) == 0))
    doubled = place(OLDER, INDEX, AT(INDEX))
    inverse = z3.And(doubled >= 0, doubled < 2 * OLDER, whose(OLDER, doubled, WHOSE(doubled / 2)) == INDEX)
    title = "every label of one bit more is at a multiple of its own"
    yield Obligation(title, inverse, _hypothesis(INDEX, MULTIPLE))
    owner = whose(OLDER, MULTIPLE, WHOSE(MULTIPLE / 2))
    claim = z3.And(owner >= 0, owner < 2 * OLDER, place(OLDER, owner, AT(owner)) == MULTIPLE)
    yield Obligation("every multiple has a label", claim, _hypothesis(owner, MULTIPLE))


def _midway(*premises: Term) -> Iterator[Obligation]:
    new = place(OLDER, OLDER + YOUNGER, z3.IntVal(0))
    below, above = 2 * YOUNGER, 2 * (YOUNGER + 1)
    lies_midway = z3.And(new - below == above - new, new < 2 * OLDER)
    adjacent = z3.Not(z3.And(below < 2 * MULTIPLE, above > 2 * MULTIPLE))

    def read(model: Model) -> Values:
        older, younger = (value(model, term) for term in (OLDER, YOUNGER))
        return {"older": older, "index": older + younger}

    title = "midway between two multiples of 1 / p, with none between them"
    yield Obligation(title, z3.And(lies_midway, adjacent), (OLDER >= 1, YOUNGER >= 0, *premises), read)


def _younger_ones() -> Iterator[Obligation]:
    yield from _all_multiples()
    yield from _midway(YOUNGER < OLDER)


def gaps(index: int, older: int) -> tuple[int, int]:
    """How far l(index) is from the nearest of l(0), ..., l(older - 1) on either side, by the specification."""
    here = position(label_of(index))
    others = [position(label_of(other)) for other in range(older)]
    return min((here - other) % CIRCLE for other in others), min((other - here) % CIRCLE for other in others)


def _replay_gaps(values: Values) -> Replayed:
    older, index = values["older"], values["index"]
    return Replayed((CIRCLE // older // 2,) * 2, gaps(index, older))


def _places_agree(random: Random) -> Sample:
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


PROOFS = {
    "labels_are_a_bijection": Proof(
        (Attempt(_there_and_back), Attempt(_any_bits, _replay_bits)),
        _bits_agree,
        (label_of, index_of),
        {"longest": LONGEST},
    ),
    "labels_lie_midway": Proof(
        (Attempt(_younger_ones), Attempt(_midway, _replay_gaps)), _places_agree, (label_of, index_of, position)
    ),
    "strings_are_ordered_as_numbers": Proof(
        (Attempt(partial(_ordered, True)), Attempt(partial(_ordered, False), _replay_order)),
        _orders_agree,
        (label_of, position),
    ),
}
