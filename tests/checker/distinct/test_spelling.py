"""Numbers decoded into values: the same values as the naive judge reads, and a sentence for unreadable ones."""

import numpy as np
import pytest

from gomboc.checker.core.errors import UsageError
from gomboc.checker.distinct.spelling import PackValues, SpelledStep, spelled_steps
from gomboc.spec.core.model import Commanded, Received, Send, Timeout
from tests.checker.replay.kernel.framed import Stages
from tests.toys.words.spec import Say, Word, header, hears, in_flight, obeys, rests


def spelled(*steps, **more):
    stages = Stages([header(**more), *steps])
    return list(map(SpelledStep, *spelled_steps(stages.values, np.arange(len(stages.distinct)))))


def test_a_step_is_decoded_with_states_input_sends_and_deliveries():
    answers = hears("b", 0, "bad", sent=in_flight((1, "a", "good"), (2, "b", "bad")))
    (step,) = spelled(answers, b="mad", messages=[(0, "b", "bad")])
    sends = Send("a", Word("good")), Send("b", Word("bad"))
    assert step == SpelledStep("b", Word("mad"), Received(Word("bad")), Word("bad"), sends, None, ["bad"])


def test_each_way_of_taking_something_has_its_input():
    steps = spelled(rests("a"), obeys("a", "bad"), hears("b", 0), messages=[(0, "b", "good")])
    assert [step.taken for step in steps] == [Timeout(), Commanded(Say("bad")), Received(Word("good"))]


def test_the_sends_of_many_steps_are_not_mixed_up():
    sends = [in_flight(*((10 * step + index, "a", f"{step}-{index}") for index in range(step))) for step in range(4)]
    steps = spelled(*(rests("b", sent=sent) for sent in sends))
    assert [[send.message.text for send in step.sends] for step in steps] == [
        [f"{number}-{index}" for index in range(number)] for number in range(4)
    ]


def test_a_state_with_a_missing_key_is_refused(monkeypatch):
    stages = Stages([header(), rests("a")])
    monkeypatch.setattr("gomboc.checker.distinct.spelling.lacking_keys", lambda state, keys: ["said"])
    stages.distinct.state_texts[0] += b" "
    with pytest.raises(UsageError, match="the state lacks the key 'said'"):
        stages.values.whole_state(0)


def test_equal_values_with_different_texts_are_the_same():
    stages = Stages([header(), rests("a"), rests("b", "bad")])
    texts = stages.distinct.state_texts
    texts.append(texts[0].replace(b":", b" : "))
    stages.distinct.state_roles.append("teller")
    values = PackValues(stages.judge.decoders, stages.distinct)
    assert values.same_state(0, len(texts) - 1) == 1
    assert values.same_state(0, 1) == 0


@pytest.mark.parametrize(
    "texts",
    [
        [b'{"text":"a"}', b'{ "text" : "b"}', b'{"text":"c","text":"d"}', b'{"text":"e"}'],
        [b'{"text":"a"}', b'{"text":1}', b'{"text":"e"}'],
        [b'{"text":"a"', b'{"text":"a"},{"text":"b"}', b"", b"{}", b'{"text":"e"}'],
        [b'{"text":"', b'"}', b'{"text":"e"},{"text":"e"}'],
    ],
)
@pytest.mark.parametrize("together", [1, 1024])
def test_a_text_means_the_same_read_together_with_others_and_alone(texts, together, monkeypatch):
    monkeypatch.setattr("gomboc.checker.distinct.spelling.TOGETHER", together)
    decoders = Stages([header(), rests("a")]).judge.decoders
    for index, state in decoders.many_states("teller", texts).items():
        assert state == decoders.state("teller", texts[index])


def test_texts_in_our_own_spelling_are_read_together():
    stages = Stages([header(), rests("a"), rests("b", "bad")])
    states = stages.judge.decoders.many_states("teller", stages.distinct.state_texts)
    assert states == dict(enumerate((Word("good"), Word("bad"))))
