"""Which nodes the values of a pack name: each is asked once, when it is first needed."""

import numpy as np
from msgspec.structs import replace

from checker.replay.kernel.values.naming import NameSets, naming_of
from tests.checker.replay.kernel.framed import Stages
from tests.toys.words.spec import UNORDERED, header, rests, tells


def counting(asked):
    def named(value):
        asked.append(value.text)
        return (value.text,)

    return replace(UNORDERED, named=named)


def test_what_is_new_is_so_once():
    sets = NameSets(5)
    assert sets.news(np.array([3, 1, 3])).tolist() == [1, 3]
    assert sets.news(np.array([1, 4])).tolist() == [4]
    assert sets.news(np.array([3, 1, 4])).tolist() == []


def test_each_distinct_state_and_content_is_asked_once_and_nothing_before_it_is_needed():
    asked = []
    stages = Stages([header(), rests("a"), tells("a", 0, "bad"), rests("a"), rests("b")], protocol=counting(asked))
    naming, frame = stages.naming, stages.frame
    assert asked == []
    for _ in range(2):
        naming.learn(frame.first, frame.initial_content, frame.step)
    assert sorted(asked) == ["bad", "bad", "good"]


def test_a_step_names_whom_it_leaves_and_whom_it_sends():
    stages = Stages([header(), rests("a"), tells("a", 0, "bad"), rests("b", "mad")], protocol=counting([]))
    naming, frame, number = stages.naming, stages.frame, stages.distinct.names.number
    naming.learn(frame.first, frame.initial_content, frame.step)
    found = [int(naming.steps.bits[0, step]) for step in frame.step]
    good, bad, mad = (1 << number(name) for name in ("good", "bad", "mad"))
    assert found == [good, bad, mad]
    assert ~int(naming.others([number("good")])[0]) & (1 << 64) - 1 == good


def test_where_nothing_is_said_of_names_nobody_is_asked():
    stages = Stages([header(), rests("a")])
    assert naming_of(UNORDERED, stages.values, stages.marks.unfit_states, stages.marks.unfit_messages) is None
