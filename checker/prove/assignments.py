"""Assignments of z3's, of which one may be of no real system where another is."""

from collections.abc import Iterator
from typing import Any

import z3

from gomboc.checker.prove.lemma import Model

MOST = 20
"""So many are asked for; which one z3 finds first depends on what it was asked before."""
MILLISECONDS = 2_000
"""The longest search for a further one."""
RANDOM = 5
"""z3's number for guesses by chance."""


def assignments(solver: Any, first: Model) -> Iterator[Model]:
    """The assignment that a solver has found, and others: from other beginnings of the search, each second one new."""
    yield first
    found = [_differs(first)]
    for seed in range(1, MOST):
        other = z3.Solver()
        other.set("timeout", MILLISECONDS)
        other.set("ctrl_c", False)
        other.set("random_seed", seed)
        other.set("phase_selection", RANDOM)
        other.add(*solver.assertions())
        if seed % 2 == 0:
            # A beginning may lead where another one led.
            other.add(*found)
        if other.check() == z3.sat:
            model = other.model()
            found.append(_differs(model))
            yield model


def _differs(model: Model) -> Any:
    """That some constant has another value than there."""
    return z3.Or([constant() != model[constant] for constant in model.decls() if constant.arity() == 0])
