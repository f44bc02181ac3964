"""The first step of each trace that breaks a rule; of several rules, the one that the naive judge checks first."""

import pytest

from gomboc.checker.judge.verdict import Violated
from gomboc.checker.replay.kernel.blocks.conformance import (
    NAMES,
    NOTHING_FOUND,
    RULES,
    CheckedRule,
    first_findings,
    undecided_traces,
)
from tests.checker.replay.kernel.framed import Stages
from tests.toys.words.spec import FIFO, ROUNDS, UNORDERED, header, hears, in_flight, judged, obeys, rests, tells

START = header(messages=[(0, "a", "good"), (1, "b", "bad")])
OF_ITSELF = START, hears("b", 2, sent=in_flight((2, "b", "good")))
CASES = {
    CheckedRule.UNKNOWN_NODE: (START, rests("a"), rests("x")),
    CheckedRule.CHAIN: (START, rests("a"), rests("a", before={"text": "bad"})),
    CheckedRule.CANONICAL: (START, rests("a", sent=in_flight((2, "b", "")))),
    CheckedRule.NEVER_SENT: (START, hears("a", 7)),
    CheckedRule.NOT_YET_SENT: (START, rests("a"), hears("b", 2), tells("a", 2)),
    CheckedRule.TWICE: (START, hears("a", 0), rests("b"), hears("a", 0)),
    CheckedRule.TARGET: (START, hears("b", 0)),
    CheckedRule.ALTERED: (START, hears("a", 0, received={"text": "bad"})),
    CheckedRule.FRESH: (START, tells("a", 2), tells("a", 0)),
    CheckedRule.UNKNOWN_TARGET: (START, rests("a", sent=in_flight((2, "x", "good")))),
    CheckedRule.LOCAL: (START, rests("b"), rests("a", "bad")),
}


def first(stages):
    return first_findings(
        stages.protocol.discipline,
        stages.frame,
        stages.turns,
        stages.messages,
        stages.marks,
        stages.malformed,
        stages.same_message,
    ).tolist()


def named(stages):
    return [
        None if entry == NOTHING_FOUND else (entry // RULES - base, CheckedRule(entry % RULES))
        for entry, base in zip(first(stages), stages.frame.base, strict=False)
    ]


@pytest.mark.parametrize("rule", CASES, ids=lambda rule: rule.name)
def test_each_rule_is_found_where_the_naive_judge_finds_it(rule):
    lines = CASES[rule]
    wanted = judged(*lines).conformance
    assert isinstance(wanted, Violated)
    (result,) = named(Stages(list(lines)))
    assert result == (wanted.step, rule)
    assert NAMES.get(rule, "tell") == wanted.rule


@pytest.mark.parametrize(
    ("protocol", "lines"),
    [
        (FIFO, (rests("a", sent=in_flight((2, "b", "good"), (3, "b", "good"))), hears("b", 3))),
        (ROUNDS, (tells("a", 2), hears("b", 2))),
    ],
)
def test_a_discipline_is_a_rule_too(protocol, lines):
    start = header(protocol=protocol)
    assert named(Stages([start, *lines], protocol=protocol)) == [(2, CheckedRule.ORDER)]
    assert named(Stages([header(), *lines])) == [None]


BOTH = {
    "the chain before the state": rests("a", "", before={"text": "bad"}),
    "the state before the delivery": hears("a", 9, ""),
    "the delivery before the sends": hears("a", 9, sent=in_flight((0, "b", "good"))),
    "the sends before the outcome": rests("a", "bad", sent=in_flight((0, "b", "good"))),
    "of two sends the first": rests("a", sent=in_flight((5, "x", "good"), (0, "b", "good"))),
    "of two sends the first again": rests("a", sent=in_flight((0, "b", "good"), (5, "x", "good"))),
}


@pytest.mark.parametrize("name", BOTH)
def test_of_several_rules_in_one_step_it_is_that_which_the_naive_judge_asks_first(name):
    wanted = judged(START, BOTH[name]).conformance
    ((step, rule),) = named(Stages([START, BOTH[name]]))
    assert (step, NAMES.get(rule)) == (wanted.step, wanted.rule)


def test_a_step_that_takes_its_own_send_delivers_before_it_sends():
    assert named(Stages(list(OF_ITSELF))) == [(1, CheckedRule.NOT_YET_SENT)]
    assert judged(*OF_ITSELF).conformance.rule == "sent_before_delivered"


def test_findings_belong_to_their_traces():
    right = [START, rests("a")]
    assert named(Stages(right, list(CASES[CheckedRule.LOCAL]), right, list(CASES[CheckedRule.TWICE]))) == [
        None,
        (2, CheckedRule.LOCAL),
        None,
        (3, CheckedRule.TWICE),
    ]


def test_equal_messages_are_equal_however_they_are_spelled():
    """The same content under two numbers: only its value says that nothing was altered."""
    stages = Stages([header(messages=[(0, "a", "good")]), hears("a", 0, received={"text": "bad"})])
    texts = stages.distinct.message_texts
    texts[texts.index(b'{"text":"bad"}')] = b'{ "text": "good"}'
    assert named(stages) == [None]


def test_positions_of_values_that_are_not_canonical():
    at_start, later = [header(b=""), rests("a")], [START, rests("a"), rests("b", "")]
    stages = Stages(later, at_start, [header(messages=[(0, "a", "")])])
    assert sorted(stages.malformed.tolist()) == [2, 3, 5]


def test_a_trace_with_other_local_steps_than_its_lines_is_undecided():
    stages = Stages([header(), rests("a")], [header(), rests("a"), rests("a", "bad")], [START, hears("a", 0)])
    stages.frame.step[[1, 2]] = stages.frame.step[[2, 1]]
    stages.frame.initial_content[:] = stages.frame.initial_content[[1, 0]]
    traces = undecided_traces(stages.frame, stages.turns, stages.messages, stages.marks, stages.same_message)
    assert traces.tolist() == [1, 2]


def test_a_command_among_the_messages_makes_a_trace_undecided():
    stages = Stages([START, rests("a")], [header(), obeys("a", "bad")])
    assert not stages.marks.any_undecided
    stages.frame.initial_content[:] = stages.distinct.input.max()
    traces = undecided_traces(stages.frame, stages.turns, stages.messages, stages.marks, stages.same_message)
    assert traces.tolist() == [0]


def test_nothing_is_wrong_with_an_honest_trace():
    assert first(Stages([START, rests("a"), tells("a", 2), hears("b", 2)], protocol=UNORDERED)) == [NOTHING_FOUND]
