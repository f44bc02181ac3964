"""The supervisor's database as terms: rows of a label's index and a subscriber, and their repairs."""

from itertools import pairwise
from typing import NamedTuple

import z3

from gomboc.checker.prove.evaluate import value
from gomboc.checker.prove.lemma import Model, Term, Values
from gomboc.spec.protocols.skip_ring.labels import label_of
from gomboc.spec.protocols.skip_ring.state import Entry
from gomboc.spec.protocols.skip_ring.supervisor import Database

NOBODY = 0
"""The number that stands for an empty tuple's subscriber."""


class Row(NamedTuple):
    """A tuple of the database: the index of its label, the number of its subscriber, and whether it is there."""

    index: Term
    node: Term
    there: Term


def rows(count: int) -> tuple[Row, ...]:
    """That many tuples with any contents."""
    return tuple(Row(z3.Int(f"index{row}"), z3.Int(f"node{row}"), z3.BoolVal(True)) for row in range(count))


def is_database(database: tuple[Row, ...]) -> tuple[Term, ...]:
    """Rows in the order of their labels, each label once.

    Source: Section 3.1 ("when using a hashmap")
    """
    in_range = [z3.And(row.index >= 0, row.node >= NOBODY) for row in database]
    ascending = [one.index < other.index for one, other in pairwise(database)]
    return (*in_range, *ascending)


def count(conditions: list[Term]) -> Term:
    """How many conditions are true."""
    return z3.Sum([z3.IntVal(0), *(z3.If(condition, 1, 0) for condition in conditions)])


def without_empty(database: tuple[Row, ...]) -> tuple[Row, ...]:
    """Empty tuples are removed. Source: Section 3.1 (i); Algorithm 3, lines 39-41."""
    return tuple(Row(row.index, row.node, z3.And(row.there, row.node != NOBODY)) for row in database)


def without_copies(database: tuple[Row, ...]) -> tuple[Row, ...]:
    """A subscriber keeps the lowest of its labels. Source: Section 3.1 (ii)."""
    return tuple(
        Row(
            row.index,
            row.node,
            z3.And(row.there, *(z3.Not(z3.And(o.there, o.node == row.node)) for o in database[:index])),
        )
        for index, row in enumerate(database)
    )


def moved_into_gaps(database: tuple[Row, ...]) -> tuple[Row, ...]:
    """The lowest gap is given the highest label that is too high, the next one the next, all at once.

    Source: Section 3.1 (iii), (iv)
    """
    size = count([row.there for row in database])
    high = [z3.And(row.there, row.index >= size) for row in database]
    gaps = [
        z3.And(gap < size, *(z3.Not(z3.And(row.there, row.index == gap)) for row in database))
        for gap in range(len(database))
    ]
    return tuple(
        Row(z3.If(high[index], _filled(gaps, count(high[index + 1 :])), row.index), row.node, row.there)
        for index, row in enumerate(database)
    )


def _filled(gaps: list[Term], rank: Term) -> Term:
    """The gap of that rank, the lowest having rank 0."""
    return z3.Sum([z3.If(z3.And(is_gap, count(gaps[:gap]) == rank), gap, 0) for gap, is_gap in enumerate(gaps)])


def repaired(database: tuple[Row, ...]) -> tuple[Row, ...]:
    """The rows after the specification's `repair`."""
    return moved_into_gaps(without_copies(without_empty(database)))


def relabelled(database: tuple[Row, ...]) -> tuple[Row, ...]:
    """The printed loop: for each i below n in turn, if no tuple has the label l(i), the highest one beyond gets it.

    Source: Algorithm 3, lines 42-45
    """
    size = count([row.there for row in database])
    for index in range(len(database)):
        missing = z3.And(index < size, *(z3.Not(z3.And(row.there, row.index == index)) for row in database))
        highest = [
            z3.And(row.there, row.index > index, *(z3.Or(z3.Not(o.there), o.index <= row.index) for o in database))
            for row in database
        ]
        database = tuple(
            Row(z3.If(z3.And(missing, top), index, row.index), row.node, row.there)
            for row, top in zip(database, highest, strict=True)
        )
    return database


def is_first_labels(database: tuple[Row, ...]) -> Term:
    """Whether the labels are exactly l(0), ..., l(n - 1), for n tuples."""
    size = count([row.there for row in database])
    counts = (
        count([z3.And(row.there, row.index == index) for row in database]) == z3.If(index < size, 1, 0)
        for index in range(len(database))
    )
    return z3.And(*counts, *(z3.Implies(row.there, z3.And(row.index >= 0, row.index < size)) for row in database))


def each_once(database: tuple[Row, ...], before: tuple[Row, ...]) -> Term:
    """Whether every subscriber in `before` has exactly one tuple, and there is no other subscriber."""
    kept = (
        z3.Implies(row.node != NOBODY, count([z3.And(other.there, other.node == row.node) for other in database]) == 1)
        for row in before
    )
    known = (
        z3.Implies(row.there, z3.And(row.node != NOBODY, *([z3.Or(*(row.node == old.node for old in before))])))
        for row in database
    )
    return z3.And(*kept, *known)


def name(node: int) -> str | None:
    """The name of a subscriber, by its number."""
    return None if node == NOBODY else f"v{node}"


def read(model: Model, database: tuple[Row, ...]) -> Values:
    """The database of an assignment, as rows of label and name; the order of the rows is kept."""
    numbers = [(value(model, row.index), value(model, row.node)) for row in database]
    return {"database": [[label_of(index), name(node)] for index, node in numbers]}


def database_in(values: Values) -> Database:
    """The database of a counterexample, in the specification's type."""
    return tuple(sorted((Entry(label, node) for label, node in values["database"]), key=lambda entry: entry.label))
