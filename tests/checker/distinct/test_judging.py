"""A local step is judged as by the naive judge, and the effects of right steps are counted."""

import numpy as np
import pytest

from gomboc.checker.core.errors import UsageError
from gomboc.checker.distinct.distinct import NONE
from gomboc.checker.distinct.findings import UNDECIDED, LocalFinding
from gomboc.checker.distinct.judging import LocalJudge, judge_all, judge_steps, judgeable
from gomboc.checker.distinct.spelling import SpelledStep
from gomboc.spec.core.model import Commanded, Received, Send, Timeout
from tests.checker.replay.kernel.framed import Stages
from tests.checker.replay.kernel.stating import sleepy
from tests.toys.words.spec import FIFO, UNORDERED, Say, Word, header, hears, rests

GOOD, BAD, EMPTY = Word("good"), Word("bad"), Word("")
RIGHT = SpelledStep("a", GOOD, Timeout(), GOOD, (Send("b", GOOD),), None, [])
HEARD = SpelledStep("b", GOOD, Received(BAD), BAD, (), None, ["bad"])


@pytest.mark.parametrize("step", [RIGHT, HEARD, RIGHT._replace(coin="speak"), RIGHT._replace(sends=(), coin="silent")])
def test_a_step_that_the_specification_allows_is_right(step):
    assert LocalJudge(UNORDERED).step(step) is None


WRONG = {
    "another_state": (HEARD._replace(after=GOOD), LocalFinding("hear", "text")),
    "another_send": (RIGHT._replace(sends=(Send("b", BAD),)), LocalFinding("tell", "sent Word")),
    "another_target": (RIGHT._replace(sends=(Send("a", GOOD),)), LocalFinding("tell", "sent Word")),
    "a_send_more": (RIGHT._replace(sends=(Send("b", GOOD),) * 3), LocalFinding("tell", "sent Word")),
    "a_send_of_any_node_that_sends_nothing": (
        HEARD._replace(sends=(Send("a", GOOD),)),
        LocalFinding("hear", "sent Word"),
    ),
    "another_coin": (RIGHT._replace(coin="silent"), LocalFinding("tell", "sent Word")),
    "no_such_coin": (RIGHT._replace(coin="edge"), LocalFinding("tell", "coin")),
    "nothing_handed_over": (HEARD._replace(delivered=[]), LocalFinding("hear", "delivered")),
    "handed_over_twice": (HEARD._replace(delivered=["bad", "bad"]), LocalFinding("hear", "delivered")),
    "no_rule": (
        SpelledStep("a", GOOD, Commanded(Say("riddle")), GOOD, (), None, []),
        LocalFinding("input_has_rule"),
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_forbidden_step_is_found_with_rule_and_conjunct(name):
    step, finding = WRONG[name]
    assert LocalJudge(UNORDERED).step(step) == finding


def test_the_order_of_sends_matters_under_fifo_only():
    swapped = RIGHT._replace(before=BAD, after=BAD, sends=(Send("b", GOOD), Send("b", BAD)), coin="twice")
    assert LocalJudge(UNORDERED).step(swapped) is None
    assert LocalJudge(FIFO).step(swapped) == LocalFinding("tell", "order of sends")


def test_a_value_is_canonical_or_not_or_undecided():
    def value(number):
        if number == 3:
            raise UsageError("it cannot be read")
        return (GOOD, None, EMPTY)[number]

    assert LocalJudge(UNORDERED).values(np.arange(4), value) == {
        2: LocalFinding("canonical", "Section 4"),
        3: LocalFinding(UNDECIDED, "UsageError: it cannot be read"),
    }


def test_a_step_over_which_the_specification_stumbles_is_undecided_unless_something_before_it_is_wrong(monkeypatch):
    judge = LocalJudge(UNORDERED)

    def stumble(*_):
        raise AssertionError("a word, please")

    monkeypatch.setattr(judge, "_plainly_right", lambda steps: [None] * len(steps.node))
    monkeypatch.setattr(judge, "_violated", stumble)
    assert judge.step(RIGHT) == LocalFinding(UNDECIDED, "AssertionError: a word, please")
    assert judge.step(RIGHT._replace(before=EMPTY)) is None
    assert judge.step(HEARD._replace(taken=Received(EMPTY))) is None


def test_steps_of_unknown_nodes_and_unsent_messages_are_not_judged_alone():
    stages = Stages([header(), rests("a"), rests("x"), hears("b", 7)])
    assert judgeable(stages.distinct).tolist() == [0]


def test_everything_that_a_pack_holds_is_judged_by_number():
    lines = header(messages=[(0, "a", "")]), rests("a"), rests("b", "bad"), rests("a", "")
    stages = Stages(list(lines))
    findings = judge_all(stages.judge, stages.distinct)
    assert findings.states == {stages.distinct.after[2]: LocalFinding("canonical", "Section 4")}
    assert findings.messages == {0: LocalFinding("canonical", "Section 4")}
    assert findings.steps == {1: LocalFinding("tell", "text"), 2: LocalFinding("tell", "text")}


def test_judging_one_step_never_evaluates_asleep():
    """The other nodes of a step that is judged by itself have no states that could be asked."""
    assert LocalJudge(sleepy(FIFO)).step(HEARD._replace(after=GOOD)) == LocalFinding("hear", "text")


def test_each_step_has_its_own_effect_though_steps_of_one_kind_are_judged_in_a_row():
    lines = hears("b", 0, "good"), rests("a"), hears("b", 1, "bad"), rests("a", sent=[], coin="silent")
    stages = Stages([header(messages=[(0, "b", "good"), (1, "b", "bad")]), *lines])
    findings, effects = judge_steps(stages.judge, stages.values, np.arange(4))
    spelled = stages.judge.effects.spelled()
    told = [(fired.rule, fired.coin) for number in effects.tolist() for fired in spelled[number]]
    assert (findings, told) == ({}, [("hear", None), ("tell", None), ("hear", None), ("tell", "silent")])


def unreadable(monkeypatch, text):
    """Three steps; the text of the state after the second is replaced by that text."""
    stages = Stages([header(), rests("a"), rests("a", "bad"), rests("b")])
    texts = list(stages.distinct.state_texts)
    texts[stages.distinct.after[1]] = text
    monkeypatch.setitem(stages.distinct.__dict__, "state_texts", texts)
    return stages


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b'{"text":1}', "Expected `str`, got `int` - at `$.text`"),
        (b'{"text":"bad","text":"good"}', "the key 'text' stands twice in one object"),
    ],
)
def test_an_unreadable_step_costs_only_itself(monkeypatch, text, says):
    stages = unreadable(monkeypatch, text)
    findings, effects = judge_steps(stages.judge, stages.values, np.arange(3))
    assert findings == {1: LocalFinding(UNDECIDED, says)}
    assert effects.tolist() == [0, NONE, 0]
