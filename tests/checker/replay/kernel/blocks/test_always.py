"""Promises over states in columns: where each is broken, and how rarely it is asked."""

import pytest
from msgspec.structs import replace

from gomboc.checker.distinct.distinct import COMMAND
from gomboc.checker.replay.kernel.blocks import always
from gomboc.checker.replay.kernel.blocks.always import StatesJudge
from gomboc.checker.replay.kernel.blocks.projections import UnfitProjectionError
from gomboc.spec.core.promises import Always
from tests.checker.replay.kernel.framed import Stages
from tests.checker.replay.kernel.stating import connecting, promising
from tests.toys.words.spec import UNORDERED, header, obeys, rests, tells


def broken(protocol, *traces):
    stages = Stages(*traces, protocol=protocol)
    loud = stages.frame.position[stages.frame.took == COMMAND]
    findings = StatesJudge(protocol, stages.values).broken(stages.block, loud, stages.last)
    return {promise.name: (promise.broken.tolist(), promise.conjuncts) for promise in findings}


def test_a_promise_over_states_is_broken_where_it_first_is():
    crowd = [tells("a", number, "bad") for number in range(5)]
    findings = broken(promising(UNORDERED), [header(a="bad"), *crowd], [header(), rests("a"), rests("b", "bad")])
    assert findings == {
        "some_node_is_good": ([-1, -1], {}),
        "not_crowded": ([4, -1], {0: "crowded"}),
    }
    lost = [header(), rests("a", "bad"), rests("b", "bad"), rests("a")]
    assert broken(promising(UNORDERED), lost)["some_node_is_good"] == ([2], {0: "nobody"})


def test_connected_nodes_stay_so_until_a_command():
    apart = rests("a", "bad"), rests("b", "bad")
    assert broken(connecting(UNORDERED), [header(), *apart]) == {"stays_connected": ([2], {0: "weakly_connected"})}
    by_command = [header(b="bad"), rests("a"), obeys("a", "bad"), rests("a", "bad")]
    assert broken(connecting(UNORDERED), by_command) == {"stays_connected": ([-1], {})}


def test_promises_are_evaluated_once_for_each_combination_of_projections(monkeypatch):
    monkeypatch.setattr(always, "ASKED_AGAIN", 0)
    asked = []

    def faults(states, in_flight):
        asked.append((tuple(states.items()), in_flight))
        return ()

    crowd = [line for number in range(9) for line in (tells("a", number, "good"), rests("b", "mad"), rests("b"))]
    for projection, times in ((None, 19), (lambda word: word.text, 19), (lambda word: None, 1)):
        asked.clear()
        protocol = UNORDERED.changed(always=(Always("quiet", "", faults, projection),))
        assert broken(protocol, [header(), *crowd], [header(), *crowd])["quiet"] == ([-1, -1], {})
        assert len(asked) == times, "up to nine messages, and a word that changes"


def blind(projection):
    """A projection that omits states, for a promise that reads states."""
    some_node_is_good = promising(UNORDERED).promises.always[0]
    return UNORDERED.changed(always=(replace(some_node_is_good, projection=projection),))


def test_a_projection_that_omits_a_dependency_is_noticed(monkeypatch):
    lost = [header(), rests("a", "bad"), rests("b", "bad"), rests("a")]
    assert broken(blind(lambda word: word.text == "good"), lost)["some_node_is_good"] == ([2], {0: "nobody"})
    noticed = (
        "the protocol toy_unordered states a projection that leaves out values that its promise some_node_is_good "
        "reads: fix the projection."
    )
    for asked_again, seldom in ((1, 1 << 10), (0, 2)):
        monkeypatch.setattr(always, "ASKED_AGAIN", asked_again)
        monkeypatch.setattr(always, "SELDOM", seldom)
        with pytest.raises(UnfitProjectionError) as refused:
            broken(blind(lambda word: None), lost[:3], lost[:3])
        assert str(refused.value) == noticed


def test_answers_that_were_forgotten_are_asked_for_again(monkeypatch):
    crowd = [tells("a", number, "bad") for number in range(5)]
    wanted = broken(promising(UNORDERED), [header(a="bad"), *crowd], [header(), *crowd])
    monkeypatch.setattr(always, "MOST_KNOWN", 2)
    assert broken(promising(UNORDERED), [header(a="bad"), *crowd], [header(), *crowd]) == wanted
