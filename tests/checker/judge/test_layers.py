"""Layers are joined by commands: the upper one's are the lower one's deliveries."""

import pytest

from gomboc.checker.judge.layers import joined
from gomboc.checker.judge.verdict import Difference, Holds, Unknown, Violated
from gomboc.checker.traces.trace import Step
from tests.toys.words.spec import Word, header, hears, obeys, rests, system_and_steps


def told(text):
    """A delivery of the lower layer, which is a command of the upper one."""
    return {"kind": "say", "text": text}


def lower(*words):
    """The lower layer hands those pairs of a node and a word to the upper one."""
    lines = (hears(node, number, delivered=[told(word)]) for number, (node, word) in enumerate(words))
    return system_and_steps(header(), *lines)[1]


def upper(*lines):
    return system_and_steps(header(), *lines)[1]


DELIVERED = ("a", "one"), ("b", "two"), ("a", "three")


def test_commands_that_are_the_deliveries_in_the_order_of_each_node_join():
    steps = upper(obeys("b", "two"), rests("a"), obeys("a", "one"), hears("b", 0), obeys("a", "three"))
    assert joined(lower(*DELIVERED), steps) == Holds("all of 3 commands are deliveries of the lower layer, in order")


def test_one_command_is_told_as_one():
    verdict = joined(lower(("a", "one")), upper(obeys("a", "one")))
    assert verdict == Holds("all of 1 command are deliveries of the lower layer, in order")


def test_where_nothing_is_joined_nothing_is_known():
    assert isinstance(joined(lower(), upper(rests("a"))), Unknown)
    assert isinstance(joined(lower(), upper()), Unknown)
    assert isinstance(joined(lower(), upper(obeys("a", "one")), {"say"}), Unknown)


@pytest.mark.parametrize(("delivered", "commanded"), [(1, True), (0, False), (1, 1.0), ("1", 1), (None, 0)])
def test_values_join_as_they_are_written(delivered, commanded):
    said = Step("a", 0, Word("good"), [], delivered=[{"kind": "count", "number": delivered}])
    asked = Step("a", {"kind": "count", "number": commanded}, Word("good"), [])
    assert isinstance(joined([said], [asked]), Violated)
    assert isinstance(joined([said], [Step("a", {"number": delivered, "kind": "count"}, Word("good"), [])]), Holds)


@pytest.mark.parametrize(
    ("lines", "step", "node", "expected", "command"),
    [
        ([obeys("a", "three")], 1, "a", told("one"), told("three")),
        ([obeys("a", "one"), obeys("a", "one")], 2, "a", told("three"), told("one")),
        ([obeys("b", "two"), obeys("b", "two")], 2, "b", None, told("two")),
        ([rests("a"), obeys("c", "one")], 2, "c", None, told("one")),
        ([obeys("a", "one"), obeys("b", "two")], 0, "a", told("three"), None),
    ],
)
def test_a_command_that_is_another_one_or_none_is_found(lines, step, node, expected, command):
    verdict = joined(lower(*DELIVERED), upper(*lines))
    assert isinstance(verdict, Violated)
    assert (verdict.step, verdict.rule, verdict.node) == (step, "layers_join", node)
    assert verdict.differences == (Difference("command", expected, command),)
