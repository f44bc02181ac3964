"""A local step is judged as by the naive judge, and the effects of right steps are counted."""

import pytest

from gomboc.checker.errors import UsageError
from gomboc.checker.replay.kernel.values.findings import UNDECIDED, Fired, LocalFinding
from gomboc.checker.replay.kernel.values.judging import LocalJudge, judge_all, judgeable
from gomboc.checker.replay.kernel.values.spelling import SpelledStep
from gomboc.spec.model import Commanded, Received, Timeout
from tests.checker.replay.kernel.framed import Stages
from tests.checker.replay.kernel.stating import sleepy
from tests.toys.words.spec import FIFO, UNORDERED, Say, Word, header, hears, rests

GOOD, BAD, EMPTY = Word("good"), Word("bad"), Word("")
RIGHT = SpelledStep("a", GOOD, Timeout(), GOOD, [("b", GOOD)], None, [])
HEARD = SpelledStep("b", GOOD, Received(BAD), BAD, [], None, ["bad"])


@pytest.mark.parametrize("step", [RIGHT, HEARD, RIGHT._replace(coin="speak"), RIGHT._replace(sends=[], coin="silent")])
def test_a_step_that_the_specification_allows_is_right(step):
    assert LocalJudge(UNORDERED).step(step) is None


WRONG = {
    "another_state": (HEARD._replace(after=GOOD), LocalFinding("hear", "text")),
    "another_send": (RIGHT._replace(sends=[("b", BAD)]), LocalFinding("tell", "sent Word")),
    "another_target": (RIGHT._replace(sends=[("a", GOOD)]), LocalFinding("tell", "sent Word")),
    "a_send_more": (RIGHT._replace(sends=[("b", GOOD)] * 3), LocalFinding("tell", "sent Word")),
    "a_send_of_any_node_that_sends_nothing": (HEARD._replace(sends=[("a", GOOD)]), LocalFinding("hear", "sent Word")),
    "another_coin": (RIGHT._replace(coin="silent"), LocalFinding("tell", "sent Word")),
    "no_such_coin": (RIGHT._replace(coin="edge"), LocalFinding("tell", "coin")),
    "nothing_handed_over": (HEARD._replace(delivered=[]), LocalFinding("hear", "delivered")),
    "handed_over_twice": (HEARD._replace(delivered=["bad", "bad"]), LocalFinding("hear", "delivered")),
    "no_rule": (
        SpelledStep("a", GOOD, Commanded(Say("riddle")), GOOD, [], None, []),
        LocalFinding("input_has_rule"),
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_forbidden_step_is_found_with_rule_and_conjunct(name):
    step, finding = WRONG[name]
    assert LocalJudge(UNORDERED).step(step) == finding


def test_the_order_of_sends_matters_under_fifo_only():
    swapped = RIGHT._replace(before=BAD, after=BAD, sends=[("b", GOOD), ("b", BAD)], coin="twice")
    assert LocalJudge(UNORDERED).step(swapped) is None
    assert LocalJudge(FIFO).step(swapped) == LocalFinding("tell", "order of sends")


def test_only_right_steps_are_counted_with_their_effects():
    judge = LocalJudge(UNORDERED)
    for step in (RIGHT, RIGHT, HEARD, HEARD._replace(after=GOOD), RIGHT._replace(sends=[], coin="silent")):
        judge.step(step)
    assert dict(judge.fired) == {
        Fired("tell", "teller", "Timeout", "timeout", changed=False, sent=True, coin=None): 2,
        Fired("hear", "teller", "Received", "Word", changed=True, sent=False, coin=None): 1,
        Fired("tell", "teller", "Timeout", "timeout", changed=False, sent=False, coin="silent"): 1,
    }


def _refuse():
    raise UsageError("it cannot be read")


def test_a_value_is_canonical_or_not_or_undecided():
    judge = LocalJudge(UNORDERED)
    assert judge.value(lambda: GOOD) is judge.value(lambda: None) is None
    assert judge.value(lambda: EMPTY) == LocalFinding("canonical", "Section 4")
    assert judge.value(_refuse) == LocalFinding(UNDECIDED, "UsageError: it cannot be read")


def test_a_step_over_which_the_specification_stumbles_is_undecided_unless_something_before_it_is_wrong(monkeypatch):
    judge = LocalJudge(UNORDERED)

    def stumble(*_):
        raise AssertionError("a word, please")

    monkeypatch.setattr(judge, "_is_plainly_right", lambda _: False)
    monkeypatch.setattr(judge, "_step", stumble)
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
