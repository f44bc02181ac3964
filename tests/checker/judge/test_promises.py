"""Optional declarations of a protocol: names of nodes, and promises over deliveries. `runs.txt` has the others."""

from gomboc.checker.judge.promises import Histories
from gomboc.spec.core.model import Fault
from gomboc.spec.core.promises import Observer
from tests.checker.judge.both import judged
from tests.checker.refusing import sentence
from tests.toys.words.spec import UNORDERED, header, rests


def test_nodes_that_cannot_form_a_system_are_refused_with_file_and_line():
    choosy = UNORDERED.changed(misnamed=lambda roles: f"node {max(roles)!r} has no twin" if len(roles) == 3 else None)
    assert judged(header(), rests("a"), rests("b"), protocol=choosy).exit_code() == 0
    assert sentence(judged, header(c="good"), rests("a"), protocol=choosy) == "toy.jsonl:1: node 'c' has no twin."


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
