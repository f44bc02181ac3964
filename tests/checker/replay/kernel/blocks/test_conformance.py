"""The first step of each trace that breaks a rule; of several rules, the one that the naive judge checks first."""

import pytest

from gomboc.checker.judge.verdict import Violated
from gomboc.checker.replay.kernel.blocks.conformance import (
    NAMES,
    NOTHING_FOUND,
    RULES,
    CheckedRule,
    positions_of_strangers,
    undecided_traces,
)
from tests.checker.replay.kernel.framed import Stages
from tests.toys.words.spec import UNORDERED, header, hears, in_flight, judged, obeys, rests, tells

START = header(messages=[(0, "a", "good"), (1, "b", "bad")])
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


def named(stages):
    return [
        None if entry == NOTHING_FOUND else (entry // RULES - base, CheckedRule(entry % RULES))
        for entry, base in zip(stages.first.tolist(), stages.frame.base, strict=False)
    ]


@pytest.mark.parametrize("rule", CASES, ids=lambda rule: rule.name)
def test_each_rule_is_found_where_the_naive_judge_finds_it(rule):
    lines = CASES[rule]
    wanted = judged(*lines).conformance
    assert isinstance(wanted, Violated)
    (result,) = named(Stages(list(lines)))
    assert result == (wanted.step, rule)
    assert NAMES.get(rule, "tell") == wanted.rule


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
    contents = stages.batch.starts.initial_content.values
    stages.frame.step[[1, 2]] = stages.frame.step[[2, 1]]
    contents[:] = contents[[1, 0]]
    traces = undecided_traces(stages.block)
    assert traces.tolist() == [1, 2]


def test_a_command_among_the_messages_makes_a_trace_undecided():
    stages = Stages([START, rests("a")], [header(), obeys("a", "bad")])
    block = stages.block
    assert not stages.marks.any_undecided
    stages.batch.starts.initial_content.values[:] = stages.distinct.input.max()
    assert undecided_traces(block).tolist() == [0]


NAMING = UNORDERED.changed(named=lambda value: (value.text,) if len(value.text) < 3 else ())


def strangers(*traces):
    """Where each trace names a node that it does not have, while others of its pack have it: trace and step."""
    stages = Stages(*map(list, traces), protocol=NAMING)
    positions = positions_of_strangers(stages.block, stages.naming, stages.first)
    traces = stages.frame.trace_at(positions)
    return list(zip(traces.tolist(), (positions - stages.frame.base[traces]).tolist(), strict=True))


def three(*args, **more):
    return header(*args, protocol=NAMING, c="good", **more)


def two(*args, **more):
    return header(*args, protocol=NAMING, **more)


def test_the_nodes_of_a_trace_may_be_named():
    lines = rests("a", "b"), tells("b", 0, "a"), hears("a", 0, "a")
    assert strangers([two(), *lines], [three("c"), *lines, rests("b", "c")]) == []


def test_a_state_names_a_stranger_at_the_start_or_after_a_step():
    assert strangers([three("c"), rests("a")], [two("c"), rests("a")], [two(), rests("b"), rests("a", "c")]) == [
        (1, 0),
        (2, 2),
    ]


def test_a_message_names_a_stranger_at_the_start_or_where_it_is_sent():
    sends = rests("a", sent=in_flight((1, "b", "good"), (2, "b", "c")))
    assert strangers([three(messages=[(0, "a", "c")]), sends], [two(messages=[(0, "a", "c")]), rests("b"), sends]) == [
        (1, 0),
        (1, 2),
    ]


def test_a_command_names_a_stranger():
    traces = [[start, rests("a"), obeys("b", "c", state={"text": "good"})] for start in (two(), three())]
    assert strangers(*traces) == [(0, 2)]
    wrong = rests("a", "bad")
    traces = [[start, wrong, obeys("b", "c", state={"text": "good"}), rests("b")] for start in (two(), three())]
    assert strangers(*traces) == [(0, 2)]


def test_the_sends_of_an_unknown_nodes_step_are_compared():
    assert strangers([two(), rests("x", "y")], [two(), rests("x", sent=in_flight((0, "a", "y")))]) == [(1, 1)]


def test_an_unsent_message_may_name_an_unknown_node():
    lines = hears("a", 7, "c"), rests("a", "c"), rests("b")
    assert strangers([two(), *lines], [three(), *lines]) == [(0, 1), (0, 2)]


def test_names_in_a_value_that_is_no_word_are_not_computed():
    assert strangers([two(""), rests("b", "")], [two(messages=[(0, "a", "")])]) == []


def test_more_names_than_one_word_of_bits_holds():
    names = [f"{number}" for number in range(10, 99)]
    traces = [[two(), rests("a"), rests("b", name)] for name in names]
    assert strangers(*traces) == [(number, 2) for number in range(len(names))]
    for trace in traces[::3]:
        trace[0] = {**two(), "roles": dict.fromkeys(("a", "b", trace[2]["state"]["text"]), "teller")}
        trace[0]["states"] = {name: {"text": "good"} for name in trace[0]["roles"]}
    assert strangers(*traces) == [(number, 2) for number in range(len(names)) if number % 3]
