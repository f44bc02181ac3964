"""Vacuity of the parts of a proved claim: an implication with a premise that never holds is vacuous."""

from collections.abc import Iterator, Sequence

import z3

from gomboc.checker.prove.lemma import Term


def speaking(solver: z3.Solver, claim: Term) -> tuple[int, int]:
    """The number of parts of a claim with a premise that holds somewhere, and the number of vacuous ones.

    `solver` has the hypotheses, which hold somewhere. A part is an implication anywhere in a conjunction, or any other
    conjunct; one with a premise that z3 cannot decide counts as vacuous.
    """
    parts = [*premises(claim)]
    pending = [part for part in dict.fromkeys(parts) if part]
    holding: set[tuple[Term, ...]] = {()}
    while pending:
        part = pending.pop()
        if solver.check(*part) != z3.sat:
            continue
        holding.add(part)
        # One assignment shows many premises at once, which saves most calls of z3.
        model = solver.model()
        shown = {other for other in pending if all(z3.is_true(model.eval(term)) for term in other)}
        holding |= shown
        pending = [other for other in pending if other not in shown]
    count = sum(part in holding for part in parts)
    return count, len(parts) - count


def premises(claim: Term, above: Sequence[Term] = ()) -> Iterator[tuple[Term, ...]]:
    """The premises of each part of a claim, outermost first; none for a part that is no implication."""
    if z3.is_and(claim) and claim.num_args():
        for part in claim.children():
            yield from premises(part, above)
    elif z3.is_implies(claim):
        yield from premises(claim.arg(1), (*above, claim.arg(0)))
    else:
        yield tuple(above)
