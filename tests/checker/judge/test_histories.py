"""Observers of a run: each node's own automaton, or one for the whole system, without deliveries of other nodes."""

from gomboc.checker.judge.histories import Histories
from gomboc.spec.core.model import Fault
from gomboc.spec.core.promises import Observer


def twice(node, seen, delivered):
    """A promise that nothing is delivered twice."""
    faults = (Fault("once", node, "nothing twice", str(delivered), "a toy"),) if delivered in seen else ()
    return (*seen, delivered), faults


ALONE = Observer("alone", "a toy", (), twice)
TOGETHER = Observer("together", "a toy", (), twice, whole=True)


def test_an_automaton_of_a_node_sees_that_nodes_deliveries():
    histories = Histories((ALONE,))
    assert [histories.deliver(*output) for output in (("a", 1), ("b", 1), ("a", 2))] == [{}, {}, {}]
    (result,) = histories.deliver("b", 1).values()
    assert [(fault.rule, fault.node, fault.found) for fault in result] == [("once", "b", "1")]


def test_an_automaton_of_the_whole_system_sees_all_deliveries():
    histories = Histories((ALONE, TOGETHER))
    assert histories.deliver("a", 1) == {}
    assert list(histories.deliver("b", 1)) == ["together"]
    assert list(histories.deliver("b", 1)) == ["alone", "together"]
