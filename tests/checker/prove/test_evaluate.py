"""The value of a term equals that of z3."""

from itertools import product

import pytest
import z3

from gomboc.checker.prove.evaluate import evaluator

X, Y, P = z3.Int("x"), z3.Int("y"), z3.Bool("p")
TERMS = (
    X + Y - 2 * X,
    -X,
    z3.If(P, X, Y - 1),
    z3.And(P, X < Y, X <= 2),
    z3.Or(z3.Not(P), X > Y, Y >= 2),
    z3.Implies(P, X == Y),
    z3.Distinct(X, Y, z3.IntVal(1)),
    z3.Distinct(X, z3.IntVal(7), Y),
    z3.Sum([z3.If(each == X, 1, 0) for each in range(3)]),
    z3.BoolVal(True),
    z3.IntVal(7),
)


@pytest.mark.parametrize(("x", "y", "p"), [*product((-1, 0, 2), (0, 1, 2), (False, True))])
def test_a_term_has_the_value_that_z3_gives_it(x, y, p):
    assignment = (X, z3.IntVal(x)), (Y, z3.IntVal(y)), (P, z3.BoolVal(p))
    for term, result in zip(TERMS, evaluator(TERMS, (X, Y, P))((x, y, p)), strict=True):
        assert str(z3.simplify(z3.substitute(term, *assignment))) == str(result)


def test_a_part_that_several_terms_share_is_computed_once():
    shared = z3.If(P, X + Y, X - Y)
    assert evaluator((shared + 1, shared * 2, shared), (X, Y, P))((5, 3, False)) == (3, 4, 2)


@pytest.mark.parametrize("term", [X / Y, z3.Int("stranger"), z3.BitVec("b", 4) + 1])
def test_what_is_not_known_is_refused(term):
    with pytest.raises(AssertionError, match="cannot be evaluated"):
        evaluator((term,), (X, Y))
