"""Facts behind the claims on delta-fault-tolerance; the claims themselves are in `test_claims.py`, once.

Source: Kazemzadeh and Jacobsen, Delta-Fault-Tolerant Publish/Subscribe Systems, 2007
"""

from random import Random

import pytest

from gomboc.checker.evidence.delta_fault_tolerance.experiments.formulas import TABLE_1, computed
from gomboc.checker.evidence.delta_fault_tolerance.experiments.running import Run
from gomboc.checker.evidence.delta_fault_tolerance.experiments.trees import trees
from gomboc.spec.protocols.delta_fault_tolerance import PROTOCOL
from gomboc.spec.protocols.delta_fault_tolerance.commands import Join
from gomboc.spec.protocols.delta_fault_tolerance.models import FIGURE_5, ONE, protocol
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.space import right_start


def test_table_1_is_right_from_delta_2_on():
    """Table 1."""
    for node, cells in TABLE_1.items():
        name = next(path for path in ("N1", f"N1.{node}", f"N1.N2.{node}", f"N1.N3.{node}") if _is(path, node))
        assert [computed(name, delta) for delta in (2, 3)] == list(cells[2:])


def _is(name, node):
    return name in FIGURE_5 and name.rpartition(".")[2] == node


@pytest.mark.parametrize(("nodes", "many"), list(enumerate((1, 1, 1, 2, 3, 6, 11, 23), 1)))
def test_there_are_that_many_trees(nodes, many):
    assert len(trees(nodes)) == many
    assert all(PROTOCOL.naming.misnamed(dict.fromkeys(names, "broker")) is None for names in trees(nodes))


@pytest.mark.parametrize("delta", range(4))
def test_a_leaf_that_has_joined_knows_and_is_known_as_if_it_had_always_been_there(delta):
    """Section 4.6, Equation 1; Lemma 5."""
    for names in (tree for nodes in range(1, 5) for tree in trees(nodes)):
        leaf = f"{names[-1]}.9"
        made = Run(protocol(delta), right_start(Parameters(delta), names, {names[0]: (ONE,)}, (leaf,)))
        made.command(leaf, Join())
        made.settle(Random(0))
        always = dict(right_start(Parameters(delta), (*names, leaf), {names[0]: (ONE,)}).locals)
        assert made.wrong() == ()
        for name, local in always.items():
            assert (made.states[name].known, made.states[name].rows) == (local.known, local.rows)
