"""Two steps have one digest if and only if all of their content is the same, whatever its numbers in a pack."""

import numpy as np
import pytest

from gomboc.checker.distinct.digests import Digests
from gomboc.checker.distinct.distinct import NONE, Distinct
from gomboc.checker.replay.pack.dictionary import Dictionary

GOOD, BAD, MORE = b'{"word":"good"}', b'{"word":"bad"}', b'{"word":"more"}'
STATES = ("node", GOOD), ("node", BAD), ("other", GOOD), ("other", BAD), (None, GOOD), (None, BAD)

STEP = ("a", ("node", GOOD), 1, GOOD, ("node", BAD), (("b", GOOD), ("a", BAD)), "heads", b'["x"]')
"""Node, before, took, input, after, sends, coin, delivered: all by content."""

OTHERS = {
    "another_node": {0: "b"},
    "another_role": {1: ("other", GOOD), 4: ("other", BAD)},
    "no_role": {1: (None, GOOD), 4: (None, BAD)},
    "another_state_before": {1: ("node", BAD)},
    "a_command": {2: 2},
    "another_input": {3: BAD},
    "a_timeout": {2: 0, 3: None},
    "another_state_after": {4: ("node", GOOD)},
    "nothing_sent": {5: ()},
    "less_sent": {5: (("b", GOOD),)},
    "more_sent": {5: (("b", GOOD), ("a", BAD), ("a", BAD))},
    "sent_in_another_order": {5: (("a", BAD), ("b", GOOD))},
    "another_target": {5: (("b", GOOD), ("b", BAD))},
    "another_content": {5: (("b", GOOD), ("a", MORE))},
    "another_coin": {6: "tails"},
    "no_coin": {6: None},
    "other_deliveries": {7: b'["y"]'},
    "no_deliveries": {7: None},
}


def changed(name):
    return tuple(OTHERS[name].get(place, part) for place, part in enumerate(STEP))


def digests(*steps):
    """The digest of each step in one pack, whose values are numbered in the order of the steps."""
    words = Dictionary()
    for node, before, took, taken, after, sends, coin, delivered in steps:
        given = tuple((target, words.messages[text]) for target, text in sends), coin, delivered, None
        content = NONE if taken is None else words.messages[taken]
        assert words.steps[node, words.states[before], took, content, words.states[after], words.given[given]] >= 0
    distinct = Distinct(*words.tables())
    return list(map(tuple, Digests(distinct).steps(np.arange(len(steps))).tolist()))


@pytest.mark.parametrize("name", OTHERS)
def test_a_step_with_another_part_has_another_digest(name):
    one, other = digests(STEP, changed(name))
    assert one != other


def test_all_of_these_steps_differ_and_keep_their_digests_in_a_pack_in_which_they_stand_otherwise():
    steps = [STEP, *map(changed, OTHERS)]
    forwards = digests(*steps)
    assert len(set(forwards)) == len(steps)
    assert digests(*reversed(steps)) == forwards[::-1]
    assert [digests(step)[0] for step in steps] == forwards


def test_values_have_the_digest_of_their_role_and_text_and_messages_another_one():
    words = Dictionary()
    assert [words.states[state] for state in STATES] == list(range(len(STATES)))
    assert [words.messages[text] for text in (GOOD, BAD)] == [0, 1]
    of = Digests(Distinct(*words.tables()))
    there = [*of.states(np.arange(len(STATES))).tolist(), *of.messages(np.arange(2)).tolist()]
    assert len(set(map(tuple, there))) == len(STATES) + 2
    assert of.states(np.array([3, 1])).tolist() == [there[3], there[1]]
