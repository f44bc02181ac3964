"""Premise, assumption and promises in columns: where each is asked, what is found, and how rarely."""

import numpy as np
import pytest
from msgspec.structs import replace

from checker.replay.kernel.blocks import promises
from checker.replay.kernel.blocks.gists import UnfitGistError
from checker.replay.kernel.blocks.promises import PromiseJudge, broken_assumptions, lacking_premises
from spec.promises import Always, Observer
from tests.checker.replay.kernel.framed import Stages
from tests.checker.replay.kernel.stating import assuming, connecting, observing, presuming, promising
from tests.toys.words.spec import UNORDERED, header, hears, obeys, rests, tells


def assumptions(*traces, last=None):
    stages = Stages(*traces, protocol=assuming(UNORDERED))
    commands = stages.frame.position[stages.distinct.took[stages.frame.step] == 2]
    return broken_assumptions(stages.protocol, stages.snapshots, commands, stages.last if last is None else last)


def test_an_assumption_is_asked_for_at_the_start_and_after_commands_only():
    silent = [header(b="bad"), rests("a", "bad"), rests("b", "bad")]
    asked = [*silent, rests("b", "bad"), obeys("b", "bad"), obeys("b", "bad")]
    found, why = assumptions(silent, asked, [header(a="bad", b="bad"), rests("a")])
    assert found.tolist() == [-1, 7, 9]
    assert why == {
        1: "assumption broken at step 4: few_are_bad",
        2: "assumption broken at the start: few_are_bad",
    }


def test_nothing_is_assumed_of_what_is_not_judged():
    found, _ = assumptions([header(b="bad"), obeys("a", "bad")], last=np.array([0]))
    assert found.tolist() == [-1]


def test_a_premise_is_asked_for_where_a_trace_began_and_is_not_legitimate():
    stages = Stages([header(b="mad"), rests("a")], [header(b="bad"), rests("a")], protocol=presuming(UNORDERED))
    began, good = stages.frame.base[:-1].copy(), np.zeros(stages.frame.size, bool)
    lacks = "premise: nobody_is_mad at b is false at the start, so convergence is not promised"
    assert lacking_premises(stages.protocol, stages.snapshots, began, good, stages.last) == {0: lacks}
    assert lacking_premises(stages.protocol, stages.snapshots, began, ~good, stages.last) == {}
    assert lacking_premises(stages.protocol, stages.snapshots, began, good, began - 1) == {}


def broken(protocol, *traces):
    stages = Stages(*traces, protocol=protocol)
    judge = PromiseJudge(protocol, stages.values)
    loud = stages.frame.position[stages.distinct.took[stages.frame.step] == 2]
    found = judge.of_states(stages.snapshots, loud, stages.last) + judge.of_histories(stages.frame, stages.last)
    return {promise.name: (promise.broken.tolist(), promise.conjuncts) for promise in found}


def test_a_promise_over_states_is_broken_where_it_first_is():
    crowd = [tells("a", number, "bad") for number in range(5)]
    found = broken(promising(UNORDERED), [header(a="bad"), *crowd], [header(), rests("a"), rests("b", "bad")])
    assert found == {
        "somebody_is_good": ([-1, -1], {}),
        "not_crowded": ([4, -1], {0: "crowded"}),
    }
    lost = [header(), rests("a", "bad"), rests("b", "bad"), rests("a")]
    assert broken(promising(UNORDERED), lost)["somebody_is_good"] == ([2], {0: "nobody"})


def test_what_is_connected_stays_so_until_a_command():
    apart = rests("a", "bad"), rests("b", "bad")
    assert broken(connecting(UNORDERED), [header(), *apart]) == {"stays_connected": ([2], {0: "weakly_connected"})}
    by_command = [header(b="bad"), rests("a"), obeys("a", "bad"), rests("a", "bad")]
    assert broken(connecting(UNORDERED), by_command) == {"stays_connected": ([-1], {})}


def test_promises_are_asked_once_for_each_combination_of_what_they_look_at(monkeypatch):
    monkeypatch.setattr(promises, "ASKED_AGAIN", 0)
    asked = []

    def faults(states, in_flight):
        asked.append((tuple(states.items()), in_flight))
        return ()

    crowd = [line for number in range(9) for line in (tells("a", number, "good"), rests("b", "mad"), rests("b"))]
    for gist, times in ((None, 19), (lambda word: word.text, 19), (lambda word: None, 1)):
        asked.clear()
        protocol = replace(UNORDERED, always=(Always("quiet", "", faults, gist),))
        assert broken(protocol, [header(), *crowd], [header(), *crowd])["quiet"] == ([-1, -1], {})
        assert len(asked) == times, "up to nine messages, and a word that changes"


def blind(gist):
    """Whoever looks only at messages promises something of states."""
    somebody_is_good = promising(UNORDERED).always[0]
    return replace(UNORDERED, always=(replace(somebody_is_good, gist=gist),))


def test_a_gist_that_leaves_out_what_is_looked_at_is_noticed(monkeypatch):
    lost = [header(), rests("a", "bad"), rests("b", "bad"), rests("a")]
    assert broken(blind(lambda word: word.text == "good"), lost)["somebody_is_good"] == ([2], {0: "nobody"})
    noticed = (
        "the protocol toy_unordered states a gist that leaves out what its promise somebody_is_good looks at: "
        "mend the gist."
    )
    for asked_again, seldom in ((1, 1 << 10), (0, 2)):
        monkeypatch.setattr(promises, "ASKED_AGAIN", asked_again)
        monkeypatch.setattr(promises, "SELDOM", seldom)
        with pytest.raises(UnfitGistError) as refused:
            broken(blind(lambda word: None), lost[:3], lost[:3])
        assert str(refused.value) == noticed


def test_answers_that_were_forgotten_are_asked_for_again(monkeypatch):
    crowd = [tells("a", number, "bad") for number in range(5)]
    wanted = broken(promising(UNORDERED), [header(a="bad"), *crowd], [header(), *crowd])
    monkeypatch.setattr(promises, "MOST_KNOWN", 2)
    assert broken(promising(UNORDERED), [header(a="bad"), *crowd], [header(), *crowd]) == wanted


def test_each_node_has_its_own_history():
    start = header(messages=[(0, "a", "mad"), (1, "b", "bad"), (2, "a", "bad"), (3, "b", "mad")])
    steps = hears("a", 0, "mad"), hears("b", 1, "bad"), hears("b", 3, "mad"), hears("a", 2, "bad")
    found = broken(observing(UNORDERED), [start, *steps[:3]], [start, *steps])
    assert found["never_worse"] == ([-1, 8], {1: "worse"})


def test_an_observer_is_asked_once_for_each_thing_that_a_node_delivers_after_the_same():
    asked = []

    def observe(node, seen, delivered):
        asked.append((node, seen, delivered))
        return delivered, ()

    protocol = replace(UNORDERED, observers=(Observer("any", "", None, observe),))
    messages = [(number, "a", "good") for number in range(9)]
    trace = [header(messages=messages), *(hears("a", number) for number in range(9))]
    assert broken(protocol, trace, trace)["any"] == ([-1, -1], {})
    assert asked == [("a", None, "good"), ("a", "good", "good")]
