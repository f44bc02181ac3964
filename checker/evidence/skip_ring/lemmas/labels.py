"""The label function l is a bijection onto the canonical labels; checked bit by bit, for each length."""

from collections.abc import Iterator
from random import Random

import z3

from gomboc.checker.evidence.skip_ring.encodings.circle import number
from gomboc.checker.prove.lemma import Lemma, Model, Obligation, Replayed, Sample, Statement, Term, Values
from gomboc.spec.protocols.skip_ring.labels import LONGEST, index_of, label_of


def label_bits(index: Term) -> Term:
    """l(index) for an index of as many bits as the vector has: its leading bit goes to the units place."""
    return z3.RotateLeft(index, 1)


def index_bits(bits: Term) -> Term:
    """The inverse of `label_bits`."""
    return z3.RotateRight(bits, 1)


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

    def read(model: Model) -> Values:
        return {"label": format(model.eval(bits, model_completion=True).as_long(), f"0{length}b")}

    return Obligation(f"labels of {length} bits", claim, premises, read)


def _any_bits() -> Iterator[Obligation]:
    return (_back_and_there(length, ()) for length in range(1, LONGEST + 1))


def _replay(values: Values) -> Replayed:
    return Replayed(values["label"], label_of(index_of(values["label"])))


def _agrees(random: Random) -> Sample:
    length = random.randint(1, LONGEST)
    index = random.randrange(1 << length - 1, 1 << length) if length > 1 else random.randrange(2)
    bits = label_bits(z3.BitVecVal(index, length))
    encoded = format(number(bits), f"0{length}b"), number(index_bits(bits))
    return Sample(index, encoded, (label_of(index), index_of(label_of(index))))


LEMMAS = (
    Lemma(
        name="labels_are_a_bijection",
        statement=Statement(
            "l maps the numbers 0, 1, 2, ... one to one onto the canonical labels, and index_of is its inverse.",
            _there_and_back,
        ),
        source="Section 2.1",
        ranges_over=f"all labels of 1 to {LONGEST} bits",
        contrasts=(Statement("... onto all bit strings, canonical or not", _any_bits, holds=False, replay=_replay),),
        by_hand="that numbers and labels of different lengths differ, so that one bijection for each length makes one",
        leaves_out="labels of more than 64 bits, which the specification refuses",
        agrees_with_spec=_agrees,
        tied_to=(label_of, index_of),
    ),
)
