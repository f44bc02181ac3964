"""Layers are joined by hand-overs: what one delivers is what the other is commanded, in order and in one turn."""

import pytest

from gomboc.checker.judge.layers import LayerTrace, Link, join
from gomboc.checker.judge.turns import turns
from gomboc.checker.judge.verdict import Difference, Holds, Unknown, Violated
from gomboc.checker.traces.trace import Step
from tests.toys.words.spec import UNORDERED, Word, header, hears, obeys, rests, system_and_steps

LINK = Link("lower", "upper", {"kind": "told"}, {"kind": "say"})


def told(text):
    """A delivery of the lower layer; the upper one is commanded to say it."""
    return {"kind": "told", "text": text}


def said(text):
    return {"kind": "say", "text": text}


def lower(*words):
    """The lower layer hands up those words, each with the node and the time."""
    return [{**hears(node, at, delivered=[told(word)]), "at": at} for node, at, word in words]


def at(time, line):
    return {**line, "at": time}


DELIVERED = ("a", 1, "one"), ("b", 2, "two"), ("a", 3, "three")
RIGHT = at(1, obeys("a", "one")), at(2, obeys("b", "two")), at(2.5, rests("a")), at(3, obeys("a", "three"))


def traced(name, lines):
    steps = system_and_steps(header(), *lines)[1]
    head = system_and_steps(header())[0].states
    fields = header()
    start = type("Head", (), {"roles": fields["roles"], "states": dict(head)})()
    return LayerTrace(name, UNORDERED, start, steps)


def joined(below, above, links=(LINK,)):
    return join([traced("lower", below), traced("upper", above)], links)


def test_commands_that_are_the_deliveries_in_the_order_of_each_node_join():
    assert joined(lower(*DELIVERED), RIGHT).verdict == Holds(
        "all of 3 commands are handed over, in order and in one turn"
    )


def test_one_command_is_told_as_one():
    verdict = joined(lower(("a", 1, "one")), [at(1, obeys("a", "one"))]).verdict
    assert verdict == Holds("all of 1 command are handed over, in order and in one turn")


def test_where_nothing_is_joined_nothing_is_known():
    for below, above, links in (([], [at(1, rests("a"))], [LINK]), (lower(*DELIVERED), RIGHT, [])):
        verdict = joined(below, above, links).verdict
        assert verdict == Unknown("nothing is handed over to or from lower")


def test_deliveries_and_commands_that_no_link_selects_are_nothing_to_it():
    others = [at(0.5, hears("a", 9, delivered=["good"])), *lower(*DELIVERED)]
    assert isinstance(joined(others, RIGHT).verdict, Holds)
    loud = Link("lower", "upper", {"kind": "told", "text": "one"}, {"kind": "say", "text": "one"})
    assert joined(lower(*DELIVERED), RIGHT[:1] + RIGHT[2:3], [loud]).verdict == Holds(
        "all of 1 command are handed over, in order and in one turn"
    )


def test_a_command_of_a_topic_that_the_run_does_not_have_is_forged():
    of_one = Link("lower", "upper", {"kind": "told", "text": "one"}, {"kind": "say", "text": "one"}, {"kind": "say"})
    verdict = joined(lower(*DELIVERED), RIGHT, [of_one])
    assert verdict.trace == "upper"
    assert verdict.verdict == Violated(
        *(2, "handed_over", "no topic of the run hands this command over", "b", ""),
        (Difference("command", None, said("two")),),
    )


