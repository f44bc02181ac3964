"""Which nodes the values of a pack name: each is asked once, when it is first needed."""

import numpy as np

from gomboc.checker.distinct.naming import NameSets, naming_anew, naming_of
from tests.checker.replay.kernel.framed import Stages
from tests.toys.words.spec import UNORDERED, header, hears, in_flight, obeys, rests, tells


def counting(asked):
    def named(value):
        asked.append(value.text)
        return (value.text,)

    return UNORDERED.changed(named=named)


def test_a_number_is_new_once():
    sets = NameSets(5)
    assert sets.meet(np.array([3, 1, 3])).tolist() == [1, 3]
    assert sets.meet(np.array([1, 4])).tolist() == [4]
    assert sets.meet(np.array([3, 1, 4])).tolist() == []


def test_each_distinct_state_and_content_is_asked_once_and_nothing_before_it_is_needed():
    asked = []
    stages = Stages([header(), rests("a"), tells("a", 0, "bad"), rests("a"), rests("b")], protocol=counting(asked))
    nothing_unfit = np.zeros(len(stages.distinct.state_role), bool), np.zeros(stages.distinct.contents, bool)
    naming, frame = naming_of(stages.protocol, stages.values, *nothing_unfit), stages.frame
    assert asked == []
    for _ in range(2):
        naming.learn(frame.first, frame.batch.starts.initial_content.values, frame.step)
    assert sorted(asked) == ["bad", "bad", "good"]


def test_a_step_has_the_names_in_its_state_after_and_in_its_sends():
    stages = Stages([header(), rests("a"), tells("a", 0, "bad"), rests("b", "mad")], protocol=counting([]))
    naming, frame, number = stages.naming, stages.frame, stages.distinct.names.number
    naming.learn(frame.first, frame.batch.starts.initial_content.values, frame.step)
    result = [int(naming.steps.bits[0, step]) for step in frame.step]
    good, bad, mad = (1 << number(name) for name in ("good", "bad", "mad"))
    assert result == [good, bad, mad]
    assert ~int(naming.others([number("good")])[0]) & (1 << 64) - 1 == good


def test_a_name_is_new_if_neither_node_nor_input_has_it():
    protocol = UNORDERED.changed(named=lambda value: (value.text,))
    lines = {
        "the same": rests("a"),
        "its node": obeys("a", "a"),
        "as it has heard": hears("b", 0, "bad"),
        "as it was told": obeys("b", "mad"),
        "besides, to somebody": rests("b", "mad", sent=in_flight((1, "a", "mad"), (2, "a", "good"))),
    }
    stages = Stages([header(messages=[(0, "b", "bad")]), *lines.values()], protocol=protocol)
    anew = naming_anew(protocol, stages.values, np.arange(len(stages.distinct)))
    names = dict(zip(stages.frame.step.tolist(), lines, strict=True))
    assert [names[step] for step in sorted(anew.tolist())] == ["as it was told", "besides, to somebody"]


def test_if_names_cannot_be_computed_every_step_is_compared():
    def named(value):
        raise ValueError(value)

    lines = header(), tells("a", 0), rests("b"), tells("b", 1)
    stages = Stages([*lines], protocol=UNORDERED.changed(named=named))
    silent = stages.frame.step[1]
    assert sorted(naming_anew(stages.protocol, stages.values, np.arange(3)).tolist()) == sorted({0, 1, 2} - {silent})


def test_without_declared_names_no_value_is_evaluated():
    stages = Stages([header(), rests("a")])
    assert naming_of(UNORDERED, stages.values, stages.marks.unfit_states, stages.marks.unfit_messages) is None
