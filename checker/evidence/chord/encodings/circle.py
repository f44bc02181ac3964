"""Places on the circle, as whole numbers, and the places that a list skips."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import z3

from gomboc.checker.prove.evaluate import value
from gomboc.checker.prove.lemma import Model, Term
from gomboc.spec.protocols.chord.names import Circle

WIDE = Circle(256, "number")
"""A circle for the numbers that z3 comes up with."""


def places(*names: str) -> tuple[Term, ...]:
    """A place for each name."""
    return tuple(z3.Int(name) for name in names)


def on_circle(positions: Iterable[Term]) -> tuple[Term, ...]:
    """The constraints that all terms are places, which means not negative."""
    return tuple(position >= 0 for position in positions)


def read(model: Model, **terms: Term | Sequence[Term]) -> dict[str, int | list[int]]:
    """The numbers in an assignment."""
    return {
        name: value(model, term) if z3.is_expr(term) else [value(model, entry) for entry in term]
        for name, term in terms.items()
    }


def named(position: int) -> str:
    """The node at a place."""
    return f"n{position}"


def between(low: Term, position: Term, high: Term) -> Term:
    """Whether a place lies strictly between two others, clockwise from the first.

    Source: Zave 2017, between
    """
    return z3.If(low < high, z3.And(low < position, position < high), z3.Or(position > low, position < high))


def skips(at: Term, listed: Sequence[Term], position: Term) -> Term:
    """Whether a place lies between two neighbours in a node and its list.

    Source: Zave 2017, principal
    """
    return z3.Or([between(low, position, high) for low, high in pairwise((at, *listed))])


def skips_cut(me: Term, listed: Sequence[Term], position: Term) -> Term:
    """The same of a list that ends before `me` if it comes to it."""
    term: Term = z3.BoolVal(False)
    for low, high in reversed(list(pairwise((me, *listed)))):
        term = z3.And(high != me, z3.Or(between(low, position, high), term))
    return term