@pytest.mark.parametrize(
    ("lines", "trace", "step", "node", "expected", "command"),
    [
        ([at(1, obeys("a", "three"))], "upper", 1, "a", said("one"), said("three")),
        ([RIGHT[0], RIGHT[0], *RIGHT[1:]], "upper", 2, "a", said("three"), said("one")),
        ([*RIGHT, at(4, obeys("b", "two"))], "upper", 5, "b", None, said("two")),
        ([RIGHT[1], RIGHT[2], RIGHT[3]], "upper", 3, "a", said("one"), said("three")),
        ([RIGHT[0], RIGHT[2], RIGHT[3]], "lower", 2, "b", said("two"), None),
    ],
    ids=["another", "twice", "one more", "one left out", "left out at the end"],
)
def test_a_command_that_is_another_one_or_none_is_found(lines, trace, step, node, expected, command):
    found = joined(lower(*DELIVERED), lines)
    verdict = found.verdict
    assert isinstance(verdict, Violated)
    assert (found.trace, verdict.step, verdict.rule, verdict.node) == (trace, step, "handed_over", node)
    assert verdict.differences == (Difference("command", expected, command),)


def test_only_the_last_turn_of_the_recording_may_be_cut():
    assert isinstance(joined(lower(*DELIVERED), RIGHT[:-1]).verdict, Holds)
    assert isinstance(joined(lower(*DELIVERED), [*RIGHT[:-1], at(4, rests("b"))]).verdict, Violated)
    assert isinstance(joined(lower(*DELIVERED), [*RIGHT[:-1], at(4, rests("a"))]).verdict, Violated)


@pytest.mark.parametrize("late", [2.6, 3.5])
def test_a_command_after_the_next_step_of_its_node_is_late(late):
    lines = [*RIGHT[1:2], at(2.5, rests("a")), at(late, obeys("a", "one"))]
    found = joined(lower(("a", 1, "one"), ("b", 2, "two")), lines)
    assert (found.trace, found.verdict.step, found.verdict.rule) == ("upper", 3, "handed_over_in_turn")
    assert found.verdict.says == "the command is in another turn than its delivery, step 1 of lower"


def test_a_command_before_its_delivery_is_in_another_turn():
    found = joined(lower(("a", 1, "one")), [at(0.5, obeys("a", "one"))])
    assert found.verdict.rule == "handed_over_in_turn"


def test_steps_of_other_nodes_come_between_a_delivery_and_its_command():
    lines = [at(1.1, rests("b")), at(1.2, obeys("a", "one"))]
    assert isinstance(joined(lower(("a", 1, "one")), lines).verdict, Holds)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([at(1, obeys("a", "one")), rests("a")], "step 2 of upper has no time"),
        ([at(1, obeys("a", "one")), at(0.5, rests("a"))], "step 2 of upper is before the one that precedes it"),
    ],
)
def test_without_times_in_order_no_turn_is_known(lines, why):
    verdict = joined(lower(("a", 1, "one")), lines).verdict
    assert verdict == Unknown(f"{why}, so it is not known in which turn something is handed over")
    wrong = [at(1, obeys("a", "two")), *lines[1:]]
    assert isinstance(joined(lower(("a", 1, "one")), wrong).verdict, Violated)


@pytest.mark.parametrize(("delivered", "commanded"), [(1, True), (0, False), (1, 1.0), ("1", 1), (None, 0)])
def test_values_join_as_they_are_written(delivered, commanded):
    def verdict(number):
        below = Step("a", 0, Word("good"), [], delivered=[{"kind": "told", "number": delivered}], at=1.0)
        above = Step("a", {"number": number, "kind": "say"}, Word("good"), [], at=1.0)
        layers = traced("lower", []), traced("upper", [])
        layers[0].steps, layers[1].steps = [below], [above, Step("b", "timeout", Word("good"), [], at=2.0)]
        return join(layers, [LINK]).verdict

    assert isinstance(verdict(commanded), Violated)
    assert isinstance(verdict(delivered), Holds)


def test_a_turn_lasts_from_one_input_of_a_node_to_the_next():
    known = turns([("a", 1.0), ("a", 3.0), ("b", 4.0), ("a", 1.0)])
    assert [known.number("a", when) for when in (0.5, 1.0, 2.9, 3.0, 9.0)] == [0, 1, 1, 2, 2]
    assert known.number("c", 1.0) == 0
    assert [known.is_last(node, when) for node, when in (("b", 4.0), ("b", 3.0), ("a", 3.0), ("c", 9.0))] == [
        *(True, False),
        *(False, False),
    ]
