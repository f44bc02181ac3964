"""Places on the circle, as whole numbers, and what a list skips."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import z3

from gomboc.checker.prove.lemma import Model, Term
from gomboc.spec.chord.names import Circle

WIDE = Circle(256, "number")
"""A circle for the numbers that z3 comes up with."""


def places(*names: str) -> tuple[Term, ...]:
    """A place for each name."""
    return tuple(z3.Int(name) for name in names)


def on_circle(found: Iterable[Term]) -> tuple[Term, ...]:
    """That they are places."""
    return tuple(place >= 0 for place in found)


def read(model: Model, **terms: Term | Sequence[Term]) -> dict[str, int | list[int]]:
    """The numbers in an assignment."""
    return {
        name: _number(model, term) if z3.is_expr(term) else [_number(model, each) for each in term]
        for name, term in terms.items()
    }


def _number(model: Model, term: Term) -> int:
    return int(model.eval(term, model_completion=True).as_long())


def named(place: int) -> str:
    """The node at a place."""
    return f"n{place}"


def between(low: Term, place: Term, high: Term) -> Term:
    """Whether a place lies strictly between two others, clockwise from the first.

    Source: Zave 2017, between
    """
    return z3.If(low < high, z3.And(low < place, place < high), z3.Or(place > low, place < high))


def skips(at: Term, listed: Sequence[Term], place: Term) -> Term:
    """Whether a place lies between two neighbours in a node and its list.

    Source: Zave 2017, principal
    """
    return z3.Or([between(low, place, high) for low, high in pairwise((at, *listed))])


def skips_cut(me: Term, at: Term, nodes: Sequence[Term], place: Term) -> Term:
    """The same of a list that ends before `me` if it comes to it."""
    if not nodes:
        return z3.BoolVal(False)
    first, *rest = nodes
    return z3.And(first != me, z3.Or(between(at, place, first), skips_cut(me, first, rest, place)))
