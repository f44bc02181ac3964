"""The encoding of labels: the words in which it is written for other solvers."""

import pytest
import z3

from gomboc.checker.evidence.skip_ring.lemmas.labels import index_bits, label_bits


@pytest.mark.parametrize(("length", "index", "label"), [(1, 1, 1), (3, 0b110, 0b101), (4, 0b1010, 0b0101)])
def test_labels_are_written_in_operations_that_every_solver_knows(length, index, label):
    assert "rotate" not in label_bits(z3.BitVec("index", length)).sexpr()
    assert "rotate" not in index_bits(z3.BitVec("label", length)).sexpr()
    assert z3.simplify(label_bits(z3.BitVecVal(index, length))).as_long() == label
    assert z3.simplify(index_bits(z3.BitVecVal(label, length))).as_long() == index
