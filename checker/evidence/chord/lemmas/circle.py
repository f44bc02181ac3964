"""Lemmas on the interval between two places of a circle, and on lists that are padded or shortened."""

from collections.abc import Iterator
from functools import partial
from random import Random

import z3

from gomboc.checker.evidence.chord.encodings.circle import WIDE, between, named, on_circle, places, read, skips
from gomboc.checker.prove.evaluate import truth
from gomboc.checker.prove.lemma import Obligation, Replayed, Sample, Term, Values
from gomboc.checker.prove.wording import Attempt, Proof
from gomboc.spec.protocols.chord import names
from gomboc.spec.protocols.chord.lists import unskipped
from gomboc.spec.protocols.chord.names import Circle

LENGTHS = (1, 2, 3)


def _exactly_one(parts: list[Term]) -> Term:
    return z3.And(z3.Or(parts), *(z3.Not(z3.And(one, two)) for at, one in enumerate(parts) for two in parts[at + 1 :]))


def _cuts(distinct: bool) -> Iterator[Obligation]:
    low, position, high, other = places("low", "place", "high", "other")
    parts = [position == low, position == high, between(low, position, high), between(high, position, low)]
    yield Obligation(
        "two places cut the circle",
        _exactly_one(parts),
        (*on_circle((low, position, high)), *((low != high,) if distinct else ())),
        partial(read, low=low, place=position, high=high),
    )
    inside = z3.And(between(low, position, high), between(low, other, position))
    yield Obligation("one place", between(low, position, low) == (position != low))
    yield Obligation("nested", z3.Implies(inside, z3.And(between(low, other, high), between(other, position, high))))


def _count(model: Values) -> Replayed:
    low, position, high = (model[name] for name in ("low", "place", "high"))
    parts = (position == low, position == high, names.between(low, position, high), names.between(high, position, low))
    return Replayed(1, sum(parts))


def _betweens_agree(random: Random) -> Sample:
    numbers = [random.randrange(6) for _ in range(3)]
    low, position, high = map(z3.IntVal, numbers)
    encoded = truth(between(low, position, high)), truth(z3.Or(position == high, between(low, position, high)))
    return Sample(numbers, encoded, (names.between(*numbers), names.within(*numbers)))


def _padded(step: int) -> Iterator[Obligation]:
    """Lists with a last entry followed by ids of no node, each so much after the one before it, or by nothing."""
    size, me, member = places("size", "me", "member")
    for length in LENGTHS:
        for pads in LENGTHS:
            listed = places(*(f"entry_{index}" for index in range(length)))
            full = list(listed)
            for _ in range(pads):
                after = full[-1] + step
                full.append(z3.If(after >= size, after - size, after))
            premises = (size > step, *(z3.And(position >= 0, position < size) for position in (me, member, *listed)))
            same = skips(me, full, member) == skips(me, listed, member)
            values = partial(read, size=size, me=me, member=member, listed=listed, padded=full)
            yield Obligation(f"{length} entries, {pads} pads", same, premises, values)


def _skipped(model: Values) -> Replayed:
    member = named(model["member"])
    shorter, longer = (
        unskipped(WIDE, (member,), ((named(model["me"]), tuple(map(named, model[which]))),))
        for which in ("listed", "padded")
    )
    return Replayed(shorter, longer)


def _lists_agree(random: Random) -> Sample:
    circle = Circle(4, "number")
    me, *listed = (random.randrange(16) for _ in range(random.randint(2, 4)))
    members = tuple(range(0, 16, random.randint(1, 3)))
    terms = [z3.IntVal(position) for position in listed]
    encoded = [member for member in members if not truth(skips(z3.IntVal(me), terms, z3.IntVal(member)))]
    kept = unskipped(circle, tuple(map(named, members)), ((named(me), tuple(map(named, listed))),))
    return Sample((me, listed), [named(position) for position in encoded], list(kept))


PROOFS = {
    "two_places_cut_the_circle": Proof(
        (
            Attempt(partial(_cuts, True)),
            Attempt(partial(_cuts, False), _count),
        ),
        _betweens_agree,
        (names.between, names.within),
    ),
    "padding_is_shortening": Proof(
        (
            Attempt(partial(_padded, 1)),
            Attempt(partial(_padded, 2), _skipped),
        ),
        _lists_agree,
        (unskipped,),
    ),
}
