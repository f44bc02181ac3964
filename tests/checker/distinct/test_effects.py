"""Right steps are counted by their effects, which have numbers."""

from msgspec.structs import replace

from gomboc.checker.distinct.distinct import NONE
from gomboc.checker.distinct.effects import Effects
from gomboc.checker.distinct.findings import Fired
from gomboc.checker.distinct.judging import LocalJudge
from gomboc.checker.distinct.spelling import SpelledSteps
from tests.checker.distinct.test_judging import GOOD, HEARD, RIGHT
from tests.toys.words.spec import UNORDERED

TOLD = Fired("tell", "teller", "Timeout", "timeout", changed=False, sent=True, coin=None)
TAKEN = Fired("hear", "teller", "Received", "Word", changed=True, sent=False, coin=None)


def test_only_right_steps_are_counted_with_their_effects():
    judge = LocalJudge(UNORDERED)
    for step in (RIGHT, RIGHT, HEARD, HEARD._replace(after=GOOD), RIGHT._replace(sends=(), coin="silent")):
        judge.step(step)
    assert dict(judge.effects.fired) == {
        TOLD: 2,
        TAKEN: 1,
        Fired("tell", "teller", "Timeout", "timeout", changed=False, sent=False, coin="silent"): 1,
    }


def test_a_step_is_counted_for_each_rule_that_it_fires():
    effects = Effects(UNORDERED)
    numbers = effects.count(
        SpelledSteps(*zip(RIGHT, HEARD, RIGHT, strict=True)), [("tell", "rest"), None, ("tell", "rest")]
    )
    assert numbers.tolist() == [0, NONE, 0]
    assert effects.spelled() == [(TOLD, replace(TOLD, rule="rest"))]
    assert dict(effects.fired) == {TOLD: 2, replace(TOLD, rule="rest"): 2}


def test_effects_that_differ_in_one_part_have_different_numbers():
    effects = Effects(UNORDERED)
    steps = RIGHT, HEARD, RIGHT._replace(coin="speak"), RIGHT._replace(sends=()), HEARD._replace(before=HEARD.after)
    assert effects.count(SpelledSteps(*zip(*steps, strict=True)), ["tell"] * 5).tolist() == [0, 1, 2, 3, 4]
    assert effects.count(SpelledSteps(*zip(*steps, strict=True)), ["tell", *["rest"] * 4]).tolist() == [0, 5, 6, 7, 8]
