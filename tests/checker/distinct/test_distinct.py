"""The tables of a pack in columns: names, sends and coins by number, and contents that are no messages."""

import numpy as np

from gomboc.checker.distinct.distinct import COMMAND, DELIVERY, NONE, TIMEOUT, Distinct, Names
from tests.checker.refusing import sentence
from tests.checker.replay.kernel.framed import Stages
from tests.toys.words.spec import header, hears, in_flight, obeys, rests, tells


def distinct(*steps, **more):
    return Stages([header(**more), *steps]).distinct


def test_a_name_has_one_number_and_every_name_another():
    names = Names()
    assert [names.number(name) for name in ("a", "b", "a", "c")] == [0, 1, 0, 2]
    assert names.known == ["a", "b", "c"]


def test_steps_have_their_inputs():
    columns = distinct(rests("a"), hears("b", 0), obeys("a", "bad"), messages=[(0, "b", "good")])
    assert columns.took.tolist() == [TIMEOUT, DELIVERY, COMMAND]
    assert columns.input[0] == NONE
    assert columns.message_texts[columns.input[1]] == b'{"text":"good"}'


def test_the_sends_of_each_step_stand_together_in_their_order():
    sent = in_flight((1, "b", "good"), (2, "a", "bad"))
    columns = distinct(rests("a", sent=sent), rests("b"), tells("b", 3, "bad"))
    assert columns.sends.tolist() == [2, 0, 1]
    assert columns.send_starts.tolist() == [0, 2, 2]
    assert [columns.names.known[number] for number in columns.send_target] == ["b", "a", "a"]
    texts = [columns.message_texts[number] for number in columns.send_content]
    assert texts == [b'{"text":"good"}', b'{"text":"bad"}', b'{"text":"bad"}']


def test_only_commands_never_sent_nor_received_are_no_messages():
    columns = distinct(obeys("a", "bad"), tells("a", 0, "bad"), hears("b", 0, "bad"))
    texts = [text for text, command in zip(columns.message_texts, columns.commands, strict=True) if command]
    assert texts == [b'{"kind":"say","text":"bad"}']


def test_contents_that_begin_alike_have_one_number():
    columns = distinct(obeys("a", "good"), obeys("a", "bad"), hears("b", 0), messages=[(0, "b", "good")])
    numbers = dict(zip(columns.message_texts, columns.beginnings.tolist(), strict=True))
    assert numbers[b'{"kind":"say","text":"good"}'] == numbers[b'{"kind":"say","text":"bad"}']
    assert numbers[b'{"text":"good"}'] not in {number for text, number in numbers.items() if b"kind" in text}


def test_coins_and_deliveries_are_null_where_nothing_is_said():
    columns = distinct(rests("a", coin="silent"), hears("b", 0), messages=[(0, "b", "good")])
    assert columns.coins.of(np.array([0, 1])) == ["silent", None]
    assert columns.deliveries.of(np.array([0, 1])) == [None, b'["good"]']


def test_a_step_from_one_role_to_another_is_refused():
    columns = distinct(rests("a"), rests("x"))
    after = columns._steps.set_column(columns._steps.column_names.index("before"), "before", [[0, 0]])
    assert (
        sentence(Distinct, columns._states, columns._messages, after)
        == "local step 1: the states before and after it are of different roles"
    )
