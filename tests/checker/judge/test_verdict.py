"""Verdicts are values: compared, ordered by step, and turned into one exit code."""

import msgspec
import pytest

from gomboc.checker.judge.verdict import Holds, Judgement, Unknown, Violated

YES, UNSURE = Holds("it does"), Unknown("who knows")
EARLY, LATE = Violated(2, "closure", "too early"), Violated(7, "tell", "too late")


def judgement(*verdicts):
    return Judgement("t.jsonl", "toy", 2, 9, *verdicts)


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        ((YES, YES, YES), 0),
        ((EARLY, YES, YES), 1),
        ((YES, EARLY, YES), 1),
        ((YES, YES, EARLY), 1),
        ((UNSURE, YES, YES), 3),
        ((YES, UNSURE, YES), 3),
        ((YES, YES, UNSURE), 3),
        ((UNSURE, UNSURE, EARLY), 1),
    ],
)
def test_violated_outweighs_unknown_and_unknown_outweighs_holds(verdicts, code):
    assert judgement(*verdicts).exit_code() == code


def test_the_earliest_violation_comes_first():
    assert judgement(LATE, EARLY, YES).violations() == (EARLY, LATE)
    assert judgement(YES, UNSURE, YES).violations() == ()


def test_violations_of_one_step_keep_the_order_in_which_they_are_reported():
    other = Violated(7, "closure", "left")
    assert judgement(LATE, other, YES).violations() == (LATE, other)


def test_verdicts_are_named_in_the_order_in_which_they_are_reported():
    assert judgement(YES, UNSURE, LATE).verdicts() == (("conformance", YES), ("closure", UNSURE), ("convergence", LATE))


@pytest.mark.parametrize("verdict", [YES, UNSURE, EARLY])
def test_a_verdict_survives_json(verdict):
    written = msgspec.json.encode(verdict)
    assert msgspec.json.decode(written, type=Holds | Violated | Unknown) == verdict
