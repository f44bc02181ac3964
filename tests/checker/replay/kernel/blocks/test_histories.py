"""Promises over histories in columns: whose history it is, and how rarely an observer is asked."""

from msgspec.structs import replace

from gomboc.checker.replay.kernel.blocks.histories import HistoriesJudge
from gomboc.spec.promises import Observer
from tests.checker.replay.kernel.framed import Stages
from tests.checker.replay.kernel.stating import observing
from tests.toys.words.spec import UNORDERED, header, hears


def broken(protocol, *traces):
    stages = Stages(*traces, protocol=protocol)
    found = HistoriesJudge(protocol, stages.values).broken(stages.frame, stages.last)
    return {promise.name: (promise.broken.tolist(), promise.conjuncts) for promise in found}


def test_each_node_has_its_own_history():
    start = header(messages=[(0, "a", "mad"), (1, "b", "bad"), (2, "a", "bad"), (3, "b", "mad")])
    steps = hears("a", 0, "mad"), hears("b", 1, "bad"), hears("b", 3, "mad"), hears("a", 2, "bad")
    found = broken(observing(UNORDERED), [start, *steps[:3]], [start, *steps])
    assert found["never_worse"] == ([-1, 8], {1: "worse"})


def test_an_observer_is_asked_once_for_each_thing_that_a_node_delivers_after_the_same():
    asked = []

    def observe(node, seen, delivered):
        asked.append((node, seen, delivered))
        return delivered, ()

    protocol = replace(UNORDERED, observers=(Observer("any", "", None, observe),))
    messages = [(number, "a", "good") for number in range(9)]
    trace = [header(messages=messages), *(hears("a", number) for number in range(9))]
    assert broken(protocol, trace, trace)["any"] == ([-1, -1], {})
    assert asked == [("a", None, "good"), ("a", "good", "good")]
