"""Promises over histories in columns: the history of each observer, and how rarely an observer is evaluated."""

import pytest

from gomboc.checker.replay.kernel.blocks.histories import HistoriesJudge
from gomboc.spec.core.model import Fault
from gomboc.spec.core.promises import Observer
from tests.checker.replay.kernel.framed import Stages
from tests.checker.replay.kernel.stating import observing
from tests.toys.words.spec import UNORDERED, header, hears


def broken(protocol, *traces):
    stages = Stages(*traces, protocol=protocol)
    findings = HistoriesJudge(protocol, stages.values).broken(stages.block, stages.last)
    return {promise.name: (promise.broken.tolist(), promise.conjuncts) for promise in findings}


def test_each_node_has_its_own_history():
    start = header(messages=[(0, "a", "mad"), (1, "b", "bad"), (2, "a", "bad"), (3, "b", "mad")])
    steps = hears("a", 0, "mad"), hears("b", 1, "bad"), hears("b", 3, "mad"), hears("a", 2, "bad")
    findings = broken(observing(UNORDERED), [start, *steps[:3]], [start, *steps])
    assert findings["never_worse"] == ([-1, 8], {1: "worse"})


def test_an_observer_is_asked_once_for_each_thing_that_a_node_delivers_after_the_same():
    asked = []

    def observe(node, seen, delivered):
        asked.append((node, seen, delivered))
        return delivered, ()

    protocol = UNORDERED.changed(observers=(Observer("any", "", None, observe),))
    messages = [(number, "a", "good") for number in range(9)]
    trace = [header(messages=messages), *(hears("a", number) for number in range(9))]
    assert broken(protocol, trace, trace)["any"] == ([-1, -1], {})
    assert asked == [("a", None, "good"), ("a", "good", "good")]


def counting(node, seen, delivered):
    """Raises for a word that says so; twice the same word is a fault."""
    if delivered == "raise":
        raise TypeError("what is this?")
    return (*seen, delivered), (Fault("never_twice", node, "", delivered, ""),) if delivered in seen else ()


def test_states_from_before_an_observer_raised_are_dropped():
    """An honest trace beside one that raises, and a wrong one: after the halves were tried, each is judged as alone."""
    protocol = UNORDERED.changed(observers=(Observer("never_twice", "", (), counting),))
    start = header(messages=[(0, "a", "good"), (1, "a", "good"), (2, "a", "bad")])
    raises = start, hears("a", 0, delivered=["good"]), hears("a", 1, delivered=["raise"])
    honest = start, hears("a", 0, delivered=["good"]), hears("a", 2, "bad", delivered=["bad"])
    wrong = start, hears("a", 0, delivered=["bad"]), hears("a", 1, delivered=["bad"])
    for first in (raises, [*raises, hears("a", 2, delivered=["bad"])]):
        stages = Stages(list(first), list(honest), list(wrong), protocol=protocol)
        judge = HistoriesJudge(protocol, stages.values)
        with pytest.raises(TypeError):
            judge.broken(stages.block, stages.last)
        # The trace that raises is left out, as the halves do it: it is judged up to before its start.
        left_out = stages.last.copy()
        left_out[0] = -1
        (result,) = judge.broken(stages.block, left_out)
        assert (result.broken == -1).tolist() == [True, True, False]


@pytest.mark.parametrize(("one", "other"), [(1, True), (0, False), (1, 1.0)])
def test_values_that_differ_in_json_are_observed_as_different(one, other):
    """An observer that remembers the last number, and finds fault with a number that is not whole."""

    def observe(node, seen, delivered):
        whole = seen is None or type(seen) is int
        return delivered, () if whole else (Fault("whole_numbers", node, "", delivered, ""),)

    protocol = UNORDERED.changed(observers=(Observer("whole_numbers", "", None, observe),))
    start = header(messages=[(0, "a", "good"), (1, "a", "good")])
    traces = [[start, hears("a", 0, delivered=[value]), hears("a", 1, delivered=[5])] for value in (one, other, one)]
    result, _ = broken(protocol, *traces)["whole_numbers"]
    assert [entry == -1 for entry in result] == [True, False, True]
