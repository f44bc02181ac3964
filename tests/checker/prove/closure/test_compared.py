"""Closure of protocols as strangers write them: what small systems break is not proved, and many others are."""

from collections import Counter

from tests.checker.prove.closure.compared import compared

SEED, NUMBERS = 1, (0, 1, 2, 6)


def test_no_drawn_protocol_that_small_systems_break_is_proved_and_some_others_are():
    counts = Counter(compared(SEED, number)[:2] for number in NUMBERS)
    assert counts == {("proved", "holds"): 3, ("refuted", "breaks"): 1}
