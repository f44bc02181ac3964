from random import Random

import pytest

from gomboc.impl.publishing.numbers import Numbers, incarnation_of
from tests.impl.refusing import refusing

LAST = 2**32 - 1


def drawn(numbers, topic="news"):
    number = numbers.next(topic)
    numbers.use(topic)
    return number


def test_numbers_are_dense_in_each_topic_and_no_incarnation_gives_out_those_of_another():
    numbers = Numbers(3)
    assert [drawn(numbers, topic) for topic in "abab"] == [3 * 2**21, 3 * 2**21, 3 * 2**21 + 1, 3 * 2**21 + 1]
    assert drawn(Numbers(4)) == 4 * 2**21


def test_the_last_number_is_one_that_every_language_can_read():
    numbers = Numbers(LAST)
    numbers._given["news"] = 2**21 - 1
    assert drawn(numbers) == 2**53 - 1
    assert numbers.next("news") is None
    assert numbers.next("sport") is not None


@pytest.mark.parametrize("incarnation", [-1, 2**32, 1.0, 1764115200.5, "1", None])
def test_an_incarnation_out_of_range_is_refused(incarnation):
    with refusing(f"An incarnation is a whole number from 0 to 4294967295, not {incarnation!r}."):
        Numbers(incarnation)


def test_a_time_in_seconds_is_an_incarnation():
    assert incarnation_of(drawn(Numbers(1_764_115_200))) == 1_764_115_200


def test_a_number_that_is_given_back_is_the_next_one():
    numbers = Numbers(1)
    first = drawn(numbers)
    numbers.give_back("news")
    assert (numbers.begins("news"), drawn(numbers)) == (True, first)


def test_a_later_life_is_gone_above_in_all_topics_and_said_to_come_before():
    numbers = Numbers(2)
    drawn(numbers, "sport")
    numbers.see("news", 9 * 2**21 + 4)
    assert (numbers.incarnation, numbers.before("news"), numbers.before("sport")) == (65_538, 9 * 2**21 + 4, None)
    first = 65_538 * 2**21
    assert [drawn(numbers, topic) for topic in ("news", "sport", "news")] == [first, first, first + 1]


def test_a_number_of_this_incarnation_that_was_not_given_out_is_of_another_life():
    numbers = Numbers(2)
    numbers.see("news", drawn(numbers))
    assert numbers.incarnation == 2
    numbers.see("news", 2 * 2**21 + 1)
    assert numbers.incarnation == 65_538


def test_an_earlier_life_comes_before_the_first_number_and_before_no_other():
    numbers = Numbers(5)
    for number in (7, 2 * 2**21 + 1, 3):
        numbers.see("news", number)
    assert numbers.before("news") == 2 * 2**21 + 1
    drawn(numbers)
    assert numbers.before("news") is None


def test_a_number_that_no_incarnation_of_this_start_is_above_takes_no_numbers_away():
    numbers = Numbers(5)
    for seen in (2**53 - 1, LAST * 2**21 - 1):
        numbers.see("news", seen)
        assert (numbers.incarnation, numbers.before("news")) == (5, None)
    lowest = Numbers(0)
    lowest.see("news", LAST * 2**21)
    assert lowest.incarnation == 0
    numbers.see("news", (LAST - 65_536) * 2**21)
    assert (numbers.incarnation, drawn(numbers)) == (LAST - 65_530, (LAST - 65_530) * 2**21)


def test_no_two_starts_give_out_one_number_whatever_they_hear():
    random, given = Random(1), []
    for incarnation in range(1, 60):
        numbers = Numbers(incarnation)
        for _ in range(20):
            # Forged numbers, and those of former starts, which may come late, or never.
            forged = random.randrange(2**53) >> random.randrange(40)
            numbers.see("news", random.choice([forged, *given[-30:]]))
            given.append(drawn(numbers))
    assert len(set(given)) == len(given)
