"""Closure of a small protocol of one's own: a mistake that only some values show is never proved away."""

import pytest

from gomboc.checker.judge.verdict import Unknown
from gomboc.checker.prove.settlement import Proved, Refuted
from gomboc.spec import Outcome, Send
from tests.checker.prove.closure.followers import Follower, Point, numbered, own


def test_what_keeps_every_conjunct_is_proved():
    assert isinstance(own(lambda me, local: Outcome(local, (Send("leader", Point(me)),))), Proved)


def test_a_protocol_whose_functions_are_watched_is_proved_without_digests_of_symbols():
    assert isinstance(own(lambda me, local: Outcome(local, (Send("leader", Point(me)),)), watching=True), Proved)


def test_a_node_that_every_system_has_may_be_in_any_state_and_message():
    result = own(lambda me, local: Outcome(local, (Send("leader", Point(local.peer)),) if local.peer else ()))
    assert isinstance(result, Refuted)
    assert result.values["before"].peer == "leader"


STEPS = {0: 0, 1: 1, 2: 2, 3: 4}
LOOKED_UP = {
    "in a set": lambda number: 9 if number in {1, 2} else number,
    "in a table": lambda number: STEPS.get(number, number),
    "by its place": lambda number: (0, 1, 2, 9)[number],
    "as a size": lambda number: 9 if len({number, 1}) == 1 else number,
    "counted to": lambda number: 9 if len(range(number)) == 3 else number,
    "as the rest of halves": lambda number: 9 if number // 2 * 2 != number else number,
}


@pytest.mark.parametrize("count", LOOKED_UP.values(), ids=LOOKED_UP)
def test_a_number_that_is_looked_up_has_a_path_for_each_of_its_values(count):
    assert isinstance(numbered(lambda local: count(local.number)), Refuted)


@pytest.mark.parametrize("count", [lambda number: STEPS.get(number, 3) % 4, lambda number: min(*range(number), 0, 3)])
def test_a_number_that_is_looked_up_and_breaks_nothing_is_proved(count):
    assert isinstance(numbered(lambda local: count(local.number)), Proved)


NOT_PROVED = {
    "beside a number that is not written as a whole one": lambda number: 9 if number == 2.0 else number,
    "and one more that is not": lambda number: 9 if number + 0.5 > 2 else number,
    "as a rest by a divisor that may be below zero": lambda number: 9 if number % (number - 3) < 0 else number,
    "divided by one that may be zero": lambda number: 9 if number // (number - 3) < 0 else number,
}


@pytest.mark.parametrize("count", NOT_PROVED.values(), ids=NOT_PROVED)
def test_a_number_that_is_not_known_by_comparisons_is_open(count):
    result = numbered(lambda local: count(local.number))
    assert isinstance(result, Unknown)
    assert "follower runs its timeout is open: " in result.why


def by_pattern(value):
    match value:
        case int():
            return True
    return False


TYPED = {
    "a number": lambda local: isinstance(local.number, int),
    "a number by a pattern": lambda local: by_pattern(local.number),
    "a number, exactly": lambda local: type(local.number) is int,
    "a state, and of a class": lambda local: type(local) is Follower and isinstance(Follower, type),
    "a name": lambda local: local.peer != "leader" and isinstance(local.peer, str),
    "a name or a number": lambda local: local.peer != "leader" and isinstance(local.peer, int | str),
}


@pytest.mark.parametrize("typed", TYPED.values(), ids=TYPED)
def test_a_rule_that_asks_for_a_type_is_told_that_of_real_values(typed):
    result = own(lambda me, local: Outcome(Follower(9 if typed(local) else local.number, local.peer)))
    assert isinstance(result, Refuted)
    assert result.values["outcome"].local.number == 9
