from functools import partial
from random import Random

import pytest

from gomboc.impl.core.automaton import Commanded, Received, Send, Timeout
from gomboc.impl.runtime.instances import Instances
from tests.toys.members.impl import OVERLAY, Bye, Hello, Members, Subscribe, Unsubscribe

BLANK = b'{"others":null,"wants":false}'


def instances(role="subscriber", *, drops=True):
    return Instances(partial(OVERLAY.blank, role, "ann", Random(1)), drops=drops)


def subscribed(topic="news"):
    there = instances()
    there.want(topic)
    there.take(0.0, topic, Commanded(Subscribe()))
    return there


def test_an_instance_that_is_wanted_is_kept_although_it_is_blank():
    there = instances()
    there.want("news")
    there.take(0.0, "news", Timeout())
    assert list(there) == ["news"]
    assert bytes(there.snapshot("news")) == BLANK


def test_topics_know_nothing_of_each_other():
    there = subscribed()
    there.want("sport")
    there.take(0.0, "news", Received(Members(("ann", "ben"))))
    assert bytes(there.snapshot("news")) == b'{"others":["ann","ben"],"wants":true}'
    assert bytes(there.snapshot("sport")) == BLANK


def test_an_instance_that_was_released_goes_when_its_state_says_nothing_more():
    there = subscribed()
    there.take(0.0, "news", Received(Members(("ann",))))
    there.release("news")
    there.take(0.0, "news", Commanded(Unsubscribe()))
    assert "news" in there
    there.take(0.0, "news", Received(Members(None)))
    assert "news" not in there
    assert len(there) == 0
    assert there.know("news")


def test_an_instance_whose_history_is_kept_stays():
    there = subscribed()
    there.take(0.0, "news", Received(Members(("ann",))))
    there.take(
        0.0, "news", Commanded(OVERLAY.implementation.decode_command(b'{"kind":"publish","number":1,"payload":""}'))
    )
    there.release("news")
    there.take(0.0, "news", Commanded(Unsubscribe()))
    there.take(0.0, "news", Received(Members(None)))
    assert "news" in there


@pytest.mark.parametrize(
    ("message", "keep", "answer", "kept"),
    [
        pytest.param(Bye("ben"), True, Members(None), None, id="what changes nothing is not kept"),
        pytest.param(Hello("ben"), True, Members(("ben",)), b'{"members":["ben"]}', id="what changes something is"),
        pytest.param(Hello("ben"), False, None, None, id="and has not happened if it may not be kept"),
    ],
)
def test_a_node_without_instance_answers_as_a_blank_one(message, keep, answer, kept):
    there = instances("supervisor")
    answered = there.answer(0.0, "news", Received(message), keep=keep)
    assert (None if answered is None else (bytes(answered.before), answered.outputs)) == (
        None if answer is None else (b'{"members":[]}', [Send("ben", answer)])
    )
    assert ("news" in there, there.know("news")) == (kept is not None, kept is not None)
    assert kept is None or bytes(there.snapshot("news")) == kept


def test_without_drops_no_instance_goes():
    there = instances("supervisor", drops=False)
    there.answer(0.0, "news", Received(Hello("ben")), keep=True)
    there.take(0.0, "news", Received(Bye("ben")))
    assert bytes(there.snapshot("news")) == b'{"members":[]}'
    assert "news" in there


def test_a_topic_without_instance_takes_no_step():
    with pytest.raises(KeyError):
        instances().take(0.0, "news", Timeout())
