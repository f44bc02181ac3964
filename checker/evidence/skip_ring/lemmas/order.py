"""The order of canonical labels as strings is that of the numbers r; by induction on their bits, for every length.

The rest of a label after its first bit is a tail: nothing, or bits that end in 1.
"""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import z3

from gomboc.checker.prove.evaluate import truth
from gomboc.checker.prove.lemma import Lemma, Model, Obligation, Replayed, Sample, Statement, Term, Values
from gomboc.spec.protocols.skip_ring.labels import LONGEST, label_of, position


class Pair(NamedTuple):
    """Two bit strings: their numbers r, and whether the first comes before the second as a string."""

    one: Term
    other: Term
    before: Term


def prepend(bit: Term, other_bit: Term, tails: Pair) -> Pair:
    """The two strings with one more bit each in front.

    Source: Section 2.1, r
    """
    before = z3.Or(bit < other_bit, z3.And(bit == other_bit, tails.before))
    return Pair((bit + tails.one) / 2, (other_bit + tails.other) / 2, before)


def _bit(name: str) -> tuple[Term, Term]:
    bit = z3.Int(name)
    return bit, z3.And(bit >= 0, bit <= 1)


def _statement(canonical: bool = True) -> Iterator[Obligation]:
    (bit, is_bit), (other_bit, is_other_bit) = _bit("bit"), _bit("other_bit")
    one, other = z3.Reals("one other")
    tails = Pair(one, other, z3.Bool("before"))
    empty = z3.Bool("empty")
    longer = (bit + one) / 2
    is_tail = z3.And(one >= 0, one < 1, empty == (one == 0) if canonical else z3.Implies(empty, one == 0))
    ends_in_1 = z3.Not(z3.And(empty, bit == 0)) if canonical else z3.BoolVal(True)

    def read(model: Model) -> Values:
        shorter = str(model.eval(bit, model_completion=True))
        return {"one": shorter, "other": shorter + "0"}

    yield Obligation(
        "a tail that is not empty is above 0, and so behind the empty one",
        z3.And(longer > 0, longer < 1),
        (is_bit, is_tail, ends_in_1),
        read,
    )
    premises = is_bit, is_other_bit, one >= 0, one < 1, other >= 0, other < 1, tails.before == (one < other)
    both = prepend(bit, other_bit, tails)
    yield Obligation("one more bit in front of both", both.before == (both.one < both.other), premises)


def _replay(values: Values) -> Replayed:
    one, other = values["one"], values["other"]
    return Replayed(one < other, position(one) < position(other))


def pair(one: str, other: str) -> Pair:
    """Two strings as the encoding sees them, bit by bit from their ends."""
    if not one or not other:
        number = _number(one), _number(other)
        return Pair(*number, z3.BoolVal(len(one) < len(other)))
    return prepend(z3.IntVal(int(one[0])), z3.IntVal(int(other[0])), pair(one[1:], other[1:]))


def _number(bits: str) -> Term:
    return z3.Q(int(bits, 2), 1 << len(bits)) if bits else z3.RealVal(0)


def _agrees(random: Random) -> Sample:
    one, other = (label_of(random.randrange(1 << random.randint(1, LONGEST))) for _ in range(2))
    if random.random() < 0.5:
        # Two that differ in their last bits only.
        same = random.randrange(LONGEST - 1)
        one, other = one[:same] + label_of(random.randrange(4))[-1:] + "1", one[:same] + "1"
    encoded = pair(one, other)
    return Sample(
        (one, other),
        (truth(encoded.before), truth(encoded.one < encoded.other)),
        (one < other, position(one) < position(other)),
    )


def _any_strings() -> Iterator[Obligation]:
    return _statement(canonical=False)


LEMMAS = (
    Lemma(
        name="strings_are_ordered_as_numbers",
        statement=Statement(
            "For canonical labels, the order of the strings is the order of the numbers r.", _statement
        ),
        source="Section 2.1",
        ranges_over="all canonical labels, by induction on their bits",
        contrasts=(Statement("... for all bit strings", _any_strings, holds=False, replay=_replay),),
        by_hand="the induction on the bits: z3 shows its base and its step",
        leaves_out="the empty string, which is no label",
        agrees_with_spec=_agrees,
        tied_to=(label_of, position),
    ),
)
