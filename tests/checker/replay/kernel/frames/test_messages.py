"""Every message, until when it is in flight, and which delivery takes it; in every tangle of ids."""

import pytest

from tests.checker.replay.kernel.framed import Stages
from tests.toys.words.spec import header, hears, in_flight, rests, tells

START = header(messages=[(0, "a", "good"), (1, "b", "good")])
FAR = 10**9


def messages(*lines):
    return Stages(list(lines)).block.messages.matched


def test_messages_stand_in_the_order_in_which_they_were_given():
    given = Stages([START, tells("a", 2), tells("b", 3)]).block.messages
    assert given.position.tolist() == [0, 0, 1, 2]
    assert given.sender.tolist() == [-1, -1, 0, 1]


def test_a_message_is_in_flight_until_it_is_taken_or_to_the_end():
    matched = messages(START, tells("a", 2), hears("b", 1), hears("b", 2))
    assert matched.end.tolist() == [4, 2, 3]
    assert matched.next_take.tolist() == matched.end.tolist()
    assert matched.taken.tolist() == [1, 2]


def test_a_delivery_of_an_unsent_message_takes_nothing():
    matched = messages(START, hears("a", 7), hears("a", 0))
    assert matched.unsent.tolist() == [0]
    assert matched.taken.tolist() == [-1, 0]


def test_a_delivery_before_the_sending_is_early_and_takes_nothing():
    matched = messages(START, hears("b", 2), tells("a", 2), hears("b", 2))
    assert matched.early.tolist() == [0]
    assert matched.taken.tolist() == [-1, 2]
    assert matched.end.tolist() == [4, 4, 3]


def test_a_step_that_delivers_its_own_send_takes_nothing():
    matched = messages(header(), hears("b", 0, sent=in_flight((0, "b", "good"))), hears("b", 0))
    assert matched.taken.tolist() == [-1, 0]
    assert matched.early.tolist() == [0]


def test_a_second_delivery_takes_nothing():
    matched = messages(START, hears("a", 0), hears("a", 0), hears("a", 0))
    assert matched.twice.tolist() == [1, 2]
    assert matched.taken.tolist() == [0, -1, -1]


@pytest.mark.parametrize("start", [0, FAR])
def test_a_second_message_under_one_id_ends_the_first(start):
    lines = header(messages=[(start, "a", "good")]), tells("b", start), hears("a", start), hears("a", start)
    matched = messages(*lines)
    assert matched.again.tolist() == [1]
    assert matched.end.tolist() == [1, 2]
    assert matched.next_take.tolist() == [2, 2]
    assert matched.taken.tolist() == [1, -1]
    assert matched.twice.tolist() == [2]


def test_an_id_that_was_taken_may_be_given_again_and_taken_again():
    matched = messages(START, hears("a", 0), tells("b", 0), hears("a", 0))
    assert matched.again.tolist() == [2]
    assert matched.taken.tolist() == [0, 2]
    assert matched.end.tolist() == [1, 4, 3]


def test_ids_of_one_trace_are_nothing_to_another():
    matched = Stages([START, hears("a", 0)], [header(), hears("a", 0)], [START, hears("a", 0)]).block.messages.matched
    assert matched.taken.tolist() == [0, -1, 2]
    assert matched.unsent.tolist() == [1]
    assert matched.end.tolist() == [1, 2, 5, 6]


def test_large_ids_are_as_good_as_small_ones():
    def lines(more):
        start = header(messages=[(more, "a", "good"), (more + 1, "b", "good")])
        return start, tells("a", more + 2), hears("b", more + 1), hears("b", more + 2), hears("b", 5 + more)

    near, far = messages(*lines(0)), messages(*lines(FAR))
    for column in ("end", "next_take", "taken", "unsent"):
        assert getattr(near, column).tolist() == getattr(far, column).tolist()


def test_a_step_takes_before_it_gives():
    matched = messages(START, hears("a", 0, sent=in_flight((0, "a", "bad"))), rests("b"), hears("a", 0, "bad"))
    assert matched.taken.tolist() == [0, 2]
    assert matched.again.tolist() == [2]
